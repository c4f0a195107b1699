/** Prints all pages of a list as text, CSV or one JSON value, while holding one page in memory. */
import { createOption, type Option } from 'commander';
import type { TextInput } from '../backoffice/operations/read-text-input.ts';

/** The text before the items, of each page, and after the items. */
export type Form<Page> = {
  readonly head: (first: Page) => string;
  /** `isFirst`: no item was printed before. A page may be empty. */
  readonly lines: (page: Page, isFirst: boolean) => string;
  readonly end: (last: Page) => string;
};

type Forms<Page> = {
  readonly text: Form<Page>;
  /** For a command with `csvOption`. */
  readonly csv?: Form<Page>;
  readonly json: Form<Page>;
};

export function csvOption(): Option {
  return createOption('--csv', 'print CSV').conflicts('json');
}

export function printPages<Page>(
  forms: Forms<Page>,
): (pages: AsyncIterable<Page>, options: TextInput) => AsyncGenerator<string> {
  return async function* (pages, { csv, json }) {
    const { text } = forms;
    const form = csv === true ? (forms.csv ?? text) : json === true ? forms.json : text;
    let last: Page | undefined;
    let hasItems = false;
    for await (const page of pages) {
      if (last === undefined) yield form.head(page);
      const lines = form.lines(page, !hasItems);
      hasItems ||= lines !== '';
      yield lines;
      last = page;
    }
    if (last !== undefined) yield form.end(last);
  };
}

/** Formats the items of a page as a part of one JSON list over all pages. */
export function jsonItems(items: readonly unknown[], isFirst: boolean): string {
  return items.map((item, index) => `${isFirst && index === 0 ? '' : ','}\n${JSON.stringify(item)}`).join('');
}

/** The JSON form of pages that have only `data` and `cursor`. */
export const jsonList: Form<{ readonly data: readonly unknown[] }> = {
  head: () => '{"data":[',
  lines: ({ data }, isFirst) => jsonItems(data, isFirst),
  end: () => '\n],"cursor":null}\n',
};

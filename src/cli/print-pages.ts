/**
 * A list that is printed whole, as text, CSV or JSON, page by page as it comes: a long one is never
 * held whole. As JSON it is one value too.
 */
import { createOption, type Option } from 'commander';
import type { TextInput } from '../backoffice/operations/read-text-input.ts';

/** What is printed before the items, for those of each page, and after them. */
export type Form<Page> = {
  readonly head: (first: Page) => string;
  /** `isFirst`: no item came before. A page may have none. */
  readonly lines: (page: Page, isFirst: boolean) => string;
  readonly end: (last: Page) => string;
};

type Forms<Page> = {
  readonly text: Form<Page>;
  /** For a command that has the option of `csvOption`. */
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

/** Of a page, as items of one JSON list over all pages. */
export function jsonItems(items: readonly unknown[], isFirst: boolean): string {
  return items.map((item, index) => `${isFirst && index === 0 ? '' : ','}\n${JSON.stringify(item)}`).join('');
}

/** Of pages that say nothing besides their items. */
export const jsonList: Form<{ readonly data: readonly unknown[] }> = {
  head: () => '{"data":[',
  lines: ({ data }, isFirst) => jsonItems(data, isFirst),
  end: () => '\n],"cursor":null}\n',
};

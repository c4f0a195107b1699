/**
 * Prints all pages of a list as text, CSV or one JSON value, while holding one page in memory. The
 * columns and their order come from the output schema.
 */
import type { TSchema } from 'typebox';
import type { TextInput } from '../backoffice/operations/read-text-input.ts';
import { csvLines } from '../core/csv-cell.ts';
import { isPage } from '../core/operation-fields.ts';
import { answerText, itemOf, pathsOf, propertyOf, rowsText, valueAt } from './print-answer.ts';

/** The text before the items, of each page, and after the items. */
export type Form<Page> = {
  readonly head: (first: Page) => string;
  /** `isFirst`: no item was printed before. A page may be empty. */
  readonly lines: (page: Page, isFirst: boolean) => string;
  /** `isEmpty`: no item was printed. */
  readonly end: (last: Page, isEmpty: boolean) => string;
};

/** A list that is printed whole, instead of one page. */
export type WholeList<Page> = {
  /** The property that is the list. Default: `data`. */
  readonly list?: (first: Page) => string;
  /** Properties that the command has no option for. Default: `limit` and `cursor`. */
  readonly hides?: readonly string[];
  /** Replaces the text or the CSV that follows from the schema. */
  readonly text?: Form<Page>;
  readonly csv?: Form<Page>;
};

type Page = Readonly<Record<string, unknown>>;

type Shown = WholeList<never> & {
  readonly columns?: readonly string[] | undefined;
  /** Returns text below the rows of each page. */
  readonly below?: ((rows: readonly unknown[]) => string) | undefined;
};

export async function* printPages(
  output: TSchema,
  whole: Shown,
  pages: AsyncIterable<Page>,
  { csv, json }: TextInput,
): AsyncGenerator<string> {
  const formOf = (list: string): Form<never> => {
    if (json === true) return jsonForm(output, list);
    if (csv === true) return whole.csv ?? csvForm(output, list);
    return whole.text ?? textForm(output, list, whole);
  };
  let list = 'data';
  let form: Form<never> | undefined;
  let last: Page = {};
  let isEmpty = true;
  for await (const page of pages) {
    if (form === undefined) {
      list = whole.list?.(page as never) ?? list;
      form = formOf(list);
      yield form.head(page as never);
    }
    yield form.lines(page as never, isEmpty);
    isEmpty &&= itemsOf(page, list).length === 0;
    last = page;
  }
  if (form !== undefined) yield form.end(last as never, isEmpty);
}

function itemsOf(page: Page, list: string): readonly unknown[] {
  return page[list] as readonly unknown[];
}

function withoutList(page: Page, list: string): Page {
  return Object.fromEntries(Object.entries(page).filter(([name]) => name !== list && name !== 'cursor'));
}

/** Returns whether the items of a list are lines of text. */
export function isLines(output: TSchema, list = 'data'): boolean {
  return Reflect.get(itemOf(propertyOf(output, list)), 'type') === 'string';
}

function textForm(output: TSchema, list: string, { columns, below }: Shown): Form<Page> {
  const areLines = isLines(output, list);
  return {
    head: (page) => {
      const filled = Object.entries(withoutList(page, list)).filter(
        ([, value]) => !Array.isArray(value) || value.length > 0,
      );
      const head = answerText(output, Object.fromEntries(filled), columns);
      const title = list === 'data' ? '' : `${list}:\n`;
      return `${head === '' ? '' : `${head}\n\n`}${title}`;
    },
    lines: (page) => {
      const items = itemsOf(page, list);
      if (areLines) return items.map((line) => `${String(line)}\n`).join('');
      if (items.length === 0) return '';
      return `${rowsText(propertyOf(output, list), items, columns)}\n${below?.(items) ?? ''}`;
    },
    end: (_, isEmpty) => (isEmpty && !areLines ? 'None.\n' : ''),
  };
}

function csvForm(output: TSchema, list: string): Form<Page> {
  const paths = pathsOf(itemOf(propertyOf(output, list)), []);
  return {
    head: () => csvLines([paths.map((path) => path.replaceAll('.', '_'))]),
    lines: (page) => csvLines(itemsOf(page, list).map((row) => paths.map((path) => valueAt(row, path)))),
    end: () => '',
  };
}

/** Prints the admin API's answer, with the items of all pages in one list. */
function jsonForm(output: TSchema, list: string): Form<Page> {
  const [open, close] = isPage(output) ? ['{', '}'] : ['{"data":{', '}}'];
  return {
    head: (page) => {
      const members = Object.entries(withoutList(page, list)).map(
        ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`,
      );
      return `${open}${members.join('')}${JSON.stringify(list)}:[`;
    },
    lines: (page, isFirst) =>
      itemsOf(page, list)
        .map((item, index) => `${isFirst && index === 0 ? '' : ','}\n${JSON.stringify(item)}`)
        .join(''),
    end: () => `\n],"cursor":null${close}\n`,
  };
}

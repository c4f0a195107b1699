/**
 * Reads a bank's list of payments page by page, to the end that the bank itself tells. A list of
 * which that end was not seen is no list: whatever was not read would count as looked for.
 */
import type { PaymentList } from './funding-provider.ts';

export type PaymentPage = {
  /** Of the payments on the page; those that are not of the account may be left out. */
  readonly references: readonly string[];
  /** What tells this page from any other one. Empty on an empty page. */
  readonly marks: readonly string[];
  /** When its payments were made, in its order; undefined where one does not say it. */
  readonly times: readonly Date[] | undefined;
  /** Whether the bank says that it is the last one; undefined where it says nothing. */
  readonly last: boolean | undefined;
  /** Where the next page begins, where the bank does not count pages. */
  readonly cursor?: string;
};

export type ReadPage = PaymentPage | { readonly unavailable: string };

const PAGES_MAX = 1_000;

/**
 * `read` gets 0 for the first page, and the cursor of the page before where it had one. What is
 * older than `since` need not be read.
 */
export async function readPages(
  read: (page: number, cursor: string | undefined) => Promise<ReadPage>,
  since: Date,
): Promise<PaymentList> {
  const references: string[] = [];
  let before: PaymentPage | undefined;
  // Whether it is newest first, as far as it was seen.
  let descends = true;
  for (let number = 0; number < PAGES_MAX; number += 1) {
    const page = await read(number, before?.cursor);
    if ('unavailable' in page) return { kind: 'unavailable', reason: page.unavailable };
    if (page.marks.length > 0 && page.marks.join(' ') === before?.marks.join(' ')) {
      return { kind: 'unavailable', reason: 'the list gives the same page again and again' };
    }
    references.push(...page.references);
    const isEmpty = page.marks.length === 0;
    if (isEmpty && page.last === false) {
      return { kind: 'unavailable', reason: 'an empty page that is not the last' };
    }
    // Where the bank does not say which page is the last, an empty one says it.
    if (page.last ?? isEmpty) return { kind: 'listed', references };
    descends &&= isDescending(before?.times?.at(-1), page.times);
    if (number > 0 && descends && isBefore(page.times, since)) return { kind: 'listed', references };
    before = page;
  }
  return { kind: 'unavailable', reason: `the list did not end within ${PAGES_MAX} pages` };
}

function isDescending(above: Date | undefined, times: readonly Date[] | undefined): boolean {
  if (times === undefined) return false;
  const all = above === undefined ? times : [above, ...times];
  return all.every((time, index) => index === 0 || time <= (all[index - 1] ?? time));
}

function isBefore(times: readonly Date[] | undefined, since: Date): boolean {
  const newest = times?.[0];
  return newest !== undefined && newest < since;
}

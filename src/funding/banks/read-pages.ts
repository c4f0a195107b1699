/**
 * Reads a bank's list of payments page by page to the end that the bank marks. Without that end the
 * list is unavailable, because unread payments would count as swept.
 */
import type { PaymentList } from './funding-provider.ts';

export type PaymentPage = {
  /** The references of payments, perhaps without those of other accounts. */
  readonly references: readonly string[];
  /** Identifies the page. Empty on an empty page. */
  readonly marks: readonly string[];
  /** The times of its payments, in order; undefined when one is missing. */
  readonly times: readonly Date[] | undefined;
  /** Whether the bank marks the page as the last one; undefined when it does not state it. */
  readonly last: boolean | undefined;
  /** The start of the next page, if the bank does not count pages. */
  readonly cursor?: string;
};

export type ReadPage = PaymentPage | { readonly unavailable: string };

const PAGES_MAX = 1_000;

/**
 * Reads the pages. `read` gets the number of the page from 0, and the cursor of the page before.
 * Payments older than `since` may be left out.
 */
export async function readPages(
  read: (page: number, cursor: string | undefined) => Promise<ReadPage>,
  since: Date,
): Promise<PaymentList> {
  const references: string[] = [];
  let before: PaymentPage | undefined;
  // Whether the list so far is newest first.
  let descends = true;
  for (let number = 0; number < PAGES_MAX; number += 1) {
    const page = await read(number, before?.cursor);
    if ('unavailable' in page) return { kind: 'unavailable', reason: page.unavailable };
    if (page.marks.length > 0 && page.marks.join(' ') === before?.marks.join(' ')) {
      return { kind: 'unavailable', reason: 'the list repeats a page' };
    }
    references.push(...page.references);
    const isEmpty = page.marks.length === 0;
    if (isEmpty && page.last === false) {
      return { kind: 'unavailable', reason: 'an empty page that is not the last' };
    }
    // If the bank does not mark the last page, an empty page is the last.
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

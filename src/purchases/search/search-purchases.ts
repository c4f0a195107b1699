/**
 * Finds purchases of all merchants by any of their values, newest first. Guarantees: a page has
 * every match from its first to its last, final or pending, in `purchase_search` or not. Pages
 * repeat and skip no purchase while others arrive. A page reads a bounded number of rows, however
 * long the history is. If the limit ends a page, the page reports how far it has searched, and the
 * next one continues from there.
 */
import type { Queries, Tx } from '../../db/database.ts';
import { inEachCell } from '../../db/in-each-cell.ts';
import { type FoundPurchase, readFoundPurchases } from './found-purchase-store.ts';
import { findByLateToken, findByReference } from './named-purchase-store.ts';
import { readProgress, readTime } from './progress-store.ts';
import { firstIdAt, type IdSpan, type PurchaseKey, type SearchFilter, spanOf } from './search-filter.ts';
import { findPending, findUnindexedFinal } from './unindexed-store.ts';
import { type WalkLimits, walkIndex, walkLimits } from './walk-store.ts';

export type FoundPage = {
  readonly items: readonly FoundPurchase[];
  /** The next page has the ids below this one; undefined after the last page. */
  readonly before: string | undefined;
  /** Set if purchases before this time were not searched, although the page has room. */
  readonly searchedUntil: Date | undefined;
};

/** The tolerance for a gateway's clock that is ahead of the database's. */
const CLOCKS_APART_MS = 60_000;

type PageRequest = { readonly before: string | undefined; readonly limit: number };

export async function searchPurchases(
  database: Queries,
  filter: SearchFilter,
  page: PageRequest,
  limits = walkLimits,
): Promise<FoundPage> {
  const pages = await inEachCell(
    database,
    async (sql) =>
      await sql.transaction((tx) => searchInSnapshot(tx, filter, page, limits), {
        isolation: 'repeatable read',
        readOnly: true,
      }),
  );
  return mergePages(pages, page.limit);
}

/** The newest purchases of all pages, down to where each of them is complete. */
function mergePages([first, ...others]: readonly FoundPage[], limit: number): FoundPage {
  if (first === undefined) return { items: [], before: undefined, searchedUntil: undefined };
  if (others.length === 0) return first;
  const pages = [first, ...others];
  const floor = highest(
    pages.map(({ before }) => before),
    { atLeast: undefined, before: undefined },
  );
  const items = pages
    .flatMap((page) => page.items)
    .filter(({ id }) => floor === undefined || id >= floor)
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  const shown = items.slice(0, limit);
  const before = items.length > limit ? shown.at(-1)?.id : floor;
  const isSearched = before === undefined || shown.length === limit;
  return { items: shown, before, searchedUntil: isSearched ? undefined : timeOf(before) };
}

/** In a transaction with one snapshot. */
export async function searchInSnapshot(
  tx: Tx,
  filter: SearchFilter,
  page: PageRequest,
  limits = walkLimits,
): Promise<FoundPage> {
  // Each row by its key, whatever the statistics say.
  await tx.query(`
    set local enable_seqscan = off;
    set local enable_hashjoin = off;
    set local enable_mergejoin = off`);
  const span = spanOf(filter, page.before);
  const { keys, floor } = await collectKeys(tx, filter, span, page.limit + 1, limits);
  const wanted = keys.slice(0, page.limit);
  const items = await readFoundPurchases(tx, wanted, filter, span);
  if (keys.length > page.limit) return { items, before: wanted.at(-1)?.id, searchedUntil: undefined };
  if (floor === undefined) return { items, before: undefined, searchedUntil: undefined };
  // The page may begin below the floor while the table is filled.
  const before = page.before !== undefined && page.before < floor ? page.before : floor;
  return { items, before, searchedUntil: timeOf(before) };
}

/** Newest first, all that exist from `floor` up. */
async function collectKeys(
  tx: Tx,
  filter: SearchFilter,
  span: IdSpan,
  wanted: number,
  limits: WalkLimits,
): Promise<{ readonly keys: readonly PurchaseKey[]; readonly floor: string | undefined }> {
  const progress = await readProgress(tx);
  const walked =
    filter.status === 'pending'
      ? { keys: [], floor: undefined }
      : await walkIndex(tx, filter, span, wanted, limits);
  const pending = await findPending(tx, filter, span, wanted);
  const unindexed = await findUnindexedFinal(tx, filter, span, progress, wanted);
  const named = await findNamed(tx, filter, span);
  const old = progress.readFrom === progress.upTo ? undefined : await firstUnsure(tx, progress.readFrom);
  const floor = highest([walked.floor, pending.floor, old], span);
  const found = new Map(
    [...walked.keys, ...pending.keys, ...unindexed, ...named].map((key) => [key.id, key]),
  );
  const keys = [...found.values()]
    .filter(({ id }) => floor === undefined || id >= floor)
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  return { keys, floor };
}

/** They are few, so the filter is applied when they are read. */
async function findNamed(tx: Tx, filter: SearchFilter, span: IdSpan): Promise<PurchaseKey[]> {
  const { reference, token, merchantId } = filter;
  const keys = [
    ...(reference === undefined ? [] : await findByReference(tx, reference, merchantId)),
    ...(token === undefined ? [] : await findByLateToken(tx, token)),
  ];
  return await readKeysWithin(tx, keys, filter, span);
}

async function readKeysWithin(
  tx: Tx,
  keys: readonly PurchaseKey[],
  filter: SearchFilter,
  span: IdSpan,
): Promise<PurchaseKey[]> {
  const ids = new Set((await readFoundPurchases(tx, keys, filter, span)).map(({ id }) => id));
  return keys.filter(({ id }) => ids.has(id));
}

/** Purchases with this id or a higher one became final after the time, if at all. */
async function firstUnsure(tx: Tx, time: string): Promise<string> {
  const at = await readTime(tx, time);
  return firstIdAt(new Date((at?.getTime() ?? 0) + CLOCKS_APART_MS));
}

/** Undefined if everything requested is above. */
function highest(floors: readonly (string | undefined)[], { atLeast }: IdSpan): string | undefined {
  const given = floors.filter((floor) => floor !== undefined).sort();
  const floor = given.at(-1);
  return floor !== undefined && atLeast !== undefined && floor <= atLeast ? undefined : floor;
}

function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

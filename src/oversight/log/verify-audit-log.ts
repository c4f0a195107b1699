/**
 * Verifies the audit log: that each entry is what it was when it was made, and that none is
 * missing, put between or out of order.
 *
 * Guarantees: it reads in slices, each a statement of its own, so no snapshot is held for long. It
 * writes nothing and holds up nobody. What comes while it runs is left to the next time.
 */
import type { Sql } from '../../db/database.ts';
import {
  brokenLinks,
  type ChainLink,
  entrySlice,
  findEntryAt,
  findEntryBound,
  findFirstBroken,
  findHead,
  findLastEntry,
  findLink,
  findLinkBefore,
  findLinkBound,
  LINKS_PER_SLICE,
  linkSlice,
  unlinkedEntries,
} from './audit-chain-store.ts';

/** What is wrong with an entry. `missing_before`: the entry before it is missing. */
export const brokenHows = ['changed', 'missing', 'missing_before', 'put_between', 'order'] as const;

type BrokenEntry = { readonly entryId: bigint; readonly how: (typeof brokenHows)[number] };

export type Verified = {
  /** Entries whose links were followed up to the first broken one. */
  readonly entries: bigint;
  /** The last entry and its hash, to be kept elsewhere. Undefined where there is none. */
  readonly head: ChainLink | undefined;
  readonly broken: BrokenEntry | undefined;
};

type VerifyOptions = {
  /** An entry and its hash as they were kept elsewhere: what follows is verified. */
  readonly from?: { readonly entryId: bigint; readonly hash: string } | undefined;
  readonly rowsPerSlice?: number;
};

/** Nothing keeps an entry that is put between from an id below 1. */
const BEFORE_ENTRIES = -(2n ** 63n);

export async function verifyAuditLog(sql: Sql, options: VerifyOptions = {}): Promise<Verified> {
  const { from, rowsPerSlice = LINKS_PER_SLICE } = options;
  const lastEntry = await findLastEntry(sql);
  const head = await findHead(sql);
  const told = (entries: bigint, broken?: BrokenEntry): Verified => ({ entries, head, broken });
  let start = 0n;
  if (from !== undefined) {
    const link = await findLink(sql, from.entryId);
    if (link === undefined) return told(0n, { entryId: from.entryId, how: 'missing' });
    if (link.hash !== from.hash.toLowerCase()) return told(0n, { entryId: from.entryId, how: 'changed' });
    start = link.position;
  }
  const end = head?.position ?? 0n;
  for (let above = start; above < end; ) {
    const upTo = atMost(await findLinkBound(sql, above, rowsPerSlice), end);
    const found = await findFirstBroken(sql, brokenLinks, linkSlice(above, upTo));
    if (found !== undefined) {
      const position = found.position ?? above;
      return told(position - start - 1n, await explain(sql, { ...found, position }));
    }
    above = upTo;
  }
  for (
    let above: bigint | undefined = from?.entryId ?? BEFORE_ENTRIES;
    above !== undefined && above < lastEntry;
  ) {
    const upTo: bigint = atMost(await findEntryBound(sql, above, rowsPerSlice), lastEntry);
    const found = await findFirstBroken(sql, unlinkedEntries, entrySlice(above, upTo));
    if (found !== undefined) return told(end - start, { entryId: found.entryId, how: 'put_between' });
    above = upTo;
  }
  return told(end - start);
}

function atMost(bound: bigint | undefined, end: bigint): bigint {
  return bound === undefined || bound > end ? end : bound;
}

type Found = { readonly position: bigint; readonly entryId: bigint; readonly how: string };

/** Of a link that was chained to another one than stands before it: where that one is now. */
async function explain(sql: Sql, { position, entryId, how }: Found): Promise<BrokenEntry> {
  if (how === 'changed' || how === 'missing') return { entryId, how };
  if (how !== 'other_before') return { entryId, how: 'missing_before' };
  const before = await findLinkBefore(sql, position);
  if (before === undefined) return { entryId, how: 'missing_before' };
  if (before !== position - 2n) return { entryId, how: 'order' };
  return { entryId: (await findEntryAt(sql, position - 1n)) ?? entryId, how: 'put_between' };
}

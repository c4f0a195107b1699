/**
 * Verifies the audit log: each entry is unchanged, and none is missing, inserted or out of order.
 *
 * Guarantees: it reads in slices, each a separate statement, so no snapshot is held for long. It
 * writes nothing and delays nothing. Entries that arrive while it runs are left to the next run.
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

/** The error of an entry. `missing_before`: the entry before it is missing. */
export const brokenHows = ['changed', 'missing', 'missing_before', 'put_between', 'order'] as const;

type BrokenEntry = { readonly entryId: bigint; readonly how: (typeof brokenHows)[number] };

export type Verified = {
  /** Entries whose links were followed up to the first broken one. */
  readonly entries: bigint;
  /** The last entry and its hash, to be kept elsewhere. Undefined without entries. */
  readonly head: ChainLink | undefined;
  readonly broken: BrokenEntry | undefined;
};

type VerifyOptions = {
  /** An entry and its hash that were kept elsewhere: the entries after it are verified. */
  readonly from?: { readonly entryId: bigint; readonly hash: string } | undefined;
  readonly rowsPerSlice?: number;
};

/** An inserted entry may have an id below 1. */
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

/** The current position of the link that this one was chained to, if that is not the one before. */
async function explain(sql: Sql, { position, entryId, how }: Found): Promise<BrokenEntry> {
  if (how === 'changed' || how === 'missing') return { entryId, how };
  if (how !== 'other_before') return { entryId, how: 'missing_before' };
  const before = await findLinkBefore(sql, position);
  if (before === undefined) return { entryId, how: 'missing_before' };
  if (before !== position - 2n) return { entryId, how: 'order' };
  return { entryId: (await findEntryAt(sql, position - 1n)) ?? entryId, how: 'put_between' };
}

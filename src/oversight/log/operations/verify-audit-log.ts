/**
 * Verifies the audit log: each entry is unchanged, and none is missing, inserted or out of order.
 * It verifies the whole chain, or the part after an entry whose hash was kept.
 *
 * Guarantees: it reads in slices, each a separate statement, so no snapshot is held for long. It
 * writes nothing and delays nothing. Entries that arrive while it runs are left to the next run.
 */
import { Type } from 'typebox';
import { OperationError } from '../../../core/errors.ts';
import { nullable } from '../../../core/nullable.ts';
import { defineOperation, supportersAndTreasurers } from '../../../core/operation.ts';
import { inputOf, oneOf } from '../../../core/operation-fields.ts';
import type { Sql } from '../../../db/database.ts';
import type { Asking } from '../acting.ts';
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
} from '../audit-chain-store.ts';

/** The error of an entry. `missing_before`: the entry before it is missing. */
const brokenHows = ['changed', 'missing', 'missing_before', 'put_between', 'order'] as const;

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

/** The present position of the link that this one was chained to, if that is not the one before. */
async function explain(sql: Sql, { position, entryId, how }: Found): Promise<BrokenEntry> {
  if (how === 'changed' || how === 'missing') return { entryId, how };
  if (how !== 'other_before') return { entryId, how: 'missing_before' };
  const before = await findLinkBefore(sql, position);
  if (before === undefined) return { entryId, how: 'missing_before' };
  if (before !== position - 2n) return { entryId, how: 'order' };
  return { entryId: (await findEntryAt(sql, position - 1n)) ?? entryId, how: 'put_between' };
}

export const verifyAuditLogOperation = defineOperation({
  name: 'audit_log.verify',
  kind: 'question',
  summary:
    'verify that no entry of the audit log was changed, removed, inserted or moved; ' +
    'else show the first broken entry',
  roles: supportersAndTreasurers,
  route: 'GET /audit-log/verification',
  isLong: true,
  document: 'operators/audit-log.md',
  input: inputOf({
    entry: Type.Optional(
      Type.String({
        description: 'the id of an entry whose hash was kept: what follows it is verified',
        pattern: '^[0-9]{1,18}$',
      }),
    ),
    hash: Type.Optional(
      Type.String({
        description: 'the hash of that entry, 64 digits and letters from a to f',
        pattern: '^[0-9a-fA-F]{64}$',
      }),
    ),
  }),
  output: Type.Object({
    ok: Type.Boolean(),
    entries: Type.String(),
    /** Keep it outside this machine. */
    head: nullable(Type.Object({ entry: Type.String(), hash: Type.String() })),
    broken: nullable(Type.Object({ entry: Type.String(), how: oneOf(brokenHows) })),
  }),
  run: async ({ sql }: Asking, { entry, hash }) => {
    const { entries, head, broken } = await verifyAuditLog(sql, { from: keptOf(entry, hash) });
    return {
      ok: broken === undefined,
      entries: String(entries),
      head: head === undefined ? null : { entry: String(head.entryId), hash: head.hash },
      broken: broken === undefined ? null : { entry: String(broken.entryId), how: broken.how },
    };
  },
});

/** Both or none. */
function keptOf(
  entry: string | undefined,
  hash: string | undefined,
): { readonly entryId: bigint; readonly hash: string } | undefined {
  if (entry === undefined && hash === undefined) return undefined;
  if (entry !== undefined && hash !== undefined) return { entryId: BigInt(entry), hash };
  const field = entry === undefined ? 'entry' : 'hash';
  const fault = { field, kind: 'missing', wanted: 'given with the other of the two' } as const;
  throw new OperationError({ code: 'input_malformed', errors: [fault] });
}

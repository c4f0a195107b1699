/**
 * The SQL of a commit: what is to be accepted and what is to be resolved, in one statement and so
 * in one transaction.
 *
 * Both functions are given all the wallets of the two: the first locks them in account order, and
 * the second finds them locked.
 */
import type { Sql } from '../../db/database.ts';
import { RecordEncoder } from '../../db/record-types.ts';
import {
  type AcceptItem,
  type AcceptRow,
  type AcceptVerdict,
  acceptItem,
  toAcceptRow,
  toAcceptVerdict,
} from './accept-store.ts';
import {
  type ResolveItem,
  type ResolveRow,
  type ResolveVerdict,
  resolveItem,
  toResolveRow,
  toResolveVerdict,
  transferItem,
} from './resolve-store.ts';

type CommitRow = ({ kind: 'resolve' } & ResolveRow) | ({ kind: 'accept' } & AcceptRow);

const commitVendsStatement = {
  name: 'commit_vends',
  // Resolves first: the money they release can pay for what is accepted with them.
  text: `
    select 'resolve' as kind, ordinal, verdict, null::uuid as vend_id, status
    from resolve_vends($1, $2)
    union all
    select 'accept', ordinal, verdict, vend_id, status
    from accept_vends($3, $2, $4)`,
};

/** What `commitVends` encodes batches with, for this database. */
export async function openBatchEncoder(sql: Sql): Promise<RecordEncoder> {
  return await RecordEncoder.open(sql, [transferItem, acceptItem, resolveItem]);
}

export type CommittedVends = {
  readonly accepts: readonly AcceptVerdict[];
  readonly resolves: readonly ResolveVerdict[];
};

/** Verdicts in the order of the items. */
export async function commitVends(
  sql: Sql,
  encoder: RecordEncoder,
  batch: { readonly accepts: readonly AcceptItem[]; readonly resolves: readonly ResolveItem[] },
  owner: string,
): Promise<CommittedVends> {
  const wallets = new Set([...batch.accepts, ...batch.resolves].map((item) => item.walletId));
  const encodedResolves = encoder.encode(resolveItem, batch.resolves.map(toResolveRow));
  const encodedAccepts = encoder.encode(acceptItem, batch.accepts.map(toAcceptRow));
  const rows = await sql.query<CommitRow>(commitVendsStatement, [
    encodedResolves.bytes,
    [...wallets],
    encodedAccepts.bytes,
    owner,
  ]);
  // Not of a statement that failed: nobody knows what of it is still to be sent.
  encodedResolves.release();
  encodedAccepts.release();
  const accepts: AcceptVerdict[] = [];
  const resolves: ResolveVerdict[] = [];
  for (const row of rows) {
    if (row.kind === 'accept') accepts[row.ordinal - 1] = toAcceptVerdict(row);
    else resolves[row.ordinal - 1] = toResolveVerdict(row);
  }
  return { accepts, resolves };
}

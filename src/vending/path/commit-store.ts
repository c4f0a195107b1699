/**
 * The SQL of a commit: what is to be accepted and what is to be resolved, in one statement and so
 * in one transaction.
 *
 * Both functions are given all the wallets of the two: the first locks them in account order, and
 * the second finds them locked.
 */
import type { Sql } from '../../db/database.ts';
import {
  type AcceptItem,
  type AcceptRow,
  type AcceptVerdict,
  toAcceptRecord,
  toAcceptVerdict,
} from './accept-store.ts';
import {
  type ResolveItem,
  type ResolveRow,
  type ResolveVerdict,
  toResolveRecord,
  toResolveVerdict,
} from './resolve-store.ts';

type CommitRow = ({ kind: 'resolve' } & ResolveRow) | ({ kind: 'accept' } & AcceptRow);

const commitVendsStatement = {
  name: 'commit_vends',
  // Resolves first: the money they release can pay for what is accepted with them.
  text: `
    select 'resolve' as kind, ordinal, verdict, null::uuid as vend_id, status
    from resolve_vends(array(select item::resolve_item from json_array_elements_text($1) as item), $2)
    union all
    select 'accept', ordinal, verdict, vend_id, status
    from accept_vends(array(select item::accept_item from json_array_elements_text($3) as item), $2, $4)`,
};

/**
 * Those of the wallets that nobody holds now. It waits for none, and what it locks is free again
 * when it returns.
 */
export async function findFreeWallets(sql: Sql, wallets: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const rows = await sql.query<{ account_id: bigint }>(
    {
      name: 'find_free_wallets',
      text: `
        select account_id
        from wallet_owners
        where account_id = any($1)
        for update skip locked`,
    },
    [wallets],
  );
  return new Set(rows.map((row) => row.account_id));
}

export type CommittedVends = {
  readonly accepts: readonly AcceptVerdict[];
  readonly resolves: readonly ResolveVerdict[];
};

/** Verdicts in the order of the items. */
export async function commitVends(
  sql: Sql,
  batch: { readonly accepts: readonly AcceptItem[]; readonly resolves: readonly ResolveItem[] },
  owner: string,
): Promise<CommittedVends> {
  const wallets = new Set([...batch.accepts, ...batch.resolves].map((item) => item.walletId));
  const rows = await sql.query<CommitRow>(commitVendsStatement, [
    JSON.stringify(batch.resolves.map(toResolveRecord)),
    [...wallets],
    JSON.stringify(batch.accepts.map(toAcceptRecord)),
    owner,
  ]);
  const accepts: AcceptVerdict[] = [];
  const resolves: ResolveVerdict[] = [];
  for (const row of rows) {
    if (row.kind === 'accept') accepts[row.ordinal - 1] = toAcceptVerdict(row);
    else resolves[row.ordinal - 1] = toResolveVerdict(row);
  }
  return { accepts, resolves };
}

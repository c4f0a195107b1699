/** SQL of transfers and of the balances they move. */

import type { Tx } from '../../db/database.ts';
import type { Transfer } from './chart-of-accounts.ts';

/**
 * Locks those of the accounts that are wallets and returns their ids. Every path that moves a
 * wallet's money locks first, in account order, so that no two of them deadlock.
 */
export async function lockWallets(tx: Tx, accountIds: readonly bigint[]): Promise<Set<bigint>> {
  const rows = await tx.query<{ account_id: bigint }>(
    `select account_id
     from wallet_owners
     where account_id = any($1::bigint[])
     order by account_id
     for update`,
    [accountIds],
  );
  return new Set(rows.map((row) => row.account_id));
}

export async function insertTransfers(
  tx: Tx,
  subject: { readonly merchantId: number; readonly subjectId: string; readonly memo: string | undefined },
  transfers: readonly Transfer[],
): Promise<void> {
  await tx.query(
    `insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount, memo)
     select $1::integer, $2::uuid, t.code, t.debit, t.credit, t.amount, $3::text
     from unnest($4::text[], $5::bigint[], $6::bigint[], $7::bigint[]) as t(code, debit, credit, amount)`,
    [
      subject.merchantId,
      subject.subjectId,
      subject.memo ?? '',
      transfers.map((transfer) => transfer.code),
      transfers.map((transfer) => transfer.debit),
      transfers.map((transfer) => transfer.credit),
      transfers.map((transfer) => transfer.amount),
    ],
  );
}

/** Adds to the posted balances of wallets, by account. The wallets must be locked. */
export async function moveWallets(tx: Tx, deltas: ReadonlyMap<bigint, bigint>): Promise<void> {
  await tx.query(
    `insert into wallet_states
     select n.*
     from unnest($1::bigint[], $2::bigint[]) as d(account_id, delta)
     cross join lateral next_wallet_state(d.account_id, d.delta, 0) n`,
    [[...deltas.keys()], [...deltas.values()]],
  );
}

/**
 * Stores the movements of house accounts as deltas for the roll-up, so that no transaction waits
 * for the rows of these accounts.
 */
export async function insertHouseDeltas(tx: Tx, deltas: ReadonlyMap<bigint, bigint>): Promise<void> {
  await tx.query(
    `insert into house_deltas (account_id, delta)
     select account_id, delta
     from unnest($1::bigint[], $2::bigint[]) as d(account_id, delta)`,
    [[...deltas.keys()], [...deltas.values()]],
  );
}

/**
 * Adds up to `limit` unlocked deltas above an id to the checkpoints. Returns their number and their
 * highest id.
 */
export async function consumeHouseDeltas(
  tx: Tx,
  above: bigint,
  limit: number,
): Promise<{ readonly consumed: number; readonly reached: bigint | undefined }> {
  const [row] = await tx.query<{ consumed: bigint; reached: bigint | null }>(
    `with taken as (
       -- Joined by their row addresses, which cannot change while they are locked. Joined by id, a
       -- planner with statistics of an empty table compares each with each.
       delete from house_deltas
       where ctid = any(array(
         select ctid
         from house_deltas
         where id > $1
         order by id
         limit $2
         for update skip locked
       ))
       returning id, account_id, delta
     ),
     -- In account order: two roll-ups wait for each other's checkpoints without a deadlock.
     rolled as (
       insert into house_balances as b (account_id, balance)
       select account_id, sum(delta)::bigint
       from taken
       group by account_id
       order by account_id
       on conflict (account_id) do update
       set balance = b.balance + excluded.balance, rolled_up_at = now()
     )
     select count(*) as consumed, max(id) as reached
     from taken`,
    [above, limit],
  );
  return { consumed: Number(row?.consumed ?? 0n), reached: row?.reached ?? undefined };
}

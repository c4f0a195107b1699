/** SQL of transfers and of the balances they move. */

import type { Tx } from '../../db/database.ts';
import type { Posting } from './post-transfers.ts';

/**
 * Locks those of the accounts that are wallets of the merchant, and returns their ids. Every path
 * that moves a wallet's money locks first, in account order, so that no two of them deadlock.
 */
export async function lockWallets(
  tx: Tx,
  merchantId: number,
  accountIds: readonly bigint[],
): Promise<readonly bigint[]> {
  const rows = await tx.query<{ account_id: bigint }>(
    `select account_id
     from wallet_owners
     where merchant_id = $1
     and account_id = any($2::bigint[])
     order by account_id
     for update`,
    [merchantId, accountIds],
  );
  return rows.map((row) => row.account_id);
}

/**
 * Posts transfers: moves the wallet, which must be locked, and stores the movements of house
 * accounts as deltas for the roll-up, so that no transaction waits for the rows of these accounts.
 */
export async function insertTransfers(
  tx: Tx,
  walletId: bigint | undefined,
  { merchantId, subjectId, memo, transfers }: Posting,
): Promise<void> {
  await tx.query('select post_transfers($1, $2, $3, $4, $5)', [
    merchantId,
    walletId,
    subjectId,
    memo,
    JSON.stringify(
      transfers.map(({ code, debit, credit, amount }) => ({
        code,
        debit: String(debit),
        credit: String(credit),
        amount: String(amount),
      })),
    ),
  ]);
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

/** SQL that deletes old states of wallets. The newest state of a wallet is its balance. */
import type { Sql } from '../../db/database.ts';

/** Up to which of a wallet's states all are deleted. */
export type PrunedWallet = { readonly walletId: bigint; readonly upTo: bigint };

/**
 * The ids of the next wallets after one, and up to where each was pruned last. Of a wallet that was
 * not pruned by this process, the place before its oldest state.
 */
const pruneStatement = {
  name: 'prune_wallet_states',
  text: `
    with wallet as materialized (
      select
        o.account_id,
        coalesce(
          p.up_to,
          (
            select s.seq - 1
            from wallet_states s
            where s.wallet_id = o.account_id
            order by s.seq
            limit 1
          )
        ) as pruned,
        n.seq as newest
      from (
        select account_id
        from wallet_owners
        where account_id > $1
        order by account_id
        limit $2
      ) o
      left join unnest($3::bigint[], $4::bigint[]) as p(account_id, up_to) on p.account_id = o.account_id
      cross join lateral wallet_state(o.account_id) n
    ),
    slice as materialized (
      select account_id, pruned, greatest(least(newest - $5, pruned + $6), pruned) as up_to
      from wallet
    ),
    gone as (
      delete from wallet_states s
      using slice
      where slice.up_to > slice.pruned
      and s.wallet_id = slice.account_id
      and s.seq > slice.pruned
      and s.seq <= slice.up_to
    )
    select account_id as "walletId", up_to as "upTo"
    from slice
    order by account_id`,
};

/**
 * Deletes old states of up to `walletsMax` wallets after `after`, and returns how far each of them
 * is pruned. Each keeps its newest `kept`, and loses at most `statesMax`.
 */
export async function pruneWalletStates(
  sql: Sql,
  slice: {
    readonly after: bigint;
    readonly walletsMax: number;
    readonly pruned: ReadonlyMap<bigint, bigint>;
    readonly kept: number;
    readonly statesMax: number;
  },
): Promise<PrunedWallet[]> {
  return await sql.query<PrunedWallet>(pruneStatement, [
    slice.after,
    slice.walletsMax,
    [...slice.pruned.keys()],
    [...slice.pruned.values()],
    slice.kept,
    slice.statesMax,
  ]);
}

/** The merchants of a run, and what the databases say of their purchases and wallets afterwards. */
import type { Sql } from '../../src/db/database.ts';
import { providers, type Seller } from '../ten-million/sellers.ts';

export const FUNDED = 1_000_000_000_00n;

/** Each with one wallet for live purchases. */
export async function createSellers(sql: Sql, count: number): Promise<Seller[]> {
  const house = await sql.query<{ id: bigint; code: string }>(
    `insert into accounts (code, kind, environment, currency)
     select code, 'house', 'live', 'NGN'
     from unnest($1::text[]) as code
     returning id, code`,
    [['revenue', ...providers.live.map(([provider]) => provider)]],
  );
  const houseIds = new Map(house.map(({ id, code }) => [code, id]));
  const merchants = await sql.query<{ id: number; code: string }>(
    `insert into merchants (code, name)
     select 'SHOP-' || n, 'Shop ' || n
     from generate_series(1, $1::integer) as n
     returning id, code`,
    [count],
  );
  const wallets = await sql.query<{ id: bigint; merchantId: number }>(
    `insert into accounts (code, kind, environment, currency, merchant_id)
     select 'wallet-' || id, 'wallet', 'live', 'NGN', id
     from unnest($1::integer[]) as id
     returning id, merchant_id as "merchantId"`,
    [merchants.map(({ id }) => id)],
  );
  const owners = wallets.map(({ id, merchantId }) => `(${id}, ${merchantId}, 'live', 'NGN')`);
  await sql.query(
    `insert into wallet_owners (account_id, merchant_id, environment, currency) values ${owners.join()}`,
  );
  const states = wallets.map(({ id, merchantId }) => `(${id}, ${merchantId}, 1, ${FUNDED}, 0, 0)`);
  await sql.query(
    `insert into wallet_states (wallet_id, merchant_id, seq, posted, held, floor) values ${states.join()}`,
  );
  const codes = new Map(merchants.map(({ id, code }) => [id, code]));
  return wallets.map(({ id, merchantId }) => ({
    merchantId,
    code: codes.get(merchantId) ?? '',
    environment: 'live',
    walletId: id,
    credentialId: 'none',
    discount: 100,
    floats: houseIds,
    revenueId: houseIds.get('revenue') ?? 0n,
  }));
}

export type WalletBooks = {
  readonly walletId: bigint;
  readonly posted: bigint;
  readonly held: bigint;
  readonly spent: bigint;
  readonly pending: bigint;
  readonly stored: number;
};

/** The books of each wallet: its state beside its transfers and pending purchases. */
export async function readBooks(sql: Sql): Promise<WalletBooks[]> {
  return await sql.query<WalletBooks>(`
    select
      w.account_id as "walletId",
      w.posted,
      w.held,
      coalesce((
        select sum(t.amount)
        from transfers t
        where t.merchant_id = o.merchant_id
        and t.debit_account_id = w.account_id
      ), 0)::bigint as spent,
      coalesce((
        select sum(p.charge)
        from pending_purchases p
        where p.merchant_id = o.merchant_id
        and p.wallet_id = w.account_id
      ), 0)::bigint as pending,
      (
        select count(*)::integer
        from purchases p
        where p.merchant_id = o.merchant_id
        and p.wallet_id = w.account_id
      ) as stored
    from wallets w
    join wallet_owners o on o.account_id = w.account_id`);
}

export async function countPurchases(coordinator: Sql): Promise<number> {
  const [row] = await coordinator.query<{ count: number }>(
    'select count(*)::integer as count from purchases',
  );
  return row?.count ?? 0;
}

/** Ends every other connection to the database, as the death of its server would. */
export async function endConnections(sql: Sql): Promise<number> {
  const rows = await sql.query(`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database()
    and pid <> pg_backend_pid()
    and application_name = 'oja bench'`);
  return rows.length;
}

/** Reads the current balances of house accounts: checkpoints and deltas. */
import type { Sql } from '../../src/db/database.ts';

/** Credits less debits in minor units, by account code. Accounts at zero are left out. */
export async function houseBalances(sql: Sql): Promise<Readonly<Record<string, bigint>>> {
  const rows = await sql.query<{ code: string; balance: bigint }>(
    `select a.code, sum(b.balance)::bigint as balance
     from accounts a
     join (
       select account_id, balance from house_balances
       union all
       select account_id, delta from house_deltas
     ) b on b.account_id = a.id
     group by a.code
     having sum(b.balance) <> 0
     order by a.code`,
  );
  return Object.fromEntries(rows.map(({ code, balance }) => [code, balance]));
}

/** The books of a drawn day: its transfers summed by account, and how its purchases ended. */
import { createTestDatabase } from '../support/database.ts';
import { playDay } from '../support/played-day.ts';

export type DrawnBooks = {
  /** Debits and credits in minor units, by the account's code. */
  readonly accounts: Readonly<Record<string, { readonly debits: string; readonly credits: string }>>;
  readonly purchases: Readonly<Record<string, string>>;
};

/** The same seed makes the same day. */
export async function playDrawnDay(seed: number): Promise<DrawnBooks> {
  await using test = await createTestDatabase();
  const { database } = test;
  await playDay(database, { day: '2026-11-20', purchases: 300, seed });
  const accounts = await database.query<{ code: string; debits: string; credits: string }>(
    `select a.code,
       coalesce(sum(t.amount) filter (where t.debit_account_id = a.id), 0)::text as debits,
       coalesce(sum(t.amount) filter (where t.credit_account_id = a.id), 0)::text as credits
     from accounts a
     join transfers t on a.id in (t.debit_account_id, t.credit_account_id)
     group by a.code
     order by a.code`,
  );
  const purchases = await database.query<{ status: string; count: string }>(
    `select coalesce(o.status::text, 'pending') as status, count(*)::text as count
     from purchases v
     left join purchase_outcomes o on o.merchant_id = v.merchant_id and o.purchase_id = v.id
     group by 1
     order by 1`,
  );
  return {
    accounts: Object.fromEntries(accounts.map(({ code, ...sums }) => [code, sums])),
    purchases: Object.fromEntries(purchases.map(({ status, count }) => [status, count])),
  };
}

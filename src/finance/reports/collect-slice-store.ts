/**
 * SQL that collects a slice of the purchases of other servers in temporary tables, under the names
 * of their tables. They exist until the transaction ends, and the functions of the roll-up read
 * them instead.
 */
import type { Tx } from '../../db/database.ts';

const ofOutcomes = (table: string): string => `
  select t.*
  from public.purchase_outcomes o
  join public.${table} t
    on t.merchant_id = o.merchant_id
    and t.purchase_id = o.purchase_id
  where o.at >= $1
  and o.at < $2`;

/** What each table needs: for the outcomes of the slice, and for its transfers. */
const sources: readonly (readonly [table: string, select: string])[] = [
  ['purchase_outcomes', 'select * from public.purchase_outcomes where at >= $1 and at < $2'],
  [
    'purchases',
    `select p.*
     from public.purchase_outcomes o
     join public.purchases p
       on p.merchant_id = o.merchant_id
       and p.id = o.purchase_id
     where o.at >= $1
     and o.at < $2`,
  ],
  ['further_answers', ofOutcomes('further_answers')],
  ['attempts', ofOutcomes('attempts')],
  ['provider_answers', ofOutcomes('provider_answers')],
  ['transfers', 'select * from public.transfers where created_at >= $1 and created_at < $2'],
  [
    'purchase_refunds',
    `select r.*
     from public.transfers t
     join public.purchase_refunds r
       on r.merchant_id = t.merchant_id
       and r.refund_id = t.subject_id
     where t.created_at >= $1
     and t.created_at < $2`,
  ],
];

/** Citus plans no function with parameters that names a table of every server. */
const accounts = [
  'accounts',
  `select a.*
   from public.accounts a
   where $1::timestamptz <= $2::timestamptz
   and a.id in (
     select wallet_id from pg_temp.purchases
     union all
     select debit_account_id from pg_temp.transfers
   )`,
] as const;

/** The purchases of refunds that are not in the slice, because they became final before it. */
const refundedEarlier = `
  select merchant_id as "merchantId", purchase_id as "purchaseId"
  from pg_temp.purchase_refunds r
  where not exists (
    select
    from pg_temp.purchases p
    where p.merchant_id = r.merchant_id
    and p.id = r.purchase_id
  )`;

const earlier = [
  `insert into pg_temp.purchase_outcomes
   select *
   from public.purchase_outcomes
   where merchant_id = any($1::integer[])
   and purchase_id = any($2::uuid[])`,
  `insert into pg_temp.purchases
   select *
   from public.purchases
   where merchant_id = any($1::integer[])
   and id = any($2::uuid[])`,
];

/** The roll-up must be locked. The slice is that of `rollUpSlice`, which follows. */
export async function collectSlice(tx: Tx, until: Date, seconds: number): Promise<void> {
  const [bounds] = await tx.query<{ from: string; to: string }>(
    `select
       max(at)::text as from,
       case
         when max(at) = '-infinity' then $1::timestamptz
         else least($1::timestamptz, max(at) + $2 * interval '1 second' + interval '1 millisecond')
       end::text as to
     from roll_up_checkpoints`,
    [until, seconds],
  );
  if (bounds === undefined) return;
  const { from, to } = bounds;
  const collect = async ([table, select]: readonly [string, string]): Promise<void> => {
    await tx.query(`create temporary table ${table} on commit drop as select * from public.${table} limit 0`);
    await tx.query(`insert into pg_temp.${table} ${select}`, [from, to]);
  };
  for (const source of sources) await collect(source);
  const refunds = await tx.query<{ merchantId: number; purchaseId: string }>(refundedEarlier);
  if (refunds.length > 0) {
    const ids = [refunds.map(({ merchantId }) => merchantId), refunds.map(({ purchaseId }) => purchaseId)];
    for (const statement of earlier) await tx.query(statement, ids);
  }
  await collect(accounts);
}

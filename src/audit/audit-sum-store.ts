/**
 * Sums of the audit. One short transaction, the cut, reads the balances of one moment. The history
 * is then summed in slices, each in a transaction of its own, and only the rows that the cut saw
 * count.
 *
 * The transaction that inserted a row shows whether the cut saw it, because transfers, purchases
 * and outcomes never change (audit-table-sum-store.ts handles tables that do). Rows older than an
 * hour at the cut were committed long before: no transaction that inserts them lasts that long.
 */
import type { Sql } from '../db/database.ts';
import { conditionOf, type PurchaseRange, valuesOf } from './audit-slice-store.ts';

/** The balances of one moment, as JSON that PostgreSQL wrote and reads again. */
export type Cut = {
  /** The snapshot of the cut. */
  readonly snapshot: string;
  readonly at: Date;
  readonly wallets: string;
  readonly house: string;
  readonly counts: string;
  /** The numbers of pending purchases. */
  readonly pending: string;
  /** The end of the audit log's chain; null if the log is empty. */
  readonly auditLog: string | null;
};

export type Sums = {
  /** By account: credits less debits, and debits only. */
  readonly moved: Map<bigint, { moved: bigint; debited: bigint }>;
  /** By merchant, environment, network and status, as JSON. */
  readonly purchases: Map<string, bigint>;
};

const wallets = `
  select json_agg(json_build_object('account_id', w.account_id, 'posted', w.posted))
  from wallets w`;

const counts = `
  select json_agg(c)
  from (
    select merchant_id, environment, network, status, sum(count) as count
    from (
      select merchant_id, environment, network, status, count
      from purchase_counts
      union all
      select merchant_id, environment, network, status, count
      from purchase_count_deltas
    ) parts
    group by merchant_id, environment, network, status
  ) c`;

const pending = `
  select json_agg(p)
  from (
    select merchant_id, environment, count(*) as purchases
    from pending_purchases
    group by merchant_id, environment
  ) p`;

const deltas = 'select account_id, delta as balance from house_deltas';
const balances = `select account_id, balance from house_balances union all ${deltas}`;

function houseOf(parts: string): string {
  return `
  select json_agg(h)
  from (
    select account_id, sum(balance) as balance
    from (${parts}) parts
    group by account_id
  ) h`;
}

const auditLog = `
  select json_build_object('position', position::text, 'entryId', entry_id::text, 'hash', encode(hash, 'hex'))
  from audit_log_chain
  order by position desc
  limit 1`;

/** What a cut of some tables reads; nothing of the others. */
const nothing = 'select null::json';
const parts = {
  whole: { wallets, house: houseOf(balances), counts, pending, auditLog },
  cell: { wallets, house: houseOf(deltas), counts, pending, auditLog: nothing },
  coordinator: {
    wallets: nothing,
    house: houseOf(balances),
    counts: nothing,
    pending: nothing,
    auditLog,
  },
};

/**
 * Reads the cut in one snapshot: balances, counters and pending purchases, and no history. Reads
 * only the tables of a cell, or of the coordinator, if they are on different servers.
 */
export async function readCut(sql: Sql, of: keyof typeof parts = 'whole'): Promise<Cut> {
  const part = parts[of];
  const [cut] = await sql.query<Cut>(`
    select
      pg_current_snapshot()::text as snapshot,
      now() as at,
      coalesce((${part.wallets}), '[]')::text as wallets,
      coalesce((${part.house}), '[]')::text as house,
      coalesce((${part.counts}), '[]')::text as counts,
      coalesce((${part.pending}), '[]')::text as pending,
      (${part.auditLog})::text as "auditLog"`);
  if (cut === undefined) throw new Error('a select without a table gives a row');
  return cut;
}

/** Joins the balances of the cells and of the coordinator. The moment is the coordinator's. */
export function joinCuts(coordinator: Cut, cells: readonly Cut[]): Cut {
  const join = (of: (cut: Cut) => string): string =>
    `[${[coordinator, ...cells]
      .map((cut) => of(cut).trim().slice(1, -1))
      .filter((rows) => rows.trim() !== '')
      .join()}]`;
  return {
    ...coordinator,
    wallets: join((cut) => cut.wallets),
    house: join((cut) => cut.house),
    counts: join((cut) => cut.counts),
    pending: join((cut) => cut.pending),
  };
}

/** Adds the transfers and purchases of a slice that the cut saw. */
export async function addSlice(sql: Sql, cut: Cut, range: PurchaseRange, sums: Sums): Promise<void> {
  const values = valuesOf(range);
  const seen = seenBy(values.length + 1);
  const among = (subject: string, time: string): string => `${conditionOf(range, subject)} and ${seen(time)}`;
  await addUp(sql, among, [...values, cut.at, cut.snapshot], sums);
}

/** Returns the condition of the rows to sum, from the columns of their subject and time. */
type Among = (subjectColumn: string, timeColumn: string) => string;

async function addUp(sql: Sql, among: Among, values: readonly unknown[], sums: Sums): Promise<void> {
  const transfers = await sql.query<{ account_id: bigint; moved: bigint; debited: bigint }>(
    `with t as materialized (
       select debit_account_id, credit_account_id, amount
       from transfers
       where ${among('subject_id', 'created_at')}
     )
     select account_id, sum(amount - debited)::bigint as moved, sum(debited)::bigint as debited
     from (
       select credit_account_id as account_id, amount, 0::bigint as debited
       from t
       union all
       select debit_account_id, 0, amount
       from t
     ) as legs
     group by account_id`,
    values,
  );
  for (const { account_id, moved, debited } of transfers) {
    const sum = sums.moved.get(account_id) ?? { moved: 0n, debited: 0n };
    sums.moved.set(account_id, { moved: sum.moved + moved, debited: sum.debited + debited });
  }
  const purchases = await sql.query<{ key: string; purchases: bigint }>(
    `with v as materialized (
       select merchant_id, environment, network, id
       from purchases
       where ${among('id', 'created_at')}
     ),
     o as materialized (
       select merchant_id, purchase_id, status
       from purchase_outcomes
       where ${among('purchase_id', 'at')}
     )
     select
       json_build_object('merchant_id', merchant_id, 'environment', environment, 'network', network, 'status', status)::text as key,
       count(*) as purchases
     from (
       select merchant_id, environment, network, 'accepted' as status
       from v
       union all
       select o.merchant_id, v.environment, v.network, o.status
       from o
       join v
         on v.merchant_id = o.merchant_id
         and v.id = o.purchase_id
     ) as counted
     group by merchant_id, environment, network, status`,
    values,
  );
  for (const { key, purchases: count } of purchases)
    sums.purchases.set(key, (sums.purchases.get(key) ?? 0n) + count);
}

/**
 * Returns a condition that is true for rows that the cut saw. A row has the lower half of the id of
 * its transaction: the full id is the one nearest to the cut's. Changes of the current transaction,
 * as tests of the audit make them, are seen too.
 */
export function seenBy(place: number): (timeColumn: string, transaction?: string) => string {
  const next = `pg_snapshot_xmax($${place + 1}::text::pg_snapshot)::text::bigint`;
  const whole = (transaction: string): string =>
    `(${next} + (${transaction}::text::bigint - (${next} & 4294967295) + 6442450944) % 4294967296 - 2147483648)::text::xid8`;
  return (timeColumn, transaction = 'xmin') => `(
    ${timeColumn} < $${place}::timestamptz - interval '1 hour'
    or pg_visible_in_snapshot(${whole(transaction)}, $${place + 1}::text::pg_snapshot)
    or ${whole(transaction)} = pg_current_xact_id_if_assigned()
  )`;
}

/**
 * The slices of the audit: parts of the history, each read in a short transaction of its own. A
 * check runs unchanged on a slice, because parts of the tables hide the tables under the same
 * names.
 *
 * Guarantees: the slices of a walk cover every possible key once, also rows that belong to no
 * purchase. All rows of a purchase are in one slice. audit-bound-store.ts decides the size of a
 * slice.
 */

import { greatestId } from '../core/ids.ts';
import type { Sql, Tx } from '../db/database.ts';

/** Common table expressions that hide tables of the same names, with their parameters. */
export type Slice = { readonly tables: readonly string[]; readonly values: readonly unknown[] };

/** A part of the keys (merchant, purchase). */
export type PurchaseRange =
  | { readonly kind: 'merchants'; readonly above: number; readonly upTo: number }
  | {
      readonly kind: 'purchases';
      readonly merchantId: number;
      readonly above: string;
      /** Undefined for all later ones. */
      readonly upTo: string | undefined;
    };

/** Tables that are read in slices, with the column of the purchase or subject. */
export const slicedTables = {
  purchases: 'id',
  pending_purchases: 'purchase_id',
  attempts: 'purchase_id',
  provider_answers: 'purchase_id',
  purchase_outcomes: 'purchase_id',
  transfers: 'subject_id',
  purchase_goods: 'purchase_id',
  sealed_goods: 'purchase_id',
  pending_fulfilments: 'purchase_id',
  deliveries: 'purchase_id',
  alarms: 'purchase_id',
  voucher_redemptions: 'purchase_id',
  purchase_refunds: 'purchase_id',
  capped_purchases: 'purchase_id',
  balance_evidence: 'purchase_id',
} as const;

export function sliceOf(range: PurchaseRange): Slice {
  const { transfers, ...others } = slicedTables;
  const sliced = ([table, column]: readonly [string, string]): string =>
    `${table} as (select * from ${table} where ${conditionOf(range, column)})`;
  const subjectsOf = (codes: string): string =>
    `(select distinct merchant_id, subject_id as id from transfers where code like '${codes}')`;
  return {
    // An expression that names a table before it is hidden sees the whole table, by key.
    tables: [
      'all_transfers as not materialized (select * from transfers)',
      sliced(['transfers', transfers]),
      `voucher_subjects as ${subjectsOf('voucher%')}`,
      // Subjects of vouchers are not in the order of purchases.
      redemptionsOf('voucher_subjects'),
      refundsOf(subjectsOf('%refund')),
      ...Object.entries(others).map(sliced),
      `slice_vouchers as (
         select merchant_id, id
         from voucher_subjects
         union
         select merchant_id, voucher_id
         from voucher_redemptions
         union
         select merchant_id, id
         from (${lookUp('vouchers', 'voucher_subjects', 'merchant_id = k.merchant_id and issue_id = k.id')}) i
       )`,
      `vouchers as (${lookUp('vouchers', 'slice_vouchers', 'merchant_id = k.merchant_id and id = k.id')})`,
      `deposits as (${lookUp('deposits', subjectsOf('deposit%'), 'id = k.id')})`,
      `float_movements as (${lookUp('float_movements', subjectsOf('float%'), 'id = k.id')})`,
      `deposit_assignments as (${lookUp('deposit_assignments', subjectsOf('deposit%'), 'deposit_id = k.id')})`,
      `audit_log as (${lookUp('audit_log', subjectsOf('correction'), "subject = 'correction:' || k.id")})`,
    ],
    values: valuesOf(range),
  };
}

/**
 * Looks up the rows of a table by key for each row of `keys`. `offset 0` keeps the planner from
 * choosing another join.
 */
function lookUp(table: string, keys: string, condition: string): string {
  return `select t.*
       from ${keys} k
       cross join lateral (
         select *
         from ${table}
         where ${condition}
         offset 0
       ) t`;
}

/** Builds `all_redemptions`: the redemptions of some subjects of transfers. */
function redemptionsOf(subjects: string): string {
  return `all_redemptions as (
         ${lookUp('voucher_redemptions', subjects, 'merchant_id = k.merchant_id and redeem_id = k.id')}
         union all
         ${lookUp('voucher_redemptions', subjects, 'merchant_id = k.merchant_id and settle_id = k.id')}
       )`;
}

/** Builds `all_refunds`: the refunds of some subjects of transfers. */
function refundsOf(subjects: string): string {
  return `all_refunds as (${lookUp('purchase_refunds', subjects, 'merchant_id = k.merchant_id and refund_id = k.id')})`;
}

/**
 * Returns the condition of a range. The table must have `merchant_id`; the parameters begin at $1.
 */
export function conditionOf(range: PurchaseRange, column: string, merchant = 'merchant_id'): string {
  if (range.kind === 'merchants') return `${merchant} > $1 and ${merchant} <= $2`;
  // The key of purchases has the environment between merchant and id.
  const environment = column === 'id' ? "and environment = any(array['live', 'test'])" : '';
  return `${merchant} = (select $1::integer) ${environment} and ${column} > $2::uuid and ${column} <= $3::uuid`;
}

export function valuesOf(range: PurchaseRange): readonly unknown[] {
  if (range.kind === 'merchants') return [range.above, range.upTo];
  return [range.merchantId, range.above, range.upTo ?? greatestId];
}

/** A position in a table that is walked in the order of an index. */
export type TablePlace = readonly (string | number | bigint)[];

/** The columns of the order, with their types. */
const tableOrders = {
  /** In the order of references. */
  purchases: { merchant_id: 'integer', environment: 'text', reference: 'text' },
  attempts: { reference: 'text' },
  deposits: { id: 'uuid' },
  bank_notices: { id: 'bigint' },
  /** Keeps the vouchers of an issue together. */
  vouchers: { merchant_id: 'integer', issue_id: 'uuid' },
  voucher_redemptions: { merchant_id: 'integer', purchase_id: 'uuid' },
} as const;
export type WalkedTable = keyof typeof tableOrders;

/** Finds where a slice of some rows ends; undefined at the end. */
export async function findTableBound(
  sql: Sql,
  table: WalkedTable,
  above: TablePlace | undefined,
  rows: number,
): Promise<TablePlace | undefined> {
  const key = Object.keys(tableOrders[table]).join(', ');
  const after = above === undefined ? '' : `where (${key}) > (${placesOf(table, 2)})`;
  const [row] = await sql.query<Record<string, string | number | bigint>>(
    `select ${key}
     from ${table === 'attempts' ? attemptReferences(after) : `${table} ${after}`}
     order by ${key}
     offset $1
     limit 1`,
    [rows, ...(above ?? [])],
  );
  return row && Object.values(row);
}

/** Returns the next references of both tables, each by its index. The view would be read whole. */
function attemptReferences(after: string): string {
  const next = (columns: string): string =>
    `(select reference from (select ${columns}) as t ${after} order by reference limit $1::bigint + 1)`;
  return `(
       ${next('attempt_reference as reference from purchases where attempt_reference is not null')}
       union all
       ${next('reference from further_attempts')}
     ) as a`;
}

/**
 * Returns a slice of a table, with the inserting transaction of each row as `inserted_by`. The view
 * `attempts` has none.
 */
export function tableSlice(
  table: WalkedTable,
  above: TablePlace | undefined,
  upTo: TablePlace | undefined,
): Slice {
  const key = Object.keys(tableOrders[table]).join(', ');
  const conditions = [
    ...(above === undefined ? [] : [`(${key}) > (${placesOf(table, 1)})`]),
    ...(upTo === undefined ? [] : [`(${key}) <= (${placesOf(table, 1 + (above?.length ?? 0))})`]),
  ];
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const columns = table === 'attempts' ? '*' : '*, xmin as inserted_by';
  return {
    tables: [`${table} as (select ${columns} from ${table} ${where} order by ${key})`],
    values: [...(above ?? []), ...(upTo ?? [])],
  };
}

/**
 * Lets a slice of a table be read by the index of its order until the transaction ends. PostgreSQL
 * takes the slice for a third of the table, and would read all rows of the merchant by another
 * index.
 */
export async function followOrder(tx: Tx): Promise<void> {
  await tx.query('set local enable_bitmapscan = off; set local enable_sort = off');
}

function placesOf(table: WalkedTable, from: number): string {
  return Object.values(tableOrders[table])
    .map((type, index) => `$${from + index}::${type}`)
    .join(', ');
}

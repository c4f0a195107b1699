/**
 * The slices of the audit: parts of the history, each of which is read in a short transaction of
 * its own. A check runs unchanged on a slice: its tables are hidden behind parts of them with the
 * same names.
 *
 * Guarantees: the slices of a walk cover all keys there can be, also of rows that belong to no
 * vend, and none of them twice; all rows of one vend are in one slice.
 */
import type { Sql } from '../db/database.ts';

/** Tables that hide those of the same names, and the values that their texts name. */
export type Slice = { readonly tables: readonly string[]; readonly values: readonly unknown[] };

/** A part of the keys (merchant, vend). */
export type VendRange =
  | { readonly kind: 'merchants'; readonly above: number; readonly upTo: number }
  | {
      readonly kind: 'vends';
      readonly merchantId: number;
      readonly above: string;
      /** Undefined: all that follow. */
      readonly upTo: string | undefined;
    };

export const firstVendId = '00000000-0000-0000-0000-000000000000';
const lastVendId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Tables that are read in slices, with the column that names the vend, or the subject. */
export const slicedTables = {
  vends: 'id',
  pending_vends: 'vend_id',
  attempts: 'vend_id',
  provider_answers: 'vend_id',
  vend_outcomes: 'vend_id',
  transfers: 'subject_id',
  vend_goods: 'vend_id',
  sealed_goods: 'vend_id',
  late_goods: 'vend_id',
  deliveries: 'vend_id',
  alarms: 'vend_id',
  voucher_redemptions: 'vend_id',
} as const;

export function sliceOf(range: VendRange): Slice {
  const tables = Object.entries(slicedTables).map(
    ([table, column]) => `${table} as (select * from ${table} where ${conditionOf(range, column)})`,
  );
  return {
    // Subjects of vouchers are not in the order of vends.
    tables: [
      'all_transfers as not materialized (select * from transfers)',
      'all_redemptions as not materialized (select * from voucher_redemptions)',
      ...tables,
    ],
    values: valuesOf(range),
  };
}

/** Of a column whose table has `merchant_id` beside it; the values are $1 and on. */
export function conditionOf(range: VendRange, column: string): string {
  if (range.kind === 'merchants') return 'merchant_id > $1 and merchant_id <= $2';
  // The key of vends has the environment between the two.
  const environment = column === 'id' ? "and environment = any(array['live', 'test'])" : '';
  return `merchant_id = $1 ${environment} and ${column} > $2::uuid and ${column} <= $3::uuid`;
}

export function valuesOf(range: VendRange): readonly unknown[] {
  if (range.kind === 'merchants') return [range.above, range.upTo];
  return [range.merchantId, range.above, range.upTo ?? lastVendId];
}

/** How many vends each merchant has, roughly: it says how to slice, not what is right. */
export async function listMerchantSizes(sql: Sql): Promise<{ merchantId: number; vends: number }[]> {
  return await sql.query(`
    select m.id as "merchantId", coalesce(c.vends, 0)::float8 as vends
    from merchants m
    left join (
      select merchant_id, sum(count) as vends
      from (
        select merchant_id, status, count
        from vend_counts
        union all
        select merchant_id, status, count
        from vend_count_deltas
      ) parts
      where status = 'accepted'
      group by merchant_id
    ) c on c.merchant_id = m.id
    order by m.id`);
}

/** Where a slice of some `vends` of a merchant ends; undefined where there are no more. */
export async function findVendBound(
  sql: Sql,
  merchantId: number,
  above: string,
  vends: number,
): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string | null }>(
    `select min(id::text)::uuid as id
     from (values ('live'), ('test')) as e(environment)
     cross join lateral (
       select id
       from vends
       where merchant_id = $1
       and environment = e.environment
       and id > $2::uuid
       order by id
       offset $3
       limit 1
     ) v`,
    [merchantId, above, vends],
  );
  return row?.id ?? undefined;
}

/** A part of `vends` or `attempts` in the order of their references. */
export type ReferenceKey = readonly (string | number)[];
export type ReferenceTable = 'vends' | 'attempts';

const referenceKeys = {
  vends: 'merchant_id, environment, reference',
  attempts: 'reference',
} as const;

/** Where a slice of some rows ends; undefined where there are no more. */
export async function findReferenceBound(
  sql: Sql,
  table: ReferenceTable,
  above: ReferenceKey | undefined,
  rows: number,
): Promise<ReferenceKey | undefined> {
  const key = referenceKeys[table];
  const after = above === undefined ? '' : `where (${key}) > (${placesOf(table, 2)})`;
  const [row] = await sql.query<Record<string, string | number>>(
    `select ${key}
     from ${table}
     ${after}
     order by ${key}
     offset $1
     limit 1`,
    [rows, ...(above ?? [])],
  );
  return row && Object.values(row);
}

export function referenceSlice(
  table: ReferenceTable,
  above: ReferenceKey | undefined,
  upTo: ReferenceKey | undefined,
): Slice {
  const key = referenceKeys[table];
  const conditions = [
    ...(above === undefined ? [] : [`(${key}) > (${placesOf(table, 1)})`]),
    ...(upTo === undefined ? [] : [`(${key}) <= (${placesOf(table, 1 + (above?.length ?? 0))})`]),
  ];
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  return {
    tables: [`${table} as (select * from ${table} ${where})`],
    values: [...(above ?? []), ...(upTo ?? [])],
  };
}

function placesOf(table: ReferenceTable, from: number): string {
  return table === 'vends' ? `$${from}::integer, $${from + 1}::text, $${from + 2}::text` : `$${from}::text`;
}

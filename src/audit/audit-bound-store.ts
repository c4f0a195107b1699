/**
 * SQL that finds where the slices of the audit end. A slice is bounded by the rows of every table
 * that it reads: a merchant may have few purchases and many deposits, corrections or vouchers.
 *
 * Guarantees: finding a bound reads as many index entries as a slice has rows, and no whole table.
 */
import type { Sql } from '../db/database.ts';
import { slicedTables } from './audit-slice-store.ts';

const { attempts: _attempts, provider_answers: _answers, ...tables } = slicedTables;

/**
 * Tables with an index on (merchant, subject). Two of the sliced ones are views: of each purchase
 * and its outcome, which have bounds of their own, and of the further rows. No index has the order
 * of a view.
 */
const boundingTables: readonly (readonly [table: string, subject: string])[] = [
  ...Object.entries(tables),
  ['further_attempts', 'purchase_id'],
  ['further_answers', 'purchase_id'],
  // All vouchers of an issue are read with the transfer that paid for them.
  ['vouchers', 'issue_id'],
];

/**
 * Finds the first merchant above another at which some table has more than `rows` rows; undefined
 * if the rest has fewer.
 */
export async function findMerchantBound(sql: Sql, above: number, rows: number): Promise<number | undefined> {
  const parts = boundingTables.map(
    ([table]) => `(
       select merchant_id
       from ${table}
       where merchant_id > $1
       order by merchant_id
       offset $2
       limit 1
     )`,
  );
  const [row] = await byIndexes(sql, () =>
    sql.query<{ merchantId: number | null }>(
      `select min(merchant_id) as "merchantId" from (${parts.join('\nunion all\n')}) b`,
      [above, rows],
    ),
  );
  return row?.merchantId ?? undefined;
}

/**
 * Finds the first subject of a merchant above another up to which some table has more than `rows`
 * rows. Undefined if no subject is left.
 */
export async function findSubjectBound(
  sql: Sql,
  merchantId: number,
  above: string,
  rows: number,
): Promise<string | undefined> {
  const partOf = (table: string, subject: string, environment = ''): string => `(
       select ${subject} as id
       from ${table}
       where merchant_id = $1
       ${environment}
       and ${subject} > $2::uuid
       order by ${subject}
       offset $3
       limit 1
     )`;
  // The key of purchases has the environment between merchant and id.
  const parts = boundingTables.flatMap(([table, subject]) =>
    subject === 'id'
      ? ['live', 'test'].map((environment) => partOf(table, subject, `and environment = '${environment}'`))
      : [partOf(table, subject)],
  );
  const [row] = await byIndexes(sql, () =>
    sql.query<{ id: string | null }>(
      `select min(id::text)::uuid as id from (${parts.join('\nunion all\n')}) b`,
      [merchantId, above, rows],
    ),
  );
  return row?.id ?? undefined;
}

const otherPlans = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'];

/** Runs work with plans that follow an index up to the limit, whatever the statistics say. */
async function byIndexes<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  const before = await sql.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [otherPlans],
  );
  const set = (values: readonly string[]): Promise<unknown> =>
    sql.query('select set_config(name, value, true) from unnest($1::text[], $2::text[]) as s(name, value)', [
      before.map(({ name }) => name),
      values,
    ]);
  await set(before.map(() => 'off'));
  const result = await work();
  await set(before.map(({ value }) => value));
  return result;
}

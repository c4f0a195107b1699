/**
 * What is new since an earlier audit: the vends, and the subjects of transfers, that have a row
 * which that audit did not see, and all that is open. It is found by the time of rows, whose
 * indexes lead to the newest blocks, and then audited by its keys.
 *
 * Guarantees: a row that was committed after the earlier audit's moment is found, also one with a
 * time or an id from before it; what is read depends on what is new and open, and not on how long
 * the history is.
 */
import type { Sql } from '../db/database.ts';
import { lookUp, redemptionsOf, refundsOf, type Slice, slicedTables } from './audit-slice-store.ts';
import type { MarkPlace } from './audit-statement-store.ts';
import { isNew, isWithin, type Moment, type Window } from './audit-sum-store.ts';

/** A vend, or another subject of transfers. */
export type ChangedKey = { readonly merchantId: number; readonly id: string };

/** When a row was inserted or changed, in the tables that are read by time. */
const timeColumns = {
  vends: 'created_at',
  attempts: 'started_at',
  provider_answers: 'at',
  vend_outcomes: 'at',
  transfers: 'created_at',
  vend_goods: 'at',
  sealed_goods: 'at',
  deliveries: 'updated_at',
  alarms: 'at',
  voucher_redemptions: 'at',
  vend_refunds: 'at',
} as const;

/** The tables whose rows are all open: they are deleted once there is nothing more to do. */
export type OpenTable = 'pending_vends' | 'late_goods';

/** For statements that must not read a whole table of the history: by key. */
export async function prepareLookUps(sql: Sql): Promise<void> {
  await sql.query('set local enable_seqscan = off');
}

/** As `prepareLookUps`, by time: not in the order of another index either. */
export async function prepareWindow(sql: Sql): Promise<void> {
  await sql.query(`
    set local enable_seqscan = off;
    set local enable_indexscan = off;
    set local enable_indexonlyscan = off`);
}

/** What has a row within a window of time that the moment did not see. */
export async function listChanged(sql: Sql, since: Moment, { from, to }: Window): Promise<ChangedKey[]> {
  const keysOf = (table: string, subject: string, time: string): string =>
    `select merchant_id, ${subject} as id from ${table} where ${isWithin(3, time)} and ${isNew(1, time)}`;
  const parts = [
    ...Object.entries(timeColumns).map(([table, time]) =>
      keysOf(table, slicedTables[table as keyof typeof timeColumns], time),
    ),
  ];
  return await sql.query<ChangedKey>(
    `select distinct merchant_id as "merchantId", id
     from (${parts.join('\nunion all\n')}) c
     where merchant_id is not null
     and id is not null`,
    [since.at, since.snapshot, from, to ?? null],
  );
}

/** Some of what is open, in the order of keys. */
export async function listOpen(
  sql: Sql,
  table: OpenTable,
  above: ChangedKey | undefined,
  limit: number,
): Promise<ChangedKey[]> {
  return await sql.query<ChangedKey>(
    `select merchant_id as "merchantId", vend_id as id
     from ${table}
     ${above === undefined ? '' : 'where (merchant_id, vend_id) > ($2, $3)'}
     order by merchant_id, vend_id
     limit $1`,
    [limit, ...(above === undefined ? [] : [above.merchantId, above.id])],
  );
}

const changed =
  'changed as materialized (select * from unnest($1::integer[], $2::uuid[]) as k(merchant_id, id))';

const subjects = '(select distinct id from changed)';

/** All that is said of some vends and other subjects, and what it is compared with. */
export function changeSlice(keys: readonly ChangedKey[]): Slice {
  const tables = Object.entries(slicedTables).map(([table, column]) => {
    const environment = column === 'id' ? "environment = any(array['live', 'test']) and" : '';
    return `${table} as (${lookUp(table, 'changed', `merchant_id = k.merchant_id and ${environment} ${column} = k.id`)})`;
  });
  return {
    tables: [
      changed,
      'all_transfers as not materialized (select * from transfers)',
      redemptionsOf('changed'),
      refundsOf('changed'),
      `changed_vouchers as (
         select merchant_id, id
         from changed
         union
         select merchant_id, voucher_id
         from (${lookUp('voucher_redemptions', 'changed', 'merchant_id = k.merchant_id and vend_id = k.id')}) r
         union
         select merchant_id, id
         from (${lookUp('vouchers', 'changed', 'merchant_id = k.merchant_id and issue_id = k.id')}) i
       )`,
      `vouchers as (${lookUp('vouchers', 'changed_vouchers', 'merchant_id = k.merchant_id and id = k.id')})`,
      `deposits as (${lookUp('deposits', subjects, 'id = k.id')})`,
      `float_movements as (${lookUp('float_movements', subjects, 'id = k.id')})`,
      `deposit_assignments as (${lookUp('deposit_assignments', subjects, 'deposit_id = k.id')})`,
      `audit_log as (${lookUp('audit_log', subjects, "subject = 'correction:' || k.id")})`,
      ...tables,
    ],
    values: valuesOf(keys),
  };
}

/** The vends that share a reference with one of some vends, these included. */
export function vendReferenceSlice(keys: readonly ChangedKey[]): Slice {
  const own = lookUp(
    'vends',
    'changed',
    "merchant_id = k.merchant_id and environment = any(array['live', 'test']) and id = k.id",
  );
  const same = 'merchant_id = k.merchant_id and environment = k.environment and reference = k.reference';
  return {
    tables: [
      changed,
      `used as (select distinct merchant_id, environment, reference from (${own}) o)`,
      `vends as (${lookUp('vends', 'used', same)})`,
    ],
    values: valuesOf(keys),
  };
}

/** The attempts that share a reference with one of some vends' attempts, these included. */
export function attemptReferenceSlice(keys: readonly ChangedKey[]): Slice {
  const own = lookUp('attempts', 'changed', 'merchant_id = k.merchant_id and vend_id = k.id');
  return {
    tables: [
      changed,
      `used as (select distinct reference from (${own}) o)`,
      `attempts as (${lookUp('attempts', 'used', 'reference = k.reference')})`,
    ],
    values: valuesOf(keys),
  };
}

function valuesOf(keys: readonly ChangedKey[]): readonly unknown[] {
  return [keys.map(({ merchantId }) => merchantId), keys.map(({ id }) => id)];
}

/** Marks of statements that were left after the last ones of an earlier audit (`Cut`). */
export async function listNewMarks(sql: Sql, statements: string): Promise<MarkPlace[]> {
  return await sql.query<MarkPlace>(
    `select m.wallet_id as "walletId", m.transfer_id as "transferId"
     from wallet_owners w
     left join json_to_recordset($1) as s(wallet_id bigint, transfer_id bigint) on s.wallet_id = w.account_id
     cross join lateral (
       select wallet_id, transfer_id
       from statement_marks
       where wallet_id = w.account_id
       and transfer_id > coalesce(s.transfer_id, 0)
       offset 0
     ) m
     order by m.wallet_id, m.transfer_id`,
    [statements],
  );
}

export function newMarkSlice(places: readonly MarkPlace[]): Slice {
  return {
    tables: [
      'place as (select * from unnest($1::bigint[], $2::bigint[]) as p(wallet_id, transfer_id))',
      `checked_marks as materialized (
         ${lookUp('statement_marks', 'place', 'wallet_id = k.wallet_id and transfer_id = k.transfer_id')}
       )`,
    ],
    values: [places.map(({ walletId }) => walletId), places.map(({ transferId }) => transferId)],
  };
}

/**
 * SQL that brings rows of other servers to where a check reads them, if cells are on other servers:
 * rows of the coordinator to a slice of a cell, and rows of all cells to the coordinator. They are
 * tables of a slice, which hide tables of the same names.
 */

import type { Sql, Tx } from '../db/database.ts';
import type { CellLookup } from '../db/find-cells.ts';
import { collectRows } from '../db/in-each-cell.ts';
import type { Moment } from '../db/one-moment.ts';
import {
  conditionOf,
  type PurchaseRange,
  type Slice,
  sliceOf,
  tableSlice,
  valuesOf,
} from './audit-slice-store.ts';

/** An open transaction of a cell, and one of the coordinator that sees the same moment. */
export type CellTx = Tx & { readonly coordinator: Tx };

/** A cell, and how to find out which merchants it has. */
export type AuditedCell = { readonly number: number; readonly lookup: CellLookup };

/** What a slice of a cell reads at the coordinator: of the given subjects, and of price lists. */
function evidenceOf(
  range: PurchaseRange,
): readonly (readonly [name: string, columns: string, select: string])[] {
  const at = valuesOf(range).length;
  const named = `(list, version) in (select * from unnest($${at + 2}::text[], $${at + 3}::integer[]))`;
  return [
    [
      'deposit_assignments',
      'deposit_id uuid, merchant_id integer',
      `select deposit_id, merchant_id from deposit_assignments where deposit_id = any($${at + 1}::uuid[])`,
    ],
    [
      'float_movements',
      'id uuid, kind text',
      `select id, kind from float_movements where id = any($${at + 1}::uuid[])`,
    ],
    [
      'audit_log',
      'subject text',
      `select distinct subject
       from audit_log
       where subject = any(array(select 'correction:' || id from unnest($${at + 1}::uuid[]) as u(id)))`,
    ],
    [
      'price_list_versions',
      'list text, version integer, holds_from timestamptz',
      `select list, version, holds_from from price_list_versions where ${named}`,
    ],
    [
      'price_list_rules',
      'list text, version integer, product text, network text, kind text, plan_code text, price bigint, off integer, margin integer, round_to bigint',
      `select list, version, product, network, kind, plan_code, price, off, margin, round_to
       from price_list_rules
       where ${named}`,
    ],
    [
      'reconciliation_differences',
      'merchant_id integer, purchase_id uuid, verdict text',
      `select merchant_id, purchase_id, verdict
       from reconciliation_differences
       where ${conditionOf(range, 'purchase_id')}
       and verdict = 'entered'`,
    ],
  ];
}

/** Returns a slice of a cell, with what the coordinator has about it. */
export async function cellSliceOf(tx: CellTx, cell: AuditedCell, range: PurchaseRange): Promise<Slice> {
  const { tables, values } = sliceOf(range);
  const evidence = evidenceOf(range);
  const place = (index: number): string => `$${values.length + 1 + index}`;
  const replaced = new Map(
    evidence.map(([name, columns], index) => [
      name,
      `select * from json_to_recordset(${place(index)}) as t(${columns})`,
    ]),
  );
  // Those that were carried to the coordinator are ended in the cell.
  replaced.set(
    'alarms',
    `select merchant_id, purchase_id, kind, acknowledged_at
     from alarms
     where ${conditionOf(range, 'purchase_id')}
     and ended_at is null
     union all
     select * from json_to_recordset(${place(evidence.length)}) as t(merchant_id integer, purchase_id uuid, kind text, acknowledged_at timestamptz)`,
  );
  return {
    tables: [
      ...tables.filter((table) => !replaced.has(table.slice(0, table.indexOf(' ')))),
      ...[...replaced].map(([name, select]) => `${name} as (${select})`),
    ],
    values: [
      ...values,
      ...(await collectEvidence(tx, range, evidence)),
      await collectAlarms(tx.coordinator, cell, range),
    ],
  };
}

async function collectEvidence(
  tx: CellTx,
  range: PurchaseRange,
  evidence: ReturnType<typeof evidenceOf>,
): Promise<string[]> {
  const values = valuesOf(range);
  const [keys] = await tx.query<{ subjects: string[]; lists: string[]; versions: number[] }>(
    `select s.subjects, l.lists, l.versions
     from (
       select coalesce(array_agg(distinct subject_id), '{}') as subjects
       from transfers
       where ${conditionOf(range, 'subject_id')}
       and (code = 'correction' or code like 'deposit%' or code like 'float%')
     ) s
     cross join (
       select coalesce(array_agg(list), '{}') as lists, coalesce(array_agg(version), '{}') as versions
       from (
         select distinct details->'priceList'->>'list' as list, (details->'priceList'->>'version')::integer as version
         from purchases
         where ${conditionOf(range, 'id')}
         and details ? 'priceList'
       ) as named
     ) l`,
    values,
  );
  if (keys === undefined) throw new Error('a sum without a group gives a row');
  const selects = evidence.map(
    ([name, , select]) => `(select coalesce(json_agg(r), '[]')::text from (${select}) r) as ${name}`,
  );
  const [rows] = await tx.coordinator.query<Record<string, string>>(`select ${selects.join(',\n')}`, [
    ...values,
    ...[keys.subjects, keys.lists, keys.versions],
  ]);
  return evidence.map(([name]) => rows?.[name] ?? '[]');
}

async function collectAlarms(
  coordinator: Sql,
  { number, lookup }: AuditedCell,
  range: PurchaseRange,
): Promise<string> {
  const alarms = await coordinator.query<{ merchant_id: number }>(
    `select merchant_id, purchase_id, kind, acknowledged_at
     from alarms
     where ${conditionOf(range, 'purchase_id')}
     and purchase_id is not null`,
    valuesOf(range),
  );
  const own: object[] = [];
  for (const alarm of alarms) if ((await lookup.find(alarm.merchant_id)) === number) own.push(alarm);
  return JSON.stringify(own);
}

/** What checks at the coordinator read of the cells, besides the history. */
const ofCells = [
  ['wallets', 'account_id bigint, posted bigint', 'select account_id, posted from wallets'],
  ['house_deltas', 'account_id bigint, delta bigint', 'select account_id, delta from house_deltas'],
  [
    'wallet_owners',
    'account_id bigint, merchant_id integer, environment text, currency text',
    'select account_id, merchant_id, environment, currency from wallet_owners',
  ],
  [
    'transfers',
    'merchant_id integer, subject_id uuid, code text, debit_account_id bigint, credit_account_id bigint, amount bigint',
    `select merchant_id, subject_id, code, debit_account_id, credit_account_id, amount
     from transfers
     where merchant_id = 0
     and code like 'float%'`,
  ],
] as const;

/** Returns what the checks of one moment at the coordinator read of the cells. */
export async function collectMoment({ cells }: Moment): Promise<Slice> {
  const tables: string[] = [];
  const values: string[] = [];
  for (const [name, columns, select] of ofCells) {
    values.push(await collectRows(cells, select));
    const rows = `select * from json_to_recordset($${values.length}) as t(${columns})`;
    const own = name === 'house_deltas' ? 'select account_id, delta from house_deltas union all ' : '';
    tables.push(`${name} as (${own}${rows})`);
  }
  return { tables, values };
}

/** Adds the transfers of the deposits of a slice, which are in the cells. */
export async function withTransfers({ coordinator, cells }: Moment, slice: Slice): Promise<Slice> {
  const [keys] = await coordinator.query<{ ids: string[] }>(
    `with ${slice.tables.join(',\n')}
     select coalesce(array_agg(id), '{}') as ids
     from deposits`,
    slice.values,
  );
  const transfers = await collectRows(
    cells,
    // By the key of transfers. The check deposit-owner finds those of another merchant.
    `select t.merchant_id, t.subject_id, t.code, t.debit_account_id, t.credit_account_id, t.amount
     from unnest($1::uuid[], $2::integer[]) as k(id, merchant_id)
     cross join lateral (
       select *
       from transfers
       where merchant_id = k.merchant_id
       and subject_id = k.id
       offset 0
     ) t`,
    await ownersOf(coordinator, keys?.ids ?? []),
  );
  const columns =
    'merchant_id integer, subject_id uuid, code text, debit_account_id bigint, credit_account_id bigint, amount bigint';
  return {
    tables: [
      ...slice.tables,
      `transfers as (select * from json_to_recordset($${slice.values.length + 1}) as t(${columns}))`,
    ],
    values: [...slice.values, transfers],
  };
}

/** Each deposit with no merchant, its own, and the one that it was assigned to. */
async function ownersOf(coordinator: Sql, ids: readonly string[]): Promise<readonly unknown[]> {
  const deposits = await coordinator.query<{ id: string; merchantId: number | null }>(
    'select id, merchant_id as "merchantId" from deposits where id = any($1::uuid[])',
    [ids],
  );
  const assigned = await coordinator.query<{ id: string; merchantId: number | null }>(
    'select deposit_id as id, merchant_id as "merchantId" from deposit_assignments where deposit_id = any($1::uuid[])',
    [ids],
  );
  const owners = [
    ...ids.map((id) => [id, 0] as const),
    ...[...deposits, ...assigned].flatMap(({ id, merchantId }) =>
      merchantId === null ? [] : [[id, merchantId] as const],
    ),
  ];
  return [owners.map(([id]) => id), owners.map(([, merchantId]) => merchantId)];
}

/**
 * Returns the references of attempts of all cells above a place, up to the first of the bounds or
 * to the end.
 */
export async function collectAttempts(
  coordinator: Sql,
  cells: readonly Sql[],
  above: readonly string[] | undefined,
  bounds: readonly string[],
): Promise<{ readonly slice: Slice; readonly upTo: string | undefined }> {
  const [first] = await coordinator.query<{ bound: string | null }>(
    'select min(bound) as bound from unnest($1::text[]) as b(bound)',
    [bounds],
  );
  const upTo = first?.bound ?? undefined;
  const { tables, values } = tableSlice('attempts', above, upTo === undefined ? undefined : [upTo]);
  const rows = await collectRows(cells, 'select provider, reference from attempts', values, tables);
  return {
    slice: {
      tables: ['attempts as (select * from json_to_recordset($1) as t(provider text, reference text))'],
      values: [rows],
    },
    upTo,
  };
}

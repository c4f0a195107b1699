/**
 * The SQL of leased queues: claim, take, settle, and find the items of dead processes.
 *
 * Guarantees: one process has an item at a time, and its claim is committed before any work is
 * done; a process without a valid lease changes nothing; an alarm is stored once, by the same SQL
 * statement as its cause.
 *
 * A claim skips rows that others have locked. A settlement locks one row of the queue, as its last
 * lock.
 */
import type { Sql } from '../database.ts';
import { type Claimed, type Columns, checkName, type Held, type LeasedQueue } from './leased-queue.ts';

type Name<Row> = keyof Row & string;

/**
 * Claims due items, longest due first. The claims are committed when this resolves, unless `sql` is
 * a transaction.
 */
export async function claimDue<Row extends object, Key extends Name<Row>>(
  sql: Sql,
  queue: LeasedQueue<Row, Key>,
  options: {
    readonly limit: number;
    readonly leaseMs: number;
    /** Required if the queue has lanes. */
    readonly lanes?: readonly string[];
  },
): Promise<Claimed<Row>[]> {
  const values: unknown[] = [options.leaseMs, options.limit];
  const conditions = ['due_at <= now()'];
  if (!queue.repeatable) conditions.push('lease_id is null');
  if (queue.lane !== undefined) {
    values.push(options.lanes ?? []);
    conditions.push(`${queue.lane} = any($${values.length}::text[])`);
  }
  const text = `
    with due as (
      select ${queue.key.join(', ')}
      from ${queue.table}
      where ${conditions.join(' and ')}
      order by due_at
      limit $2
      for update skip locked
    )
    update ${queue.table} t
    set ${claimSets(queue, values)}
    from due
    where ${queue.key.map((name) => `t.${name} = due.${name}`).join(' and ')}
    returning ${returned(queue)}`;
  return await sql.query<Claimed<Row>>({ name: `claim_due_${queue.table}`, text }, values);
}

/**
 * Claims one item at once, due or not. Undefined if another process has it, or there is no work.
 */
export async function takeItem<Row extends object, Key extends Name<Row>>(
  sql: Sql,
  queue: LeasedQueue<Row, Key>,
  item: Pick<Row, Key>,
  leaseMs: number,
): Promise<Claimed<Row> | undefined> {
  const values: unknown[] = [leaseMs];
  const [row] = await sql.query<Claimed<Row>>(
    `update ${queue.table} t
     set ${claimSets(queue, values)}
     where ${keyIs(queue, item, values)}
     and t.due_at is not null
     and (t.lease_id is null ${queue.repeatable ? 'or t.due_at <= now()' : ''})
     returning ${returned(queue)}`,
    values,
  );
  return row;
}

/**
 * Lists the items that dead processes held, in a queue whose items are not claimed again. Settle
 * each with `expired`.
 */
export async function findExpired<Row extends object, Key extends Name<Row>>(
  sql: Sql,
  queue: LeasedQueue<Row, Key>,
  limit: number,
): Promise<Claimed<Row>[]> {
  return await sql.query<Claimed<Row>>(
    `select ${returned(queue)}
     from ${queue.table} t
     where t.lease_id is not null
     and t.due_at <= now()
     order by t.due_at
     limit $1`,
    [limit],
  );
}

/** An alarm to raise. The message names no person and no secret. */
export type ItemAlarm = {
  readonly kind: string;
  readonly merchantId?: number;
  readonly purchaseId?: string;
  readonly message: string;
};

export type Settlement = {
  /** The item is due again after this time. Absent: it is finished. */
  readonly pauseMs?: number | undefined;
  readonly set?: Columns;
  /** For an item that continues, the alarm is raised once, however often it is given. */
  readonly alarm?: ItemAlarm | undefined;
};

/**
 * Stores the result of an item. False when the lease is no longer valid; nothing is changed then. A
 * process that was only delayed may still store its result, also after the item was settled as
 * expired. Repeating a settlement changes nothing and raises no alarm.
 */
export async function settleItem<Row extends object, Key extends Name<Row>>(
  sql: Sql,
  queue: LeasedQueue<Row, Key>,
  held: Held<Row, Key>,
  settlement: Settlement,
  options: { readonly expired?: boolean } = {},
): Promise<boolean> {
  const values: unknown[] = [held.lease_id];
  const condition = `${keyIs<Row, Key>(queue, held, values)} and t.lease_id = $1`;
  const statement = `
    with held as materialized (
      select ${keysOf(queue, 't')}, t.due_at, t.alarmed_at
      from ${queue.table} t
      where ${condition}
      ${options.expired === true ? 'and t.due_at <= now()' : ''}
      for update
    ),
    settled as (
      ${changeOf(queue, settlement, values)}
      returning ${firstAlarm(settlement)} as alarming
    )${alarmOf(settlement, values)}
    select
    from settled`;
  return (await sql.query(statement, values)).length > 0;
}

function changeOf<Row extends object, Key extends Name<Row>>(
  queue: LeasedQueue<Row, Key>,
  { pauseMs, set = {}, alarm }: Settlement,
  values: unknown[],
): string {
  const same = queue.key.map((name) => `t.${name} = held.${name}`).join(' and ');
  if (pauseMs === undefined && queue.deletes) {
    return `delete from ${queue.table} t using held where ${same}`;
  }
  const sets = [
    // The lease of a finished item stays, because its process may repeat the settlement.
    ...(pauseMs === undefined
      ? ['due_at = null']
      : [`due_at = now() + ${bind(values, pauseMs)} * interval '1 millisecond'`, 'lease_id = null']),
    ...(alarm === undefined ? [] : ['alarmed_at = coalesce(t.alarmed_at, now())']),
    ...setsOf(queue, set, values),
  ];
  return `update ${queue.table} t set ${sets.join(', ')} from held where ${same}`;
}

/**
 * A finished item raises its alarm even if one was raised before. An item that continues raises one
 * alarm.
 */
function firstAlarm({ pauseMs }: Settlement): string {
  return pauseMs === undefined
    ? 'held.alarmed_at is null or held.due_at is not null'
    : 'held.alarmed_at is null';
}

function alarmOf({ alarm }: Settlement, values: unknown[]): string {
  if (alarm === undefined) return '';
  const { kind, merchantId = null, purchaseId = null, message } = alarm;
  return `,
    alarmed as (
      insert into alarms (kind, merchant_id, purchase_id, message)
      select ${bind(values, kind)}, ${bind(values, merchantId)}::integer, ${bind(values, purchaseId)}::uuid, ${bind(values, message)}
      from settled
      where alarming
    )`;
}

/** `$1` is the length of the lease. */
function claimSets<Row extends object, Key extends Name<Row>>(
  queue: LeasedQueue<Row, Key>,
  values: unknown[],
): string {
  const sets = [
    'lease_id = gen_random_uuid()',
    "due_at = now() + $1 * interval '1 millisecond'",
    'tries = t.tries + 1',
  ];
  return [...sets, ...setsOf(queue, queue.claimed ?? {}, values)].join(', ');
}

function setsOf<Row extends object, Key extends Name<Row>>(
  { changedAt }: LeasedQueue<Row, Key>,
  columns: Columns,
  values: unknown[],
): string[] {
  const sets = Object.entries(columns).map(([name, value]) => `${checkName(name)} = ${bind(values, value)}`);
  return changedAt === undefined ? sets : [...sets, `${changedAt} = now()`];
}

function keyIs<Row extends object, Key extends Name<Row>>(
  { key }: LeasedQueue<Row, Key>,
  item: Pick<Row, Key>,
  values: unknown[],
): string {
  return key.map((name) => `t.${name} = ${bind(values, item[name])}`).join(' and ');
}

function keysOf<Row extends object, Key extends Name<Row>>(
  { key }: LeasedQueue<Row, Key>,
  table: string,
): string {
  return key.map((name) => `${table}.${name}`).join(', ');
}

function returned<Row extends object, Key extends Name<Row>>({
  key,
  columns,
}: LeasedQueue<Row, Key>): string {
  return [...key, ...columns, 'lease_id', 'tries'].map((name) => `t.${name}`).join(', ');
}

function bind(values: unknown[], value: unknown): string {
  values.push(value);
  return `$${values.length}`;
}

/** SQL of background tasks. */
import type { Sql, Tx } from '../../db/database.ts';

/** `stopped`: the process ended or no longer sends heartbeats. */
export const taskStates = ['running', 'done', 'failed', 'stopped'] as const;
export type TaskState = (typeof taskStates)[number];

/**
 * The maximum number of tasks at once in all processes. The last place is for an actor who runs no
 * other task.
 */
const RUNNING_MAX = 4;
const KEPT_DAYS = 90;
/** Processes send heartbeats every few seconds. */
const SILENCE_S = 30;

export type TaskRow = {
  readonly id: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly is_whole: boolean;
  readonly name: string;
  readonly principal: string;
  readonly state: TaskState;
  readonly started_at: Date;
  readonly step: string | null;
  readonly done: bigint | null;
  readonly unit: string | null;
  readonly ended_at: Date | null;
  readonly error: string | null;
};

const state = `coalesce(outcome, case when seen_at < now() - ${SILENCE_S} * interval '1 second' then 'stopped' else 'running' end)`;
const columns = `
  id, operation, input, is_whole, name, principal, ${state} as state, started_at, step, done, unit,
  coalesce(ended_at, case when ${state} = 'stopped' then seen_at end) as ended_at, error`;

/** Newest first. */
export async function listTasks(
  sql: Sql,
  page: {
    readonly state: TaskState | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  },
): Promise<TaskRow[]> {
  return await sql.query<TaskRow>(
    `select ${columns}
     from tasks
     where ($1::uuid is null or id < $1)
     and ($2::text is null or ${state} = $2)
     order by id desc
     limit $3`,
    [page.before ?? null, page.state ?? null, page.limit],
  );
}

export async function findTask(
  sql: Sql,
  id: string,
): Promise<(TaskRow & { readonly output: unknown }) | undefined> {
  const [row] = await sql.query<TaskRow & { readonly output: unknown }>(
    `select ${columns}, output
     from tasks
     where id = $1`,
    [id],
  );
  return row;
}

export type NewTask = {
  readonly id: string;
  readonly operation: string;
  readonly input: object;
  readonly isWhole: boolean;
  /** The hash of the whole input. */
  readonly inputHash: Uint8Array;
  readonly name: string;
  readonly principal: string;
  readonly host: string;
  readonly pid: number;
};

export type Inserted =
  | { readonly kind: 'inserted' }
  /** The id of the same task, which is running. */
  | { readonly kind: 'running'; readonly id: string }
  | { readonly kind: 'full'; readonly max: number };

/** Inserts a task, one at a time. Marks tasks without heartbeats as stopped first. */
export async function insertTask(tx: Tx, task: NewTask): Promise<Inserted> {
  await tx.query('lock table tasks in share row exclusive mode');
  await tx.query(
    `update tasks
     set outcome = 'stopped', ended_at = seen_at
     where ended_at is null
     and seen_at < now() - $1 * interval '1 second'`,
    [SILENCE_S],
  );
  await tx.query(`delete from tasks where ended_at < now() - $1 * interval '1 day'`, [KEPT_DAYS]);
  const running = await tx.query<{ id: string; is_same: boolean; is_own: boolean }>(
    `select id, operation = $1 and input_hash = $2 as is_same, principal = $3 as is_own
     from tasks
     where ended_at is null`,
    [task.operation, task.inputHash, task.principal],
  );
  const same = running.find((one) => one.is_same);
  if (same !== undefined) return { kind: 'running', id: same.id };
  const max = running.some((one) => one.is_own) ? RUNNING_MAX - 1 : RUNNING_MAX;
  if (running.length >= max) return { kind: 'full', max };
  await tx.query(
    `insert into tasks (id, operation, input, input_hash, is_whole, name, principal, host, pid)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      task.id,
      task.operation,
      JSON.stringify(task.input),
      task.inputHash,
      task.isWhole,
      task.name,
      task.principal,
      task.host,
      task.pid,
    ],
  );
  return { kind: 'inserted' };
}

export type TaskProgress = { readonly step: string; readonly done: number; readonly unit: string };

export async function updateProgress(
  sql: Sql,
  id: string,
  progress: TaskProgress | undefined,
): Promise<void> {
  await sql.query(
    `update tasks
     set
       seen_at = now(),
       step = coalesce($2, step),
       done = coalesce($3, done),
       unit = coalesce($4, unit)
     where id = $1
     and ended_at is null`,
    [id, progress?.step ?? null, progress?.done ?? null, progress?.unit ?? null],
  );
}

export type TaskEnd = {
  readonly outcome: 'done' | 'failed' | 'stopped';
  /** As JSON. */
  readonly output?: string;
  readonly error?: string;
};

/** Ends a task. A task that was wrongly marked as stopped gets its real result. */
export async function endTask(sql: Sql, id: string, end: TaskEnd): Promise<void> {
  await sql.query(
    `update tasks
     set outcome = $2, ended_at = now(), seen_at = now(), output = $3, error = $4
     where id = $1
     and coalesce(outcome, 'stopped') = 'stopped'`,
    [id, end.outcome, end.output ?? null, end.error ?? null],
  );
}

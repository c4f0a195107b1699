/** The SQL that sets up a new connection: its timeouts, and the server process behind it. */
import type pg from 'pg';
import type { Sql } from './database.ts';

/** In milliseconds; absent: the server's setting. */
export type SessionTimeouts = {
  readonly statementMs?: number | undefined;
  readonly lockMs?: number | undefined;
};

/**
 * Sets the timeouts, and returns the process id that the server reports. The start of the
 * connection cannot set them: PgBouncer refuses or drops those parameters.
 */
export async function settleSession(
  client: Pick<pg.Client, 'query'>,
  { statementMs, lockMs }: SessionTimeouts,
  answerMs: number,
): Promise<number> {
  const timeouts = [
    ...(statementMs === undefined ? [] : [['statement_timeout', statementMs] as const]),
    // A process that freezes between two statements must not hold its locks forever.
    ...(statementMs === undefined ? [] : [['idle_in_transaction_session_timeout', statementMs] as const]),
    ...(lockMs === undefined ? [] : [['lock_timeout', lockMs] as const]),
  ];
  const text = `
    select
      ${timeouts.map(([name, ms]) => `set_config('${name}', '${Math.round(ms)}', false),`).join('\n')}
      pg_backend_pid() as backend`;
  const query = { text, query_timeout: answerMs };
  const { rows } = await client.query<{ backend: number }>(query);
  const [row] = rows;
  if (row === undefined) throw new Error('the server did not say which process it is');
  return row.backend;
}

/**
 * Statements of the session find tables in this schema before they search the others. Rejects if
 * there is no such schema, because they would find the tables of all cells.
 */
export async function searchFirst(sql: Sql, schema: string): Promise<void> {
  const settings = await sql.query(
    `select set_config('search_path', nspname || ', ' || current_setting('search_path'), false)
     from pg_namespace
     where nspname = $1`,
    [schema],
  );
  if (settings.length === 0) throw new Error(`the server has no schema ${schema}`);
}

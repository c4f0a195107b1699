/** The SQL that makes a new connection Oja's: its time-outs, and what its server says of itself. */
import type pg from 'pg';

/** In milliseconds; absent: as the server has it. */
export type SessionTimeouts = {
  readonly statementMs?: number | undefined;
  readonly lockMs?: number | undefined;
};

export type ServerState = {
  /** The process of the server behind the connection, as that process says it itself. */
  readonly backend: number;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  /** One more with each promotion; null for a standby, and where it was not asked for. */
  readonly timeline: number | null;
};

/**
 * The time-outs are set here and not by the start of the connection: PgBouncer refuses those
 * parameters there, or drops them.
 */
export async function settleSession(
  client: Pick<pg.Client, 'query'>,
  { statementMs, lockMs }: SessionTimeouts,
  { askTimeline, answerMs }: { readonly askTimeline: boolean; readonly answerMs: number },
): Promise<ServerState> {
  const timeouts = [
    ...(statementMs === undefined ? [] : [['statement_timeout', statementMs] as const]),
    // A process that freezes between two statements must not hold its locks for ever.
    ...(statementMs === undefined ? [] : [['idle_in_transaction_session_timeout', statementMs] as const]),
    ...(lockMs === undefined ? [] : [['lock_timeout', lockMs] as const]),
  ];
  const text = `
    select
      ${timeouts.map(([name, ms]) => `set_config('${name}', '${Math.round(ms)}', false),`).join('\n')}
      pg_backend_pid() as backend,
      pg_is_in_recovery() as "isStandby",
      current_setting('transaction_read_only')::boolean as "isReadOnly",
      ${askTimeline ? timelineSql : 'null'}::integer as timeline`;
  const query = { text, query_timeout: answerMs };
  const { rows } = await client.query<ServerState>(query);
  const [state] = rows;
  if (state === undefined) throw new Error('the server did not say what it is');
  return state;
}

/** The first eight digits of the name of the file that is being written. */
const timelineSql = `
      case
        when pg_is_in_recovery() then null
        else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer
      end`;

/** SQL of an online backup of the server that it is run on, and of what a manifest says of it. */
import type { Sql } from '../db/database.ts';

export type ServerFacts = {
  readonly version: string;
  readonly systemIdentifier: string;
  readonly walSegmentBytes: number;
  readonly databaseBytes: bigint;
  readonly schema: string | null;
  readonly keyId: string | null;
};

export async function readServerFacts(sql: Sql): Promise<ServerFacts> {
  const [facts] = await sql.query<ServerFacts>(`
    select
      current_setting('server_version') as version,
      c.system_identifier::text as "systemIdentifier",
      (select setting::int from pg_settings where name = 'wal_segment_size') as "walSegmentBytes",
      (select sum(pg_database_size(oid))::bigint from pg_database) as "databaseBytes",
      (select name from schema_migrations order by version desc limit 1) as schema,
      (select split_part(value, ':', 1) from settings where name = 'credential_pepper') as "keyId"
    from pg_control_system() c`);
  if (facts === undefined) throw new Error('a server has facts');
  return facts;
}

export type BackupStart = { readonly at: Date; readonly lsn: string; readonly timeline: number };

/**
 * From now on the server keeps the log that the backup needs, and writes whole pages into it.
 * `sql` is one connection, and both end with it. No snapshot is held: the purchases' dead rows can
 * be swept away meanwhile.
 */
export async function startBackup(sql: Sql, id: string): Promise<BackupStart> {
  // Temporary: a command that is killed leaves no slot, which would keep the log for ever.
  await sql.query('select pg_create_physical_replication_slot($1, true, true)', [slotName(id)]);
  const [started] = await sql.query<{ at: Date; lsn: string }>(
    'select clock_timestamp() as at, pg_backup_start($1, true)::text as lsn',
    [`oja ${id}`],
  );
  const [control] = await sql.query<{ timeline: number }>(
    'select timeline_id as timeline from pg_control_checkpoint()',
  );
  if (started === undefined || control === undefined) throw new Error('a backup starts somewhere');
  return { ...started, ...control };
}

export type BackupStop = {
  /** All that was committed before is in the backup. */
  readonly at: Date;
  readonly lsn: string;
  readonly label: string;
  /** The names of the first and the last file of the log that is needed. */
  readonly firstWal: string;
  readonly lastWal: string;
};

/** The log that is needed is on the disk, and is kept until `endBackup`. */
export async function stopBackup(sql: Sql, start: BackupStart): Promise<BackupStop> {
  const [now] = await sql.query<{ at: Date }>('select clock_timestamp() as at');
  const [stopped] = await sql.query<{ lsn: string; label: string }>(`
    select lsn::text as lsn, labelfile as label
    from pg_backup_stop(false)`);
  if (now === undefined || stopped === undefined) throw new Error('a backup stops somewhere');
  const [wal] = await sql.query<{ firstWal: string; lastWal: string }>(
    `select pg_walfile_name($1) as "firstWal", pg_walfile_name($2) as "lastWal"`,
    [start.lsn, stopped.lsn],
  );
  if (wal === undefined) throw new Error('the log has files');
  return { ...now, ...stopped, ...wal };
}

/** Lets the server remove the log again. */
export async function endBackup(sql: Sql, id: string): Promise<void> {
  await sql.query('select pg_drop_replication_slot($1)', [slotName(id)]);
}

function slotName(id: string): string {
  return `oja_backup_${id.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`;
}

/** How much a restored database has, for whoever asks whether it is whole. */
export async function countRows(sql: Sql): Promise<{ purchases: bigint; transfers: bigint }> {
  const [counts] = await sql.query<{ purchases: bigint; transfers: bigint }>(`
    select
      (select count(*) from vends) as purchases,
      (select count(*) from transfers) as transfers`);
  return counts ?? { purchases: 0n, transfers: 0n };
}

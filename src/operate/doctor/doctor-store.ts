/** SQL of the doctor. It only reads. */
import type { Sql } from '../../db/database.ts';

export type DatabaseFlags = {
  readonly version: number;
  readonly versionText: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly dataChecksums: string;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly connectionsMax: number;
  readonly connectionsUsed: number;
  readonly bytes: bigint;
  /** The size of `shared_buffers`. */
  readonly sharedBytes: bigint;
  readonly isEncrypted: boolean;
};

export async function readDatabaseFlags(sql: Sql): Promise<DatabaseFlags> {
  const [flags] = await sql.query<DatabaseFlags>(`
    select
      current_setting('server_version_num')::int as version,
      current_setting('server_version') as "versionText",
      current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('data_checksums') as "dataChecksums",
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as "isStandby",
      current_setting('transaction_read_only') = 'on' as "isReadOnly",
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int as "connectionsMax",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "connectionsUsed",
      pg_database_size(current_database()) as bytes,
      pg_size_bytes(current_setting('shared_buffers')) as "sharedBytes",
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted"`);
  if (flags === undefined) throw new Error('a server has settings');
  return flags;
}

export async function readDatabaseClock(sql: Sql): Promise<Date> {
  const [row] = await sql.query<{ now: Date }>('select clock_timestamp() as now');
  if (row === undefined) throw new Error('a server has a clock');
  return row.now;
}

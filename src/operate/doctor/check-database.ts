/** Checks the database: clock, durability settings, version, connections and schema. */

import { formatBytes } from '../../core/bytes.ts';
import { isThisMachine } from '../../core/this-machine.ts';
import { checkPooling } from '../../db/check-pooling.ts';
import type { Sql } from '../../db/database.ts';
import { sqlState } from '../../db/database-errors.ts';
import { findPlacements } from '../../db/find-cells.ts';
import { listPendingMigrations } from '../../db/migrate.ts';
import { MigrationError } from '../../db/migration-error.ts';
import { type DatabaseFlags, readDatabaseClock, readDatabaseFlags } from './doctor-store.ts';
import { type Finding, ok, skipped, warn, wrong } from './finding.ts';

const WARN_MS = 2_000;
const WRONG_MS = 30_000;

/** Checks a clock that is `aheadMs` ahead of this machine's, give or take `unsureMs`. */
export function checkClock(check: string, aheadMs: number, unsureMs: number): Finding {
  const apartMs = Math.max(0, Math.abs(aheadMs) - unsureMs);
  const seen = `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`;
  const todo = 'synchronize both clocks with chrony or systemd-timesyncd';
  if (apartMs > WRONG_MS) return wrong(check, seen, todo);
  return apartMs > WARN_MS ? warn(check, seen, todo) : ok(check, seen);
}

type Options = {
  /** The connections of each gateway process. */
  readonly connections: number;
  /** Undefined if Oja runs its own database. */
  readonly databaseUrl: string | undefined;
  readonly now: () => number;
};

/** In bytes. This is enough for any database; a small one needs less. */
const SHARED_ENOUGH = 1_024 ** 3;
const VERSION_MIN = 150_000;
/** Two connections that listen, and one of a command. */
const EXTRA_CONNECTIONS = 3;

/** Runs all checks of the database. Returns its size too. */
export async function checkDatabase(
  sql: Sql,
  { connections, databaseUrl, now }: Options,
): Promise<{ readonly findings: Finding[]; readonly bytes: number }> {
  const sentAt = now();
  const clock = await readDatabaseClock(sql);
  const receivedAt = now();
  const flags = await readDatabaseFlags(sql);
  const findings = [
    checkClock('clock of the database', clock.getTime() - (sentAt + receivedAt) / 2, receivedAt - sentAt),
    ...checkFlags(flags),
    checkConnections(flags, connections),
    checkTls(flags, databaseUrl),
    // Oja configures the memory of its own database when it starts.
    ...(databaseUrl === undefined ? [] : [checkSharedMemory(flags), await checkSessions(databaseUrl)]),
    await checkSchema(sql),
  ];
  return { findings, bytes: Number(flags.bytes) };
}

export function checkFlags(flags: DatabaseFlags): Finding[] {
  const durable = 'otherwise a power failure loses acknowledged purchases; set it in postgresql.conf';
  const set = (name: string, value: string, isRight: boolean, todo: string): Finding =>
    isRight
      ? ok(`database ${name}`, `${name} = ${value}`)
      : wrong(`database ${name}`, `${name} = ${value}`, todo);
  return [
    set('version', flags.versionText, flags.version >= VERSION_MIN, 'upgrade to PostgreSQL 15 or later'),
    set('fsync', flags.fsync, flags.fsync === 'on', `fsync = on: ${durable}`),
    set(
      'full_page_writes',
      flags.fullPageWrites,
      flags.fullPageWrites === 'on',
      `full_page_writes = on: ${durable}`,
    ),
    set(
      'synchronous_commit',
      flags.synchronousCommit,
      flags.synchronousCommit !== 'off',
      `synchronous_commit = on: ${durable}`,
    ),
    flags.dataChecksums === 'on'
      ? ok('database data_checksums', 'data_checksums = on')
      : warn(
          'database data_checksums',
          `data_checksums = ${flags.dataChecksums}`,
          'disk corruption is not detected; stop the server and run pg_checksums --enable',
        ),
    set('encoding', flags.encoding, flags.encoding === 'UTF8', 'create the database with encoding UTF8'),
    checkWrites(flags),
  ];
}

function checkWrites({ isStandby, isReadOnly }: DatabaseFlags): Finding {
  const check = 'database writes';
  if (isStandby) return wrong(check, 'the server is a read-only standby', 'set DATABASE_URL to the primary');
  if (!isReadOnly) return ok(check, 'the server is a primary');
  return wrong(
    check,
    'the database is read-only (default_transaction_read_only)',
    'alter database or role … reset default_transaction_read_only',
  );
}

function checkConnections({ connectionsMax, connectionsUsed }: DatabaseFlags, connections: number): Finding {
  const seen = `${connectionsUsed} of ${connectionsMax} in use; each process uses up to ${connections + EXTRA_CONNECTIONS}`;
  const todo = 'raise max_connections, or lower OJA_DATABASE_CONNECTIONS';
  if (connections + EXTRA_CONNECTIONS > connectionsMax) return wrong('database connections', seen, todo);
  const isFull = connectionsUsed + EXTRA_CONNECTIONS > connectionsMax;
  return isFull ? warn('database connections', seen, todo) : ok('database connections', seen);
}

/** Purchases of many merchants touch index pages everywhere: see docs/proof.md, ten million. */
export function checkSharedMemory({
  bytes,
  sharedBytes,
}: Pick<DatabaseFlags, 'bytes' | 'sharedBytes'>): Finding {
  const check = 'database memory';
  const [size, shared] = [Number(bytes), Number(sharedBytes)];
  const seen = `shared_buffers = ${formatBytes(shared)}; the database has ${formatBytes(size)}`;
  if (shared >= Math.min(SHARED_ENOUGH, size / 16)) return ok(check, seen);
  return warn(check, seen, 'raise shared_buffers to 1GB, or purchases of many merchants wait for pages');
}

function checkTls({ isEncrypted }: DatabaseFlags, databaseUrl: string | undefined): Finding {
  const check = 'database TLS';
  if (databaseUrl === undefined) return skipped(check, "Oja's own database uses a local socket");
  if (isEncrypted) return ok(check, 'the connection is encrypted');
  if (isLocal(databaseUrl)) return ok(check, 'unencrypted, on this machine');
  return wrong(
    check,
    'the connection to another machine is unencrypted, which exposes its password and all data',
    'add sslmode=verify-full to DATABASE_URL and turn on ssl in the server',
  );
}

/** Whether the database server is on this machine. */
export function isLocal(databaseUrl: string): boolean {
  const host = serverHost(databaseUrl);
  return host === '' || host.startsWith('/') || isThisMachine(host);
}

async function checkSessions(connectionString: string): Promise<Finding> {
  const check = 'database sessions';
  const pooling = await checkPooling(connectionString);
  if (pooling === 'shared') {
    return wrong(
      check,
      'a pooler assigns server connections per transaction',
      'set pool_mode = session in PgBouncer (high-availability.md)',
    );
  }
  return ok(check, pooling === 'own' ? 'a pooler with session pooling' : 'no pooler');
}

async function checkSchema(sql: Sql): Promise<Finding> {
  const check = 'database schema';
  try {
    const pending = await listPendingMigrations(sql);
    return pending.length === 0
      ? ok(check, 'up to date')
      : warn(
          check,
          `pending migrations: ${pending.join(', ')}`,
          (await findPlacements(sql)).length > 0
            ? 'stop all gateways and run ./oja cluster upgrade (distributed.md)'
            : 'start a gateway to apply them (running.md)',
        );
  } catch (error) {
    if (error instanceof MigrationError) return wrong(check, error.message, 'see running.md');
    return warn(check, 'not set up yet', 'start a gateway to set it up');
  }
}

/** Returns the host of the URL, the folder of a socket, or an empty string. */
function serverHost(databaseUrl: string): string {
  const { hostname, searchParams } = new URL(databaseUrl);
  return searchParams.get('host') || decodeURIComponent(hostname);
}

/** PostgreSQL's code for a table that does not exist. */
const undefinedTable = '42P01';

/** Wraps a database so that a table that does not exist yet has no rows. */
export function beforeMigration(sql: Sql): Sql {
  return {
    query: async (text, values) => {
      try {
        return await sql.query(text, values);
      } catch (error) {
        if (sqlState(error) === undefinedTable) return [];
        throw error;
      }
    },
  };
}

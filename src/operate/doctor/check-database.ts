/** The database: its clock, what it promises of what was committed, its version and its room. */

import { formatBytes } from '../../core/bytes.ts';
import { isThisMachine } from '../../core/this-machine.ts';
import { checkPooling } from '../../db/check-pooling.ts';
import type { Sql } from '../../db/database.ts';
import { sqlState } from '../../db/database-errors.ts';
import { listPendingMigrations } from '../../db/migrate.ts';
import { MigrationError } from '../../db/migration-error.ts';
import { type DatabaseFlags, readDatabaseClock, readDatabaseFlags } from './doctor-store.ts';
import { type Finding, ok, skipped, warn, wrong } from './finding.ts';

const WARN_MS = 2_000;
const WRONG_MS = 30_000;

/** `aheadMs`: how far the other is ahead; `unsureMs`: by how much that may be mistaken. */
export function checkClock(check: string, aheadMs: number, unsureMs: number): Finding {
  const apartMs = Math.max(0, Math.abs(aheadMs) - unsureMs);
  const seen = `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`;
  const todo = 'let chrony or systemd-timesyncd set the clocks of both';
  if (apartMs > WRONG_MS) return wrong(check, seen, todo);
  return apartMs > WARN_MS ? warn(check, seen, todo) : ok(check, seen);
}

type Options = {
  /** Of each process of the gateway. */
  readonly connections: number;
  /** By the settings; undefined where Oja runs its own. */
  readonly databaseUrl: string | undefined;
  readonly now: () => number;
};

/** In bytes. A database of any size does with it, and a small one with less. */
const SHARED_ENOUGH = 1_024 ** 3;
const VERSION_MIN = 150_000;
/** Two that listen, and one of a command. */
const CONNECTIONS_BESIDE = 3;

/** Also how large it is. */
export async function checkDatabase(
  sql: Sql,
  { connections, databaseUrl, now }: Options,
): Promise<{ readonly findings: Finding[]; readonly bytes: number }> {
  const askedAt = now();
  const clock = await readDatabaseClock(sql);
  const answeredAt = now();
  const flags = await readDatabaseFlags(sql);
  const findings = [
    checkClock('clock of the database', clock.getTime() - (askedAt + answeredAt) / 2, answeredAt - askedAt),
    ...checkFlags(flags),
    checkConnections(flags, connections),
    checkTls(flags, databaseUrl),
    // Oja's own takes what the machine and the database ask for, at its start.
    ...(databaseUrl === undefined ? [] : [checkSharedMemory(flags), await checkSessions(databaseUrl)]),
    await checkSchema(sql),
  ];
  return { findings, bytes: Number(flags.bytes) };
}

export function checkFlags(flags: DatabaseFlags): Finding[] {
  const durable = 'a purchase that was acknowledged is lost with the power: set it in postgresql.conf';
  const set = (name: string, value: string, isRight: boolean, todo: string): Finding =>
    isRight
      ? ok(`database ${name}`, `${name} = ${value}`)
      : wrong(`database ${name}`, `${name} = ${value}`, todo);
  return [
    set('version', flags.versionText, flags.version >= VERSION_MIN, 'PostgreSQL 15 or later is needed'),
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
          'a disk that decays is not noticed: stop the server, pg_checksums --enable',
        ),
    set('encoding', flags.encoding, flags.encoding === 'UTF8', 'create the database with encoding UTF8'),
    checkWrites(flags),
  ];
}

function checkWrites({ isStandby, isReadOnly }: DatabaseFlags): Finding {
  const check = 'database writes';
  if (isStandby)
    return wrong(check, 'it is a standby, which takes no writes', 'name the primary in DATABASE_URL');
  if (!isReadOnly) return ok(check, 'it is a primary, and takes writes');
  return wrong(
    check,
    'it is read-only (default_transaction_read_only)',
    'alter database or role … reset default_transaction_read_only',
  );
}

function checkConnections({ connectionsMax, connectionsUsed }: DatabaseFlags, connections: number): Finding {
  const seen = `${connectionsUsed} of ${connectionsMax} are in use; each process takes up to ${connections + CONNECTIONS_BESIDE}`;
  const todo = 'raise max_connections, or lower OJA_DATABASE_CONNECTIONS';
  if (connections + CONNECTIONS_BESIDE > connectionsMax) return wrong('database connections', seen, todo);
  const isFull = connectionsUsed + CONNECTIONS_BESIDE > connectionsMax;
  return isFull ? warn('database connections', seen, todo) : ok('database connections', seen);
}

/** Purchases of many merchants need pages all over the indexes: see docs/proof.md, ten million. */
export function checkSharedMemory({
  bytes,
  sharedBytes,
}: Pick<DatabaseFlags, 'bytes' | 'sharedBytes'>): Finding {
  const check = 'database memory';
  const [size, shared] = [Number(bytes), Number(sharedBytes)];
  const seen = `shared_buffers = ${formatBytes(shared)}; the database has ${formatBytes(size)}`;
  if (shared >= Math.min(SHARED_ENOUGH, size / 16)) return ok(check, seen);
  return warn(check, seen, 'with many merchants purchases wait for pages: raise shared_buffers to 1GB');
}

function checkTls({ isEncrypted }: DatabaseFlags, databaseUrl: string | undefined): Finding {
  const check = 'database TLS';
  if (databaseUrl === undefined) return skipped(check, "Oja's own, by a socket of this machine");
  if (isEncrypted) return ok(check, 'the connection is encrypted');
  if (isLocal(databaseUrl)) return ok(check, 'on this machine, in clear');
  return wrong(
    check,
    'the connection to another machine is in clear: its password and every number can be read on the way',
    'add sslmode=verify-full to DATABASE_URL, and turn on ssl in the server',
  );
}

/** Its server is on this machine. */
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
      'a pooler hands out the connections of the server anew for each transaction',
      'set pool_mode = session in PgBouncer (high-availability.md)',
    );
  }
  return ok(check, pooling === 'own' ? 'a pooler is between, and each is kept' : 'no pooler is between');
}

async function checkSchema(sql: Sql): Promise<Finding> {
  const check = 'database schema';
  try {
    const pending = await listPendingMigrations(sql);
    return pending.length === 0
      ? ok(check, 'it is that of this version')
      : warn(
          check,
          `to be migrated: ${pending.join(', ')}`,
          'the next start of a gateway does it (upgrading.md)',
        );
  } catch (error) {
    if (error instanceof MigrationError) return wrong(check, error.message, 'see upgrading.md');
    return warn(check, 'it is not set up yet', 'the first start of a gateway does it');
  }
}

/** Empty where the URL names none; for a socket, its folder. */
function serverHost(databaseUrl: string): string {
  const { hostname, searchParams } = new URL(databaseUrl);
  return searchParams.get('host') || decodeURIComponent(hostname);
}

/** PostgreSQL's code for a table that does not exist. */
const undefinedTable = '42P01';

/** A table that does not exist yet has no rows. */
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

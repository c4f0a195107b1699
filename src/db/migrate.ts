/**
 * Brings the database's schema to the version of this code, from the files of one folder.
 *
 * `NNNN_name.sql` run once, in number order, each in its own transaction, and never change
 * afterwards. One that begins with the line `-- no transaction` runs statement by statement, so
 * that it can build indexes during traffic. If it is interrupted, it runs again from its start, and
 * must allow for that. `functions/*.sql` contain functions that may be replaced; they run again, in
 * name order, whenever their text has changed.
 *
 * Guarantees: any number of processes may start at once (one migrates, the others wait); a
 * migration in the database that is absent or different in the folder is refused before anything
 * runs; the traffic never waits long for a lock that the migration waits for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createCellSchemas, dropCellSchemas } from './cell-schemas.ts';
import type { Database, Sql, Tx } from './database.ts';
import { isLockTrouble } from './database-errors.ts';
import { findPlacements } from './find-cells.ts';
import { MigrationError } from './migration-error.ts';
import {
  defaultFolder,
  isOnline,
  type Migration,
  readFiles,
  readMigrations,
  type SqlFile,
} from './migration-files.ts';
import { completePartitions, countCells, partitionTables } from './partition-tables.ts';
import { requireFitServer } from './require-fit-server.ts';

type Plan = {
  readonly migrations: readonly Migration[];
  readonly functions: readonly SqlFile[];
  readonly cells: number;
  readonly terms?: MigrationTerms;
};

/** How migrations run on a distributed database. */
export type MigrationTerms = {
  /** Runs a migration that has a transaction. */
  readonly run: (tx: Tx, text: string) => Promise<void>;
  /** Runs before the functions, in their transaction. */
  readonly complete: (tx: Tx) => Promise<void>;
  /** Functions that `complete` creates, by the names of their files. */
  readonly functions: readonly string[];
};

/** The first migration of versions before 1.0, whose databases cannot be upgraded. */
const firstBefore10 = '0001_core.sql';

/** An arbitrary number that no other lock of Oja uses. */
const migrationLock = 7_305_414_212n;

/**
 * The lock of the one process that runs a file without a transaction. No SQL statement waits for
 * it: building an index waits for every running statement, and the two would wait for each other.
 */
const onlineLock = 7_305_414_213n;
const ONLINE_POLL_MS = 200;
/**
 * How long a migration waits for a lock, in milliseconds, before it lets the traffic pass and tries
 * again. Statements that arrive while it waits are blocked too, even reads.
 */
const LOCK_MS = 1_000;
const LOCK_PAUSE_MS = 1_000;

/**
 * Applies missing files, and returns their names, in order. `cells` is the number of cells of a new
 * database, one if absent. Rejects with MigrationError if a number is missing or repeated, an
 * applied file has changed, the database is newer than the folder, belongs to a version before 1.0
 * or has a different number of cells, or its server is unsuitable; with PostgreSQL's error if a
 * file fails. A file that fails stores nothing.
 */
export async function migrate(
  database: Database,
  folder = defaultFolder,
  cells?: number,
): Promise<readonly string[]> {
  const { migrations, functions } = await readFiles(folder);
  await requireFitServer(database);
  const present = await againWhileHeld(() => locked(database, (tx) => prepare(tx, cells)));
  if ((await findPlacements(database)).length > 0) {
    const [first] = await findNewFiles(database, folder);
    if (first === undefined) return [];
    throw new MigrationError(
      'cluster_upgrade',
      `this installation is distributed and lacks ${first}: stop all gateways and run ./oja cluster upgrade`,
    );
  }
  return await applyAll(database, {
    migrations: migrations.map((file) => ({ ...file, text: partitionTables(file.text, present) })),
    functions,
    cells: present,
  });
}

/**
 * Like `migrate`, for the coordinator of a distributed database whose cells no process uses. Does
 * not change the schemas of its cells.
 */
export async function migrateDistributed(
  database: Database,
  terms: MigrationTerms,
  folder = defaultFolder,
): Promise<readonly string[]> {
  const { migrations, functions } = await readFiles(folder);
  return await applyAll(database, {
    migrations,
    functions: functions.map((file) => (terms.functions.includes(file.name) ? { ...file, text: '' } : file)),
    cells: 1,
    terms,
  });
}

/** Returns the names of the files that the database lacks, or that differ from its own. */
export async function findNewFiles(sql: Sql, folder = defaultFolder): Promise<readonly string[]> {
  const { migrations, functions } = await readFiles(folder);
  const lacked = migrations.slice(await countApplied(sql, migrations));
  const present = await readFunctionChecksums(sql);
  const changed = functions.filter(({ name, checksum }) => present.get(name) !== checksum);
  return [...lacked.map(({ name }) => name), ...changed.map(({ name }) => `functions/${name}`)];
}

async function applyAll(database: Database, plan: Plan): Promise<readonly string[]> {
  const applied: string[] = [];
  for (;;) {
    const step = await againWhileHeld(() => locked(database, (tx) => applyNext(tx, plan)));
    applied.push(...step.applied);
    if (step.next === 'done') return applied;
    if (step.next === 'online') applied.push(...(await database.session((sql) => applyOnline(sql, plan))));
  }
}

/**
 * Checks a database without migrating it. Rejects with MigrationError if it is older or newer than
 * the folder, and with PostgreSQL's error if no migration was ever applied.
 */
export async function requireMigrated(sql: Sql, folder = defaultFolder): Promise<void> {
  const migrations = await readMigrations(folder);
  const lacked = migrations[await countApplied(sql, migrations)];
  if (lacked === undefined) return;
  throw new MigrationError(
    'database_older',
    `the database is older than this version of Oja: it lacks ${lacked.name}; start a gateway of this version, which brings it`,
  );
}

/**
 * Returns the names of the migrations that the database lacks. Changes nothing. Rejects like
 * `requireMigrated`, but not for an older database.
 */
export async function listPendingMigrations(sql: Sql, folder = defaultFolder): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  return migrations.slice(await countApplied(sql, migrations)).map(({ name }) => name);
}

async function readFunctionChecksums(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ name: string; checksum: string }>(`
    select name, checksum
    from schema_functions`);
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function locked<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await database.transaction(
    async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [migrationLock]);
      await tx.query(`set local lock_timeout = ${LOCK_MS}`);
      return await work(tx);
    },
    { patient: true },
  );
}

/** Runs `work` until it gets all its locks. A failed attempt is rolled back. */
async function againWhileHeld<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTrouble(error)) throw error;
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

/** Creates the tables of this file, and returns how many cells the database has or gets. */
async function prepare(tx: Tx, cells: number | undefined): Promise<number> {
  await createBookkeeping(tx);
  const present = await countCells(tx);
  const [home] = await tx.query<{ schema: string }>('select current_schema() as schema');
  if ((cells ?? present ?? 1) > 1 && home?.schema !== 'public') {
    throw new MigrationError(
      'cells_schema',
      'a database with several cells needs its tables in the schema public: remove OJA_CELLS, or the search_path of DATABASE_URL',
    );
  }
  if (present === undefined || cells === undefined || cells === present) return present ?? cells ?? 1;
  throw new MigrationError(
    'cells_other',
    `OJA_CELLS is ${cells}, but the database was created with ${present}: remove the setting, or name an empty database`,
  );
}

async function createBookkeeping(tx: Tx): Promise<void> {
  await tx.query('set local client_min_messages = warning');
  await tx.query(`
    create table if not exists schema_migrations (
      version integer not null constraint schema_migrations_pkey primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
  await tx.query(`
    create table if not exists schema_functions (
      name text not null constraint schema_functions_pkey primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
}

type Step = { readonly applied: readonly string[]; readonly next: 'transaction' | 'online' | 'done' };

/**
 * Runs the first migration that the database lacks, unless it is one without a transaction. The
 * last consecutive migrations in transactions run together, and the functions with them: processes
 * of the previous version must not see new tables with old functions. Those without a transaction
 * that follow come after the functions.
 */
async function applyNext(tx: Tx, { migrations, functions, cells, terms }: Plan): Promise<Step> {
  const applied: string[] = [];
  const last = migrations.findLastIndex((migration) => !isOnline(migration));
  const onlineBefore = migrations.slice(0, last + 1).findLastIndex(isOnline);
  for (let index = await countApplied(tx, migrations); ; index += 1) {
    const migration = migrations[index];
    if (migration === undefined || index > last) {
      await terms?.complete(tx);
      applied.push(...(await replaceFunctions(tx, functions)));
      if (cells > 1) {
        await completePartitions(tx);
        await createCellSchemas(tx, cells);
      }
      return { applied, next: migration === undefined ? 'done' : 'online' };
    }
    if (isOnline(migration)) return { applied, next: 'online' };
    if (cells > 1 && applied.length === 0) await dropCellSchemas(tx, cells);
    await runFile(tx, migration.name, migration.text, terms?.run);
    await noteApplied(tx, migration);
    applied.push(migration.name);
    const isInTail = onlineBefore >= 0 && index > onlineBefore;
    if (index < last && !isInTail) return { applied, next: 'transaction' };
  }
}

/** Runs the first migration the database lacks if it is one without a transaction. */
async function applyOnline(sql: Sql, { migrations }: Plan): Promise<string[]> {
  while (!(await tryLock(sql))) await sleep(ONLINE_POLL_MS);
  const next = migrations[await countApplied(sql, migrations)];
  if (next === undefined || !isOnline(next)) return [];
  for (const statement of next.text.split(/;[ \t]*\n/)) {
    const text = statement.replaceAll(/^\s*--.*$/gm, '').trim();
    if (text === '') continue;
    // A concurrent index build waits for old transactions, and blocks no statement.
    await sql.query(`set lock_timeout = ${/\bconcurrently\b/.test(text) ? 0 : LOCK_MS}`);
    await againWhileHeld(() => runFile(sql, next.name, statement));
  }
  await noteApplied(sql, next);
  return [next.name];
}

async function tryLock(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    onlineLock,
  ]);
  return row?.locked === true;
}

async function noteApplied(sql: Sql, migration: Migration): Promise<void> {
  await sql.query(
    `insert into schema_migrations (version, name, checksum)
     values ($1, $2, $3)`,
    [migration.version, migration.name, migration.checksum],
  );
}

/**
 * Returns how many migrations the database has. Checks that they are the first ones of the folder,
 * unchanged.
 */
async function countApplied(sql: Sql, migrations: readonly Migration[]): Promise<number> {
  const rows = await sql.query<{ version: number; name: string; checksum: string }>(`
    select version, name, checksum
    from schema_migrations
    order by version`);
  if (rows[0]?.name === firstBefore10 && migrations[0]?.name !== firstBefore10) {
    throw new MigrationError(
      'database_before_10',
      'this database was created by a version of Oja before 1.0, which cannot be upgraded: name an empty database',
    );
  }
  for (const [index, row] of rows.entries()) {
    const file = migrations[index];
    if (file === undefined) {
      throw new MigrationError(
        'database_newer',
        `the database is newer than this version of Oja: it has the unknown migration ${row.name}`,
      );
    }
    if (row.version !== file.version || row.checksum !== file.checksum) {
      if (row.name === file.name) {
        throw new MigrationError(
          'migration_changed',
          `migration ${file.name} has changed since it was applied; add a new migration instead`,
        );
      }
      throw new MigrationError(
        'migration_other',
        `the database has migration ${row.name} where this version of Oja has ${file.name}`,
      );
    }
  }
  return rows.length;
}

/** Runs the files of functions whose text has changed. */
async function replaceFunctions(tx: Tx, files: readonly SqlFile[]): Promise<string[]> {
  const applied: string[] = [];
  const present = await readFunctionChecksums(tx);
  // A function may call one whose file comes later.
  await tx.query('set local check_function_bodies = off');
  for (const file of files) {
    if (present.get(file.name) !== file.checksum) {
      await runFile(tx, file.name, file.text);
      await tx.query(
        `insert into schema_functions (name, checksum)
         values ($1, $2)
         on conflict (name) do update
         set checksum = excluded.checksum, applied_at = now()`,
        [file.name, file.checksum],
      );
      applied.push(`functions/${file.name}`);
    }
  }
  return applied;
}

async function runFile<S extends Sql>(
  sql: S,
  name: string,
  text: string,
  run: (sql: S, text: string) => Promise<unknown> = (on, all) => on.query(all),
): Promise<void> {
  try {
    await run(sql, text);
  } catch (error) {
    if (error instanceof Error) {
      error.message = `${name}: ${error.message}`;
    }
    throw error;
  }
}

/**
 * Puts a backup in the place of a gateway's database.
 *
 * Guarantees: the database that is there is not touched before the restored one has been checked,
 * has recovered, and says by a file beside it that it starts fenced; it is moved aside, never
 * removed; a restore that was killed can be run again.
 */
import { access, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Sql } from '../db/database.ts';
import { openDatabase } from '../db/database.ts';
import { EmbeddedServerError, lockDataFolder, restoringFolder } from '../db/embedded-server.ts';
import { listPendingMigrations } from '../db/migrate.ts';
import { makeDataFolder } from '../kernel/data-folder.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { syncFolder } from '../kernel/write-durably.ts';
import { writeFenceRequest } from '../recovery/fence-request.ts';
import { BackupError, reasonOf } from './backup-error.ts';
import type { FoundBackup } from './backup-folder.ts';
import type { BackupKey } from './backup-key.ts';
import { countRows } from './backup-store.ts';
import { requireSpace } from './disk-space.ts';
import { runRestored } from './run-restored.ts';

export type RestoreOptions = {
  readonly dataDir: string;
  readonly key: BackupKey | undefined;
  /** The database that is there may be moved aside. */
  readonly replace: boolean;
  readonly until: Date | undefined;
  readonly addWal: ((walFolder: string) => Promise<void>) | undefined;
  /** Whether what is kept sealed opens with the keys of this installation. */
  readonly opensSecrets: (sql: Sql) => Promise<boolean>;
  readonly now: () => Date;
  readonly onProgress: OnProgress;
};

export type Restored = {
  /** Where the database that was there is now; undefined where there was none. */
  readonly movedTo: string | undefined;
  readonly purchases: bigint;
  readonly transfers: bigint;
};

/** Throws BackupError, also where a gateway or a command has the data folder. */
export async function restoreBackup(backup: FoundBackup, options: RestoreOptions): Promise<Restored> {
  const { dataDir, replace } = options;
  const place = join(resolve(dataDir), 'postgres');
  await makeDataFolder(dataDir).catch((error: unknown) => {
    throw new BackupError('data_dir_unusable', `${dataDir} cannot hold a database: ${reasonOf(error)}`);
  });
  const lock = await takeFolder(dataDir);
  try {
    if ((await isThere(place)) && !replace) {
      throw new BackupError(
        'database_exists',
        `there is a database in ${dataDir}: with --yes it is moved aside, and the backup takes its place`,
      );
    }
    const bytes = backup.manifest.files.reduce((sum, { size }) => sum + size, 0);
    await requireSpace(dataDir, bytes, 'the restored database');
    const restoring = restoringFolder(dataDir);
    await rm(restoring, { recursive: true, force: true });
    const counts = await buildAside(backup, restoring, options);
    const movedTo = await moveIntoPlace(backup, { place, restoring, dataDir });
    return { movedTo, ...counts };
  } finally {
    await lock.release();
  }
}

/** Throws BackupError where a gateway or a command has the data folder. */
export async function requireStopped(dataDir: string): Promise<void> {
  if (!(await isThere(dataDir))) return;
  const lock = await takeFolder(dataDir);
  await lock.release();
}

async function takeFolder(dataDir: string): ReturnType<typeof lockDataFolder> {
  return await lockDataFolder(dataDir).catch((error: unknown) => {
    if (!(error instanceof EmbeddedServerError)) throw error;
    throw new BackupError('data_dir_in_use', `${error.message}: stop it first`);
  });
}

async function buildAside(
  backup: FoundBackup,
  restoring: string,
  options: RestoreOptions,
): Promise<{ purchases: bigint; transfers: bigint }> {
  try {
    await makeDataFolder(restoring);
    const counts = await recover(backup, restoring, options);
    await writeFenceRequest(restoring, {
      backup: backup.manifest.id,
      taken_at: backup.manifest.taken_at,
      restored_at: options.now().toISOString(),
      until: options.until?.toISOString() ?? null,
    });
    await syncFolder(join(restoring, 'postgres'));
    return counts;
  } catch (error) {
    await rm(restoring, { recursive: true, force: true });
    throw error;
  }
}

/** Resolves when the database has taken in its log, was looked at, and its server has stopped. */
async function recover(
  backup: FoundBackup,
  restoring: string,
  { key, until, addWal, opensSecrets, onProgress }: RestoreOptions,
): Promise<{ purchases: bigint; transfers: bigint }> {
  await using stack = new AsyncDisposableStack();
  const server = await runRestored(backup, restoring, {
    key,
    durable: true,
    onProgress,
    ...(until && { until }),
    ...(addWal && { addWal }),
  });
  stack.defer(() => server.stop());
  const database = stack.use(
    openDatabase({
      connectionString: server.connectionString,
      connectionsMax: 1,
      applicationName: 'oja-restore',
      onPoolError: () => undefined,
    }),
  );
  // A gateway would refuse the database of a newer version, when the present one has gone.
  await listPendingMigrations(database);
  if (await opensSecrets(database)) return await countRows(database);
  const { id, encryption_key_id: keyId } = backup.manifest;
  throw new BackupError(
    'sealing_key_missing',
    `what is kept sealed in backup ${id} was sealed under key ${keyId}, which is not the encryption key here: set OJA_ENCRYPTION_KEY, or put encryption.key into the data folder`,
  );
}

/**
 * Killed between the two moves, it leaves no database. A server then refuses to make a new one
 * (`startEmbeddedServer`), and the restore is to be run again.
 */
async function moveIntoPlace(
  { manifest }: FoundBackup,
  {
    place,
    restoring,
    dataDir,
  }: { readonly place: string; readonly restoring: string; readonly dataDir: string },
): Promise<string | undefined> {
  const aside = await freeName(`${place}.before-${manifest.id}`);
  const hadOne = await isThere(place);
  if (hadOne) await rename(place, aside);
  await rename(join(restoring, 'postgres'), place);
  await syncFolder(resolve(dataDir));
  await rm(restoring, { recursive: true, force: true });
  return hadOne ? aside : undefined;
}

async function freeName(path: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}-${number}`;
    if (!(await isThere(name))) return name;
  }
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

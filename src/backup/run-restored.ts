/**
 * Writes a backup into a folder that is not in use, and starts a server on it once, so that it
 * takes in the log: only then it is a database again.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  clusterOf,
  type EmbeddedServer,
  EmbeddedServerError,
  startEmbeddedServer,
} from '../db/embedded-server.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { BackupError } from './backup-error.ts';
import type { FoundBackup } from './backup-folder.ts';
import type { BackupKey } from './backup-key.ts';
import { checkArchive, readArchive } from './read-archive.ts';

export type RunRestored = {
  readonly key: BackupKey | undefined;
  /** False: for a look, after which it is thrown away: nothing is synced to the disk. */
  readonly durable: boolean;
  readonly onProgress: OnProgress;
  /** Up to when the log that was kept after the backup is taken in: by the database's clock. */
  readonly until?: Date;
  /** Brings that log to the folder of the cluster's own. */
  readonly addWal?: (walFolder: string) => Promise<void>;
};

/**
 * `folder` becomes a data folder. The server runs when it resolves, and has taken in all it should.
 * Throws BackupError.
 */
export async function runRestored(
  backup: FoundBackup,
  folder: string,
  { key, durable, onProgress, until, addWal }: RunRestored,
): Promise<EmbeddedServer> {
  const { manifest } = backup;
  onProgress({ step: 'checking', done: manifest.files.length, unit: 'files in the backup' });
  await checkArchive(backup);
  const target = join(folder, 'postgres');
  await mkdir(target, { recursive: true, mode: 0o700 });
  await readArchive({ ...backup, key }, target, (done) =>
    onProgress({ step: 'writing', done, unit: `of ${manifest.files.length} files` }),
  );
  const cluster = clusterOf(folder);
  await addWal?.(join(cluster, 'pg_wal'));
  // The history goes on under a new number, so that its log is not taken for that of the original.
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  onProgress({ step: 'recovering', done: manifest.files.length, unit: 'files' });
  try {
    return await startEmbeddedServer({
      dataDir: folder,
      durable,
      settings: { ...recovery(until), ...(durable ? {} : forALook) },
    });
  } catch (error) {
    if (!(error instanceof EmbeddedServerError)) throw error;
    throw new BackupError('backup_not_recovering', `the backup does not recover: ${error.message}`, {
      cause: error,
    });
  }
}

function recovery(until: Date | undefined): Readonly<Record<string, string>> {
  return {
    // All of the log that is needed lies with the cluster.
    restore_command: '/bin/false',
    recovery_target_timeline: 'current',
    // Nobody is to connect before it has ended.
    hot_standby: 'off',
    ...(until && {
      // `Z` is not understood that early in a start.
      recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00'),
      recovery_target_inclusive: 'on',
      recovery_target_action: 'promote',
    }),
  };
}

/** Beside a gateway that works, on a machine that has not much. */
const forALook: Readonly<Record<string, string>> = {
  shared_buffers: '64MB',
  max_connections: '20',
  min_wal_size: '80MB',
  autovacuum: 'off',
};

/**
 * Takes a backup of Oja's own server while it runs: its files, copied as they change, and the log
 * that makes them whole.
 *
 * Guarantees: what was committed before `taken_at` is in it; no snapshot is held, so purchases and
 * vacuum go on; a backup that is not whole never has a backup's name.
 */
import { join } from 'node:path';
import type { Database, Sql } from '../db/database.ts';
import { isConnectionLost, isUnavailable } from '../db/database-errors.ts';
import { clusterOf } from '../db/embedded-server.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { BackupError, hasCode, reasonOf } from './backup-error.ts';
import { newBackupId, type OpenFolder } from './backup-folder.ts';
import type { BackupKey } from './backup-key.ts';
import {
  type BackupStart,
  type BackupStop,
  endBackup,
  readServerFacts,
  type ServerFacts,
  startBackup,
  stopBackup,
} from './backup-store.ts';
import { listClusterFiles } from './cluster-files.ts';
import { requireSpace } from './disk-space.ts';
import { type Manifest, type ManifestBody, type StoredFile, writeManifest } from './manifest.ts';
import { walNames } from './wal-names.ts';
import { type ArchiveWriter, writeArchive } from './write-archive.ts';

type Options = {
  readonly database: Pick<Database, 'session'>;
  readonly dataDir: string;
  /** Undefined: in clear. */
  readonly key: BackupKey | undefined;
  /** The version of Oja. */
  readonly version: string;
  /** The folder of the archive of the log, where one is kept. */
  readonly walArchive: string | undefined;
  readonly now: Date;
  readonly onProgress: OnProgress;
};

/** Gives the backup's folder and its manifest. Throws BackupError. */
export async function takeBackup(
  target: Pick<OpenFolder, 'path' | 'draft' | 'finish'>,
  options: Options,
): Promise<{ readonly folder: string; readonly manifest: Manifest }> {
  const id = newBackupId(options.now);
  try {
    return await take(id, target, options);
  } catch (error) {
    if (isUnavailable(error) || isConnectionLost(error)) {
      throw new BackupError(
        'database_away',
        `there is no backup: the database went away (${reasonOf(error)})`,
        {
          cause: error,
        },
      );
    }
    if (hasCode(error, ...diskFaults)) {
      throw new BackupError(
        'folder_unusable',
        `there is no backup: it cannot be written (${reasonOf(error)})`,
        {
          cause: error,
        },
      );
    }
    throw error;
  }
}

/** What an operator can mend. */
const diskFaults = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EPERM'];

async function take(
  id: string,
  target: Pick<OpenFolder, 'path' | 'draft' | 'finish'>,
  options: Options,
): Promise<{ readonly folder: string; readonly manifest: Manifest }> {
  return await options.database.session(async (sql) => {
    const facts = await readServerFacts(sql);
    await requireSpace(target.path, Number(facts.databaseBytes), 'a backup of this database');
    const draft = await target.draft(id);
    const copied = await copyCluster(sql, id, draft, facts, options);
    const manifest = await writeManifest(draft, bodyOf(id, facts, copied, options), options.key);
    return { folder: await target.finish(id), manifest };
  });
}

type Copied = {
  readonly start: BackupStart;
  readonly stop: BackupStop;
  readonly files: readonly StoredFile[];
  readonly archive: StoredFile;
};

async function copyCluster(
  sql: Sql,
  id: string,
  draft: string,
  { walSegmentBytes }: ServerFacts,
  { dataDir, key, onProgress }: Options,
): Promise<Copied> {
  const cluster = clusterOf(dataDir);
  const name = `cluster.tar.zst${key === undefined ? '' : '.age'}`;
  const start = await startBackup(sql, id);
  const ended = Promise.withResolvers<{ stop: BackupStop; files: readonly StoredFile[] }>();
  const stored = await writeArchive(join(draft, name), key, async (writer) => {
    const { folders, files } = await listClusterFiles(cluster);
    for (const folder of folders) await writer.addFolder(`cluster/${folder}`);
    for (const [index, file] of files.entries()) {
      await writer.addFile(`cluster/${file}`, join(cluster, file));
      onProgress({ step: 'copying', done: index + 1, unit: `of ${files.length} files` });
    }
    const stop = await stopBackup(sql, start);
    await writer.addText('cluster/backup_label', stop.label);
    await addWal(writer, cluster, stop, walSegmentBytes);
    ended.resolve({ stop, files: writer.files });
  });
  await endBackup(sql, id);
  return { start, ...(await ended.promise), archive: { path: name, ...stored } };
}

/** The server keeps these files for this backup: one that is missing is a fault. */
async function addWal(
  writer: ArchiveWriter,
  cluster: string,
  { firstWal, lastWal }: BackupStop,
  segmentBytes: number,
): Promise<void> {
  for (const name of walNames(firstWal, lastWal, segmentBytes)) {
    const path = `cluster/pg_wal/${name}`;
    await writer.addFile(path, join(cluster, 'pg_wal', name));
    const added = writer.files.at(-1);
    if (added?.path !== path || added.size !== segmentBytes) {
      throw new BackupError(
        'log_file_gone',
        `the server did not keep its log file ${name}: there is no backup`,
      );
    }
  }
}

function bodyOf(
  id: string,
  facts: ServerFacts,
  { start, stop, files, archive }: Copied,
  { key, version, walArchive }: Options,
): ManifestBody {
  return {
    format: 1,
    id,
    oja: version,
    schema: facts.schema ?? '',
    postgres: facts.version,
    system_identifier: facts.systemIdentifier,
    timeline: start.timeline,
    started_at: start.at.toISOString(),
    taken_at: stop.at.toISOString(),
    start_lsn: start.lsn,
    stop_lsn: stop.lsn,
    recipient: key?.recipient ?? null,
    encryption_key_id: facts.keyId,
    wal_archive: walArchive ?? null,
    archive,
    files: [...files],
  };
}

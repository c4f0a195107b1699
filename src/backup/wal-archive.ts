/**
 * The archive of the log of Oja's own server, for a restore to a moment after a backup. The server
 * puts each finished file of its log into a folder of its own (`spool`). From there a gateway
 * brings it, encrypted, to the archive.
 *
 * Guarantees: a file leaves the spool only when it is in the archive, whole and on the disk; what
 * is in the archive is never replaced; each database has a folder of its own in it, and a restored
 * one another, so that two histories never mix.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { clusterOf } from '../db/embedded-server.ts';
import { archiveMark, spoolName } from '../db/wal-spool.ts';
import { syncFolder } from '../kernel/write-durably.ts';
import { BackupError, hasCode, reasonOf } from './backup-error.ts';
import type { BackupKey } from './backup-key.ts';
import { decrypt, encrypt } from './encrypt-stream.ts';
import type { Manifest } from './manifest.ts';
import { Meter } from './write-archive.ts';

const ending = '.zst.age';
/** A file of the log, of a timeline's history, or of a backup's place in it. */
const walForm = /^(?:[0-9A-F]{24}(?:\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)$/;
const segmentForm = /^[0-9A-F]{24}$/;

/** The folder of this database in the archive; undefined where none is kept. */
export async function readArchiveId(dataDir: string): Promise<string | undefined> {
  return await readFile(archiveMark(dataDir), 'utf8').then(
    (text) => text.trim(),
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    },
  );
}

/** Brings what is in the spool to the archive. Gives how many files. Throws BackupError. */
export async function shipWal(dataDir: string, archiveDir: string, key: BackupKey): Promise<number> {
  const id = await readArchiveId(dataDir);
  if (id === undefined) return 0;
  const spool = join(clusterOf(dataDir), spoolName);
  const names = (await readdir(spool).catch(() => [])).filter((name) => walForm.test(name)).sort();
  if (names.length === 0) return 0;
  const target = join(archiveDir, id);
  try {
    await mkdir(target, { recursive: true, mode: 0o700 });
    const present = new Set(await readdir(target));
    for (const name of names) {
      const path = join(spool, name);
      if (present.has(name + ending)) await requireSame(path, join(target, name + ending), key);
      else await store(path, join(target, name + ending), key);
      await rm(path);
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError('folder_unusable', `the log cannot be brought to ${target}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  return names.length;
}

async function store(path: string, target: string, key: BackupKey): Promise<void> {
  const draft = `${target}.${randomUUID()}`;
  try {
    const compressed = createZstdCompress();
    const reading = pipeline(createReadStream(path), compressed);
    const stored = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    await Promise.all([reading, pipeline(await encrypt(compressed, key.recipient), stored)]);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(join(target, '..'));
}

/** A gateway that was killed before it emptied the spool has stored it already. */
async function requireSame(path: string, stored: string, key: BackupKey): Promise<void> {
  const [one, other] = [new Meter(), new Meter()];
  await pipeline(createReadStream(path), one.resume());
  const plain = await decrypt(createReadStream(stored), key);
  await pipeline(plain, createZstdDecompress(), other.resume());
  if (one.digest() === other.digest()) return;
  throw new BackupError(
    'log_file_exists',
    `${stored} is another file of the log under the same name, and is kept`,
  );
}

/** For a restore: what the archive has after a backup. Throws BackupError. */
export async function planWal(
  { id, wal_archive: archive, files }: Manifest,
  archiveDir: string | undefined,
  key: BackupKey | undefined,
): Promise<(walFolder: string) => Promise<void>> {
  if (archive === null) {
    throw new BackupError(
      'no_log_kept',
      `backup ${id} is restored as it was taken, without --until: no log was kept (OJA_WAL_ARCHIVE_DIR)`,
    );
  }
  if (archiveDir === undefined || key === undefined) {
    throw new BackupError(
      'log_archive_missing',
      '--until needs OJA_WAL_ARCHIVE_DIR, where the log was kept, and OJA_BACKUP_KEY',
    );
  }
  const folder = join(archiveDir, archive);
  const stored = await readdir(folder).catch((error: unknown) => {
    throw new BackupError('log_unreadable', `the log of backup ${id} cannot be read: ${reasonOf(error)}`);
  });
  const own = files.flatMap(({ path }) => /^cluster\/pg_wal\/([0-9A-F]{24})$/.exec(path)?.[1] ?? []).sort();
  const last = own.at(-1) ?? '';
  const names = stored
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((name) => segmentForm.test(name) && name > last && name.slice(0, 8) === last.slice(0, 8))
    .sort();
  return async (walFolder) => {
    for (const name of names) await fetchWal(join(folder, name + ending), join(walFolder, name), key);
  };
}

async function fetchWal(stored: string, path: string, key: BackupKey): Promise<void> {
  try {
    const plain = await decrypt(createReadStream(stored), key);
    await pipeline(plain, createZstdDecompress(), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    throw new BackupError('log_damaged', `${stored} is damaged: ${reasonOf(error)}`, { cause: error });
  }
}

/** Removes what is older than the oldest of these backups. Gives how many files. */
export async function pruneWal(archiveDir: string, kept: readonly Manifest[]): Promise<number> {
  let removed = 0;
  for (const archive of new Set(kept.flatMap(({ wal_archive: id }) => id ?? []))) {
    const firsts = kept
      .filter(({ wal_archive: id }) => id === archive)
      .flatMap(({ files }) =>
        files.flatMap(({ path }) => /^cluster\/pg_wal\/([0-9A-F]{24})$/.exec(path)?.[1] ?? []),
      );
    const first = firsts.sort()[0];
    const names = await readdir(join(archiveDir, archive)).catch(() => []);
    for (const name of names) {
      const segment = /^([0-9A-F]{24})/.exec(name)?.[1];
      if (first === undefined || segment === undefined || segment >= first) continue;
      await rm(join(archiveDir, archive, name), { force: true });
      removed += 1;
    }
  }
  return removed;
}

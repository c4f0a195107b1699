/**
 * Reads the one file of a backup back into a folder. Guarantees: nothing is written that the
 * manifest does not name, or outside the folder; it rejects unless every file of the manifest came,
 * byte for byte. Nothing is on the disk for certain: PostgreSQL syncs its whole folder before it
 * recovers.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { type Entry, extract as extractTar } from 'tar-stream';
import { BackupError, reasonOf } from './backup-error.ts';
import type { BackupKey } from './backup-key.ts';
import { decrypt } from './encrypt-stream.ts';
import type { Manifest, StoredFile } from './manifest.ts';
import { Meter } from './write-archive.ts';

type Source = { readonly folder: string; readonly manifest: Manifest; readonly key: BackupKey | undefined };

/** Throws BackupError where the stored file is not the one that the manifest names. */
export async function checkArchive({
  folder,
  manifest,
}: {
  readonly folder: string;
  readonly manifest: Pick<Manifest, 'archive'>;
}): Promise<void> {
  const { path, size, sha256 } = manifest.archive;
  const meter = new Meter();
  try {
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
    await pipeline(createReadStream(join(folder, path)), meter, sink);
  } catch (error) {
    throw new BackupError('backup_unreadable', `${join(folder, path)} cannot be read: ${reasonOf(error)}`);
  }
  if (meter.bytes !== size || meter.digest() !== sha256) {
    throw new BackupError(
      'backup_damaged',
      `${join(folder, path)} is damaged: its SHA-256 is not that of the manifest`,
    );
  }
}

/** Throws BackupError where something is missing, is too much, or is different. */
export async function readArchive(
  source: Source,
  target: string,
  onFile: (done: number) => void,
): Promise<void> {
  const { folder, manifest, key } = source;
  const stored = createReadStream(join(folder, manifest.archive.path));
  const plain: Readable = key === undefined ? stored : await decrypt(stored, key);
  const extract = extractTar();
  const expected = new Map(manifest.files.map((file) => [file.path, file]));
  const writing = (async () => {
    for await (const entry of extract) {
      await writeEntry(entry, target, expected);
      onFile(manifest.files.length - expected.size);
    }
  })();
  const ends = await Promise.allSettled([pipeline(plain, createZstdDecompress(), extract), writing]);
  const failed = ends.map((end) => (end.status === 'rejected' ? end.reason : undefined)).filter(Boolean);
  const own = failed.find((error) => error instanceof BackupError);
  if (failed.length > 0) {
    throw (
      own ??
      new BackupError('backup_unreadable', `the backup cannot be read: ${reasonOf(failed[0])}`, {
        cause: failed[0],
      })
    );
  }
  const [missing] = expected.keys();
  if (missing !== undefined)
    throw new BackupError('backup_damaged', `the backup is damaged: ${missing} is missing`);
}

async function writeEntry(entry: Entry, target: string, expected: Map<string, StoredFile>): Promise<void> {
  const { name, type } = entry.header;
  const path = join(target, name);
  if (!`${path}/`.startsWith(`${target}/`))
    throw new BackupError('backup_damaged', `the backup is damaged: it has ${name}`);
  if (type === 'directory') {
    await mkdir(path, { recursive: true, mode: 0o700 });
    entry.resume();
    return;
  }
  const file = expected.get(name);
  if (file === undefined || type !== 'file')
    throw new BackupError('backup_damaged', `the backup is damaged: it has ${name}`);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const meter = new Meter();
  await pipeline(entry, meter, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  if (meter.bytes !== file.size || meter.digest() !== file.sha256) {
    throw new BackupError('backup_damaged', `the backup is damaged: ${name} is not what was copied`);
  }
  expected.delete(name);
}

/**
 * Compares the archives of a folder with what the database says is in them: each file is read from
 * its beginning to its end. Changes nothing.
 */
import { join } from 'node:path';
import { BackupError, reasonOf } from '../backup/backup-error.ts';
import type { BackupKey } from '../backup/backup-key.ts';
import { checkArchive } from '../backup/read-archive.ts';
import type { Sql } from '../db/database.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { readBlocks } from './archive-file.ts';
import { listArchiveIds } from './archive-folder.ts';
import { readArchiveManifest, requireArchiveKey } from './archive-manifest.ts';
import { listArchives, readBlockRecord, type StoredArchive } from './archive-store.ts';

export type CheckedArchive = {
  readonly id: string;
  readonly state: 'good' | 'missing' | 'wrong' | 'unknown';
  /** What is wrong, and what it means. */
  readonly detail: string;
};

type Checking = {
  readonly sql: Sql;
  readonly keys: readonly BackupKey[];
  readonly onProgress: OnProgress;
};

/** The newest first. Throws BackupError where the folder cannot be read. */
export async function checkArchives(folder: string, checking: Checking): Promise<CheckedArchive[]> {
  const known = new Map((await listArchives(checking.sql)).map((one) => [one.id, one]));
  const here = new Set(await listArchiveIds(folder));
  const ids = [...new Set([...known.keys(), ...here])].sort().reverse();
  const checked: CheckedArchive[] = [];
  for (const id of ids) {
    const record = known.get(id);
    if (record === undefined) {
      checked.push({ id, state: 'unknown', detail: 'this database has no record of it: nothing is missing' });
    } else if (here.has(id)) {
      checked.push(await check(join(folder, id), record, checking));
    } else if (record.blocksOut > 0) {
      const detail = `it is not here; it was written to ${record.folder}, and ${record.vendsOut} purchases have their history in it alone`;
      checked.push({ id, state: 'missing', detail });
    }
  }
  return checked;
}

async function check(folder: string, record: StoredArchive, checking: Checking): Promise<CheckedArchive> {
  const { id } = record;
  try {
    const out = await compare(folder, record, checking);
    const detail =
      out === 0 ? 'all of it is back in the database' : `${out} purchases have their history in it alone`;
    return { id, state: 'good', detail };
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    return { id, state: 'wrong', detail: reasonOf(error) };
  }
}

/** Gives of how many purchases it has the only rows. */
async function compare(
  folder: string,
  record: StoredArchive,
  { sql, keys, onProgress }: Checking,
): Promise<number> {
  const manifest = await readArchiveManifest(folder);
  const key = requireArchiveKey(manifest, keys);
  if (manifest.archive.sha256 !== record.sha256) {
    throw new BackupError(
      'archive_changed',
      'it is not the file that was written: its SHA-256 is not that of the record',
    );
  }
  await checkArchive({ folder, manifest });
  let out = 0;
  let seen = 0;
  for await (const { number, block } of readBlocks(folder, manifest, key)) {
    const stored = await readBlockRecord(sql, record.id, number);
    if (stored !== undefined) {
      seen += 1;
      out += block.vendIds.length;
      const isSame = stored.merchantId === block.merchantId && stored.vendIds.join() === block.vendIds.join();
      if (!isSame)
        throw new BackupError(
          'record_differs',
          `the record of block ${number} names other purchases than the file`,
        );
    }
    onProgress({ step: 'reading', done: number, unit: `of ${manifest.blocks.length} blocks` });
  }
  if (seen !== record.blocksOut) {
    throw new BackupError(
      'record_differs',
      `the database says that ${record.blocksOut} blocks are out, and the file has ${seen} of them`,
    );
  }
  return out;
}

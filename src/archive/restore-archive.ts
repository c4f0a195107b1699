/**
 * Brings the rows of an archive back into the tables.
 *
 * Guarantees: each block comes back in one transaction with the removal of its record, and is
 * compared, row for row, with the file before that commits. So it can be killed anywhere and run
 * again: no row is lost or doubled. The file stays.
 */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import { BackupError } from '../backup/backup-error.ts';
import { checkArchive } from '../backup/read-archive.ts';
import type { Database, Tx } from '../db/database.ts';
import { type Block, isSameBlock } from './archive-block.ts';
import { readBlocks } from './archive-file.ts';
import { archiveAt } from './archive-folder.ts';
import { type ArchiveManifest, readArchiveManifest, requireArchiveKey } from './archive-manifest.ts';
import { deleteBlock, endArchive, listArchives, listBlocksOut, takeTurn } from './archive-store.ts';
import type { Archiving } from './archive-vends.ts';
import { insertRows, prepareRows, readRows } from './block-store.ts';

export type BroughtBack = {
  readonly manifest: ArchiveManifest;
  /** Purchases whose rows came back now, and those whose rows were there. */
  readonly vends: number;
  readonly present: number;
};

type Restoring = Omit<Archiving, 'kinds' | 'version' | 'vendsPerBlock'>;

/** Throws BackupError. */
export async function restoreArchive(path: string, restoring: Restoring): Promise<BroughtBack> {
  const { database } = restoring;
  const { folder, id } = archiveAt(path);
  const manifest = await readArchiveManifest(folder);
  const key = requireArchiveKey(manifest, restoring.keys);
  await requireKnown(database, id, manifest);
  await checkArchive({ folder, manifest });
  return await database.session(async (session) => {
    if (!(await takeTurn(session))) {
      throw new BackupError(
        'archive_under_way',
        'another command is moving purchases into an archive, or back: wait for it',
      );
    }
    // What an interrupted command left in the tables stays there.
    await endArchive(database, id);
    const out = await listBlocksOut(database, id);
    if (out.size > 0) await note(restoring, manifest);
    const counts = { vends: 0, present: 0 };
    for await (const { number, block } of readBlocks(folder, manifest, key)) {
      const isBack = out.has(number) && (await database.transaction((tx) => putBack(tx, id, number, block)));
      counts[isBack ? 'vends' : 'present'] += block.vendIds.length;
      restoring.onProgress({
        step: 'bringing back',
        done: counts.vends,
        unit: `of ${manifest.vends} purchases`,
      });
    }
    return { manifest, ...counts };
  });
}

async function requireKnown(
  database: Pick<Database, 'query'>,
  id: string,
  { archive }: ArchiveManifest,
): Promise<void> {
  const known = (await listArchives(database)).find((one) => one.id === id);
  if (known === undefined) {
    throw new BackupError(
      'archive_unknown',
      `this database knows of no ${id}, so nothing of it is missing here: it was written from another database, or after the backup that this one was restored from`,
    );
  }
  if (known.sha256 !== archive.sha256) {
    throw new BackupError(
      'archive_changed',
      `${id} is not the file that was written: its SHA-256 is not that of the record`,
    );
  }
}

async function note({ database, actor }: Restoring, { id, vends }: ArchiveManifest): Promise<void> {
  await database.transaction((tx) =>
    recordOperation(tx, { actor, action: 'archive.restore', subject: `archive:${id}`, after: { vends } }),
  );
}

/** False where its rows are back already. */
async function putBack(tx: Tx, id: string, number: number, block: Block): Promise<boolean> {
  if (!(await deleteBlock(tx, id, number))) return false;
  await prepareRows(tx);
  await insertRows(tx, block);
  if (!isSameBlock(await readRows(tx, block.merchantId, block.vendIds), block)) {
    throw new BackupError(
      'archive_outdated',
      `block ${number} of ${id} would not be what it was: a purchase of it has attempts or answers that came since. Run ./oja audit`,
    );
  }
  return true;
}

/**
 * Moves attempts and provider answers of purchases that were over long ago into an encrypted file.
 *
 * Guarantees: nothing is deleted before the file is on the disk and was read back whole; what is
 * deleted is, row for row, what the file has, or it stays; the deletion of a block and the record
 * of where it is now are one transaction. So it can be killed anywhere: the next run goes on from
 * the file. No snapshot is held for longer than a block takes, and half of the time is left to
 * purchases.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordOperation } from '../audit-log/audit-log-store.ts';
import { BackupError } from '../backup/backup-error.ts';
import { folderExists, type OpenFolder, openBackupFolder } from '../backup/backup-folder.ts';
import type { BackupKey } from '../backup/backup-key.ts';
import { checkArchive } from '../backup/read-archive.ts';
import type { Database, Queries, Sql } from '../db/database.ts';
import type { ActorOrName } from '../kernel/actor.ts';
import { formatRfc3339 } from '../kernel/clock.ts';
import { leastId } from '../kernel/ids.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { firstIdAt } from '../vending/search/search-filter.ts';
import { type Block, isSameBlock } from './archive-block.ts';
import { requireOver, type Wanted } from './archive-bounds.ts';
import { type NumberedBlock, readBlocks, writeBlocks } from './archive-file.ts';
import { newArchiveId } from './archive-folder.ts';
import {
  type ArchiveManifest,
  readArchiveManifest,
  requireArchiveKey,
  writeArchiveManifest,
} from './archive-manifest.ts';
import {
  endArchive,
  insertArchive,
  insertBlock,
  listArchives,
  listBlocksOut,
  readRoomPerByte,
  takeTurn,
  vacuumTables,
} from './archive-store.ts';
import { deleteRows, findMerchantWith, findOver, type Goes, prepareRows, readRows } from './block-store.ts';

const VENDS_PER_BLOCK = 2_000;

export type Archiving = {
  readonly database: Pick<Database, 'query' | 'transaction' | 'session'>;
  /** The first is the one that is written with. */
  readonly keys: readonly [BackupKey, ...BackupKey[]];
  /** Kinds of the retention by which personal data goes. */
  readonly kinds: readonly string[];
  readonly actor: ActorOrName;
  /** The version of Oja. */
  readonly version: string;
  readonly onProgress: OnProgress;
  readonly vendsPerBlock?: number;
};

export type Archived = {
  /** Of what an earlier run had begun, and of what this one wrote. */
  readonly archives: readonly ArchiveManifest[];
  readonly vends: number;
  /** Purchases that changed after they were written: they stay. */
  readonly left: number;
  /** About what room in the database is free for new rows. */
  readonly freedBytes: number;
};

/** Throws BackupError. */
export async function archiveVends(folder: string, wanted: Wanted, archiving: Archiving): Promise<Archived> {
  const { database } = archiving;
  await requireOver(database, wanted);
  await using target = await openBackupFolder(folder);
  return await database.session(async (session) => {
    if (!(await takeTurn(session))) {
      throw new BackupError(
        'archive_under_way',
        'another command is moving purchases into an archive, or back: wait for it',
      );
    }
    const room = await readRoomPerByte(database);
    const begun = await findBegun(target.path, archiving);
    const moved: Moved[] = [];
    for (const one of begun) moved.push(await takeAway(target.path, one, archiving));
    const written = await write(target, wanted, archiving);
    if (written !== undefined) moved.push(await takeAway(target.path, written, archiving));
    const sum = (of: (one: Moved) => number): number => moved.reduce((all, one) => all + of(one), 0);
    if (sum(({ vends }) => vends) > 0) await freeRoom(session, archiving.onProgress);
    return {
      archives: [...begun, ...(written === undefined ? [] : [written])],
      vends: sum(({ vends }) => vends),
      left: sum(({ left }) => left),
      freedBytes: Math.round(sum(({ bytes }) => bytes) * room),
    };
  });
}

async function freeRoom(session: Sql, onProgress: OnProgress): Promise<void> {
  onProgress({ step: 'vacuuming', done: 0, unit: 'tables' });
  await vacuumTables(session);
}

/** Archives of the folder whose rows are not all gone yet, for the command was cut short. */
async function findBegun(path: string, { database, keys }: Archiving): Promise<ArchiveManifest[]> {
  const begun: ArchiveManifest[] = [];
  for (const { id, sha256, endedAt } of await listArchives(database)) {
    if (endedAt !== undefined || !(await folderExists(join(path, id)))) continue;
    const manifest = await readArchiveManifest(join(path, id));
    requireArchiveKey(manifest, keys);
    if (manifest.archive.sha256 === sha256) begun.push(manifest);
  }
  return begun;
}

/** Undefined where there is nothing to go. */
async function write(
  target: Pick<OpenFolder, 'path' | 'draft' | 'finish'>,
  { before, now }: Wanted,
  archiving: Archiving,
): Promise<ArchiveManifest | undefined> {
  const { database, keys, version, actor } = archiving;
  const [key] = keys;
  const id = newArchiveId(now);
  const draft = await target.draft(id);
  const inFile = await writeBlocks(draft, key, listBlocks(archiving, before));
  if (inFile.vends === 0) return undefined;
  const manifest = await writeArchiveManifest(
    draft,
    {
      archive_format: 1,
      id,
      oja: version,
      written_at: now.toISOString(),
      before: before.toISOString(),
      recipient: key.recipient,
      ...inFile,
    },
    key,
  );
  await readBack(draft, manifest, archiving);
  const folder = await target.finish(id);
  const { archive, blocks, vends, attempts, answers } = manifest;
  await database.transaction(async (tx) => {
    await insertArchive(tx, {
      id,
      folder,
      before,
      blocks: blocks.length,
      bytes: BigInt(archive.size),
      sha256: archive.sha256,
      vends: BigInt(vends),
      attempts: BigInt(attempts),
      answers: BigInt(answers),
      fromAt: new Date(manifest.from_at),
      toAt: new Date(manifest.to_at),
    });
    await recordOperation(tx, {
      actor,
      action: 'archive.write',
      subject: `archive:${id}`,
      after: { folder, before: formatRfc3339(before), vends, attempts, answers },
    });
  });
  return manifest;
}

/** In the order of merchants and ids, each block as of one moment. */
async function* listBlocks(archiving: Archiving, before: Date): AsyncGenerator<Block> {
  const { database, kinds, onProgress, vendsPerBlock = VENDS_PER_BLOCK } = archiving;
  const goes: Goes = { below: firstIdAt(before), endedBefore: before, kinds };
  let done = 0;
  let merchant: number | undefined = -1;
  for (;;) {
    const above: number = merchant;
    merchant = await database.transaction((tx) => findMerchantWith(tx, goes.below, above));
    if (merchant === undefined) return;
    const merchantId = merchant;
    let after: string | undefined = leastId;
    while (after !== undefined) {
      const from: string = after;
      const { block, last } = await readNext(database, merchantId, from, goes, vendsPerBlock);
      if (block !== undefined) yield block;
      done += block?.vendIds.length ?? 0;
      onProgress({ step: 'writing', done, unit: 'purchases' });
      after = last;
    }
  }
}

async function readNext(
  database: Pick<Queries, 'transaction'>,
  merchantId: number,
  from: string,
  goes: Goes,
  limit: number,
): Promise<{ readonly block: Block | undefined; readonly last: string | undefined }> {
  return await database.transaction(
    async (tx) => {
      await prepareRows(tx);
      const { over, last } = await findOver(tx, merchantId, from, goes, limit);
      return { block: over.length === 0 ? undefined : await readRows(tx, merchantId, over), last };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** The whole of it, from the disk. */
async function readBack(
  folder: string,
  manifest: ArchiveManifest,
  { keys, onProgress }: Archiving,
): Promise<void> {
  await checkArchive({ folder, manifest });
  let done = 0;
  for await (const { block } of readBlocks(folder, manifest, keys[0])) {
    done += block.vendIds.length;
    onProgress({ step: 'reading back', done, unit: `of ${manifest.vends} purchases` });
  }
  if (done !== manifest.vends)
    throw new BackupError('archive_changed', 'the archive was not written as it was read');
}

type Moved = { readonly vends: number; readonly left: number; readonly bytes: number };

/** Deletes what the file has. */
async function takeAway(path: string, manifest: ArchiveManifest, archiving: Archiving): Promise<Moved> {
  const { database, keys, onProgress } = archiving;
  const key = requireArchiveKey(manifest, keys);
  const folder = join(path, manifest.id);
  await checkArchive({ folder, manifest });
  const out = await listBlocksOut(database, manifest.id);
  const moved = { vends: 0, left: 0, bytes: 0 };
  for await (const numbered of readBlocks(folder, manifest, key)) {
    if (out.has(numbered.number)) continue;
    const startedMs = performance.now();
    const bytes = await takeBlock(manifest, numbered, archiving);
    const { length } = numbered.block.vendIds;
    moved.vends += bytes === undefined ? 0 : length;
    moved.left += bytes === undefined ? length : 0;
    moved.bytes += Number(bytes ?? 0n);
    onProgress({ step: 'moving', done: moved.vends, unit: `of ${manifest.vends} purchases` });
    await sleep(performance.now() - startedMs);
  }
  await endArchive(database, manifest.id);
  return moved;
}

class Changed extends Error {}

/** Gives how many bytes its rows had. Undefined: they stay, for they have changed since. */
async function takeBlock(
  { id, before }: ArchiveManifest,
  { number, block }: NumberedBlock,
  { database, kinds }: Archiving,
): Promise<bigint | undefined> {
  const goes = { below: firstIdAt(new Date(before)), endedBefore: new Date(before), kinds };
  try {
    return await database.transaction(async (tx) => {
      await prepareRows(tx);
      const taken = await deleteRows(tx, block.merchantId, block.vendIds, goes);
      if (!taken.isOver || !isSameBlock(taken.block, block)) throw new Changed();
      await insertBlock(tx, id, number, taken);
      return taken.bytes;
    });
  } catch (error) {
    if (error instanceof Changed) return undefined;
    throw error;
  }
}

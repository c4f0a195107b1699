/**
 * The one file of an archive: a tar archive of blocks, compressed, encrypted. Nothing of it is ever
 * on the disk in clear. Guarantee: what is read was written with the key and has the hashes of the
 * manifest, or reading throws.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { type Entry, extract as extractTar } from 'tar-stream';
import { BackupError, reasonOf } from '../backup/backup-error.ts';
import type { BackupKey } from '../backup/backup-key.ts';
import { decrypt } from '../backup/encrypt-stream.ts';
import type { StoredFile } from '../backup/manifest.ts';
import { Meter, writeArchive } from '../backup/write-archive.ts';
import { type Block, readBlock, spanOf, writeBlock } from './archive-block.ts';
import type { ArchiveBody, ArchiveManifest } from './archive-manifest.ts';

const fileName = 'rows.tar.zst.age';

type InFile = Pick<
  ArchiveBody,
  'archive' | 'blocks' | 'vends' | 'attempts' | 'answers' | 'from_at' | 'to_at'
>;

/** Gives what is in it when it is whole and on the disk. */
export async function writeBlocks(
  folder: string,
  key: BackupKey,
  blocks: AsyncIterable<Block>,
): Promise<InFile> {
  const counts = { vends: 0, attempts: 0, answers: 0 };
  const span = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  let files: readonly StoredFile[] = [];
  const stored = await writeArchive(join(folder, fileName), key, async (writer) => {
    for await (const block of blocks) {
      await writer.addText(blockName(writer.files.length), writeBlock(block));
      counts.vends += block.vendIds.length;
      counts.attempts += block.attempts.length;
      counts.answers += block.answers.length;
      const { from, to } = spanOf(block);
      span.from = Math.min(span.from, from);
      span.to = Math.max(span.to, to);
    }
    files = [...writer.files];
  });
  const time = (ms: number): string => new Date(Number.isFinite(ms) ? ms : 0).toISOString();
  return {
    archive: { path: fileName, ...stored },
    blocks: [...files],
    ...counts,
    from_at: time(span.from),
    to_at: time(span.to),
  };
}

function blockName(index: number): string {
  return `blocks/${String(index + 1).padStart(6, '0')}.json`;
}

export type NumberedBlock = { readonly number: number; readonly block: Block };

/** Its blocks in their order, from 1. Throws BackupError. */
export async function* readBlocks(
  folder: string,
  manifest: Pick<ArchiveManifest, 'archive' | 'blocks'>,
  key: BackupKey,
): AsyncGenerator<NumberedBlock> {
  const extract = extractTar();
  const plain = await decrypt(createReadStream(join(folder, manifest.archive.path)), key);
  const reading = pipeline(plain, createZstdDecompress(), extract);
  // It is waited for at the end; until then a failure ends the entries.
  reading.catch(() => undefined);
  let number = 0;
  try {
    for await (const entry of extract) {
      const expected = manifest.blocks[number];
      number += 1;
      yield { number, block: await readEntry(entry, expected) };
    }
    await reading;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError('archive_unreadable', `the archive cannot be read: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  if (number !== manifest.blocks.length) {
    throw new BackupError(
      'archive_damaged',
      `the archive is damaged: it has ${number} blocks of ${manifest.blocks.length}`,
    );
  }
}

async function readEntry(entry: Entry, expected: StoredFile | undefined): Promise<Block> {
  const { name } = entry.header;
  const meter = new Meter();
  const chunks: Buffer[] = [];
  for await (const chunk of entry.pipe(meter)) chunks.push(chunk);
  if (name !== expected?.path || meter.digest() !== expected.sha256) {
    throw new BackupError('archive_damaged', `the archive is damaged: ${name} is not what was written`);
  }
  return readBlock(Buffer.concat(chunks).toString('utf8'), name);
}

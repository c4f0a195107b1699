/**
 * Writes the one file of a backup: a tar archive, compressed, encrypted. It is a stream from end to
 * end: nothing of it is ever on the disk in clear.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { type Pack, pack as packTar } from 'tar-stream';
import { hasCode } from './backup-error.ts';
import type { BackupKey } from './backup-key.ts';
import { encrypt } from './encrypt-stream.ts';
import type { StoredFile } from './manifest.ts';

const READ_BYTES = 1 << 18;

export type ArchiveWriter = {
  addFolder(name: string): Promise<void>;
  /**
   * Copies a file that may change meanwhile: as many bytes as it had when it was opened. One that
   * is gone is left out.
   */
  addFile(name: string, path: string): Promise<void>;
  addText(name: string, text: string): Promise<void>;
  /** What was added so far. */
  readonly files: readonly StoredFile[];
};

/** Gives the file's size and hash when it is whole and on the disk. */
export async function writeArchive(
  path: string,
  key: BackupKey | undefined,
  fill: (writer: ArchiveWriter) => Promise<void>,
): Promise<Omit<StoredFile, 'path'>> {
  const pack = packTar();
  const compress = createZstdCompress();
  const abort = new AbortController();
  const { signal } = abort;
  let first: unknown;
  const watch = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      // Those that fail because another has failed say nothing of why.
      if (!signal.aborted) first = error;
      abort.abort();
      pack.destroy();
      throw first;
    });
  const source = key === undefined ? compress : await encrypt(compress, key.recipient);
  const meter = new Meter();
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const ends = await Promise.allSettled([
    watch(pipeline(pack, compress, { signal })),
    watch(pipeline(source, meter, target, { signal })),
    watch(fill(writerOn(pack)).then(() => pack.finalize())),
  ]);
  if (ends.some(({ status }) => status === 'rejected')) throw first;
  return { size: meter.bytes, sha256: meter.digest() };
}

function writerOn(pack: Pack): ArchiveWriter {
  const files: StoredFile[] = [];
  const add = async (
    name: string,
    size: number,
    mtime: Date,
    chunks: AsyncIterable<Buffer>,
  ): Promise<void> => {
    const meter = new Meter();
    const entry = pack.entry({ name, size, mtime, mode: 0o600 });
    await pipeline(Readable.from(chunks), meter, entry);
    files.push({ path: name, size, sha256: meter.digest() });
  };
  return {
    files,
    addFolder: (name) =>
      new Promise((resolve, reject) => {
        pack.entry({ name, type: 'directory', mode: 0o700 }, (error) =>
          error === null || error === undefined ? resolve() : reject(error),
        );
      }),
    addFile: async (name, path) => {
      const handle = await open(path, 'r').catch((error: unknown) => {
        if (hasCode(error, 'ENOENT')) return undefined;
        throw error;
      });
      if (handle === undefined) return;
      try {
        const { size, mtime } = await handle.stat();
        await add(name, size, mtime, readExactly(handle, size));
      } finally {
        await handle.close();
      }
    },
    addText: (name, text) => {
      const bytes = Buffer.from(text);
      return add(name, bytes.length, new Date(), Readable.from([bytes]));
    },
  };
}

/** A file that became shorter is filled up with zeros: the log has what becomes of its end. */
async function* readExactly(
  handle: { read: (options: object) => Promise<{ bytesRead: number }> },
  size: number,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const buffer = Buffer.alloc(Math.min(READ_BYTES, size - at));
    const { bytesRead } = await handle.read({ buffer, position: at });
    if (bytesRead === 0) {
      yield buffer;
      at += buffer.length;
    } else {
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }
}

/** Counts and hashes what passes through. */
export class Meter extends Transform {
  bytes = 0;
  readonly #hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.#hash.update(chunk);
    done(null, chunk);
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

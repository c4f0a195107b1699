/**
 * An append-only file of JSON lines. Once `append` has resolved, its lines are on disk: appends
 * during a write go together in the next one, with one fsync for all. A write that fails, as on a
 * full disk, is cut off and repeated until it succeeds. A process killed in the middle of a write
 * leaves an unfinished last line. It was never acknowledged, and the next start cuts it off.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const REPEAT_MS = 200;

export class Journal {
  readonly #file: FileHandle;
  /** The size of all acknowledged data. */
  #size: number;
  #isClosing = false;
  #waiting: string[] = [];
  /** Resolves when everything appended so far is on disk. */
  #next: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** Opens the file, or creates it, after passing each of its lines to `replay`, in order. */
  static async open(path: string, replay: (entry: unknown) => void): Promise<Journal> {
    // It contains the cards and PINs that were sold, so only its owner may read it.
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a+', 0o600);
    try {
      await file.chmod(0o600);
      const size = await lengthOfWholeLines(file);
      await file.truncate(size);
      await file.sync();
      await syncFolder(dirname(path));
      if (size > 0) await replayLines(path, replay);
      return new Journal(file, size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Resolves once the entry is on disk; rejects when the journal is closed before it is. */
  append(entry: unknown): Promise<void> {
    this.#waiting.push(`${JSON.stringify(entry)}\n`);
    if (this.#next === undefined) {
      this.#next = this.#writing.then(() => this.#flush());
      this.#writing = this.#next;
    }
    return this.#next;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#writing.catch(() => undefined);
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#next = undefined;
    const text = lines.join('');
    for (;;) {
      try {
        await this.#file.appendFile(text);
        await this.#file.datasync();
        this.#size += Buffer.byteLength(text);
        return;
      } catch (error) {
        await this.#file.truncate(this.#size);
        if (this.#isClosing) throw error;
        await sleep(REPEAT_MS);
      }
    }
  }
}

async function replayLines(path: string, replay: (entry: unknown) => void): Promise<void> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    number += 1;
    replay(parseLine(line, path, number));
  }
}

function parseLine(line: string, path: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`${path}, line ${number}, is not JSON: the books are damaged`);
  }
}

const NEWLINE = 0x0a;
const BLOCK_BYTES = 64 * 1024;

/** Where the last complete line ends, looking backwards from the end of the file. */
async function lengthOfWholeLines(file: FileHandle): Promise<number> {
  let end = (await file.stat()).size;
  const block = Buffer.alloc(BLOCK_BYTES);
  while (end > 0) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const at = block.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}

/** A new file is durable only once its folder is. Windows has no such call and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  await folder.sync();
  await folder.close();
}

/**
 * The checksums of a cluster's pages, as PostgreSQL computes them
 * (src/include/storage/checksum_impl.h). For a cluster whose server has stopped: a page that is
 * being written has none.
 */
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const PAGE_BYTES = 8_192;
const PAGES_EACH = 128;
/** A relation's further files of a gibibyte each count on. */
const PAGES_PER_SEGMENT = 131_072;
const SUMS = 32;
const PRIME = 16_777_619;
const CHECKSUM_AT = 8;

const bases = Int32Array.from([
  0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c, 0xf8d4474f,
  0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb, 0xe58f764b, 0x187636bc,
  0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4, 0x783125bb, 0x6ca8eaa2, 0xe407eac6,
  0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756,
]);

export type PageCheck = {
  readonly pages: number;
  /** The first of them: file, relative to the cluster, and number of the page. */
  readonly wrong: readonly { readonly file: string; readonly page: number }[];
};

const WRONG_SHOWN = 10;

export async function checkPages(
  cluster: string,
  onFile: (pages: number) => void = () => undefined,
): Promise<PageCheck> {
  let pages = 0;
  const wrong: { file: string; page: number }[] = [];
  for (const file of await relationFiles(cluster)) {
    const found = await checkFile(join(cluster, file));
    pages += found.pages;
    wrong.push(...found.wrong.map((page) => ({ file, page })));
    onFile(pages);
  }
  return { pages, wrong: wrong.slice(0, WRONG_SHOWN) };
}

async function relationFiles(cluster: string): Promise<string[]> {
  const names = await readdir(cluster, { recursive: true });
  return names.filter((name) =>
    /^(?:global|base[\\/]\d+)[\\/]\d+(?:_(?:fsm|vm|init))?(?:\.\d+)?$/.test(name),
  );
}

async function checkFile(path: string): Promise<{ pages: number; wrong: number[] }> {
  const first = PAGES_PER_SEGMENT * Number(/\.(\d+)$/.exec(path)?.[1] ?? 0);
  await using handle = await open(path);
  // Not from the pool of small buffers: its words must be aligned.
  const buffer = Buffer.from(new ArrayBuffer(PAGE_BYTES * PAGES_EACH));
  const wrong: number[] = [];
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at * PAGE_BYTES);
    const pages = Math.floor(bytesRead / PAGE_BYTES);
    for (let index = 0; index < pages; index += 1) {
      if (!isSound(buffer, index * PAGE_BYTES, first + at + index)) wrong.push(at + index);
    }
    at += pages;
    if (pages < PAGES_EACH) return { pages: at, wrong };
  }
}

function isSound(buffer: Buffer, offset: number, pageNumber: number): boolean {
  // The upper bound of a page's free space is 0 only where the page was never used.
  if (buffer.readUInt16LE(offset + 14) === 0) return true;
  const stored = buffer.readUInt16LE(offset + CHECKSUM_AT);
  buffer.writeUInt16LE(0, offset + CHECKSUM_AT);
  return pageChecksum(new Int32Array(buffer.buffer, offset, PAGE_BYTES / 4), pageNumber) === stored;
}

/** `words` are those of the page, with its own checksum set to zero. */
function pageChecksum(words: Int32Array, pageNumber: number): number {
  const sums = Int32Array.from(bases);
  for (let at = 0; at < words.length; at += SUMS) {
    for (let index = 0; index < SUMS; index += 1) {
      sums[index] = mix(sums[index] as number, words[at + index] as number);
    }
  }
  let sum = 0;
  for (const one of sums) sum ^= mix(mix(one, 0), 0);
  return (((sum ^ pageNumber) >>> 0) % 65_535) + 1;
}

function mix(sum: number, word: number): number {
  const mixed = sum ^ word;
  return Math.imul(mixed, PRIME) ^ (mixed >>> 17);
}

/**
 * Finds any of many words in bytes, in one pass that skips most of them: where three bytes are in
 * no word, no word ends soon (Wu and Manber, 1994).
 */

const BLOCK = 3;
const TABLE_SIZE = 1 << 16;

export type WordSearch = (bytes: Uint8Array) => string[];

function blockAt(bytes: Uint8Array, end: number): number {
  const [one = 0, two = 0, three = 0] = [bytes[end - 2], bytes[end - 1], bytes[end]];
  return (one ^ (two << 5) ^ (three << 10)) & (TABLE_SIZE - 1);
}

/** Yields each found word once. */
export function createWordSearch(words: readonly string[]): WordSearch {
  const patterns = words.map((word) => Buffer.from(word));
  const shortest = Math.min(...patterns.map(({ length }) => length));
  if (shortest < BLOCK) throw new Error(`a word is shorter than ${BLOCK} bytes`);
  // How far to skip from a block: to the next place where a word with that block could end.
  const skips = new Uint8Array(TABLE_SIZE).fill(Math.min(255, shortest - BLOCK + 1));
  const ending = new Map<number, number[]>();
  for (const [index, pattern] of patterns.entries()) {
    for (let end = BLOCK - 1; end < shortest; end += 1) {
      const block = blockAt(pattern, end);
      skips[block] = Math.min(skips[block] ?? 0, shortest - 1 - end);
      if (end === shortest - 1) ending.set(block, [...(ending.get(block) ?? []), index]);
    }
  }
  const isAt = (bytes: Uint8Array, pattern: Uint8Array, from: number): boolean => {
    for (let at = 0; at < pattern.length; at += 1) if (bytes[from + at] !== pattern[at]) return false;
    return true;
  };
  return (bytes) => {
    const found = new Set<number>();
    for (let end = shortest - 1; end < bytes.length; ) {
      const block = blockAt(bytes, end);
      const skip = skips[block] ?? 1;
      if (skip === 0) {
        for (const index of ending.get(block) ?? []) {
          if (isAt(bytes, patterns[index] as Uint8Array, end - shortest + 1)) found.add(index);
        }
      }
      end += skip === 0 ? 1 : skip;
    }
    return [...found].map((index) => words[index] ?? '');
  };
}

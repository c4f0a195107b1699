/**
 * Which purchases of a segment have a value, in bytes and as bits. Pure.
 *
 * A segment's purchases are numbered from 0 in the order of their ids: these numbers are their
 * positions. A value that few of them have is stored as positions, another as a bit for each. What
 * has too many values for that (numbers of phones, references) is stored as pairs of a hash and a
 * position, in 64 buckets by the hash. A hash may be another value's: what is found is compared
 * with the purchase itself.
 */

/** So that a position has two bytes, and a bit for each is read with its row. */
export const SEGMENT_MAX = 8_192;

/** One bit for each position. */
export type Bits = Uint32Array<ArrayBuffer>;

const WORDS = SEGMENT_MAX / 32;
const BIT_BYTES = SEGMENT_MAX / 8;
const PAIR_BYTES = 6;
const AMOUNT_BYTES = 8;
const POSITION_BYTES = 2;

export function noBits(): Bits {
  return new Uint32Array(WORDS);
}

/** The first `size` of them set. */
export function firstBits(size: number): Bits {
  const bits = noBits();
  for (let position = 0; position < size; position += 1) setBit(bits, position);
  return bits;
}

function setBit(bits: Bits, position: number): void {
  bits[position >>> 5] = (bits[position >>> 5] ?? 0) | (1 << (position & 31));
}

function hasBit(bits: Bits, position: number): boolean {
  return ((bits[position >>> 5] ?? 0) & (1 << (position & 31))) !== 0;
}

/** Leaves in `bits` what is in both. Gives whether anything is. */
export function intersect(bits: Bits, others: Bits): boolean {
  let any = 0;
  for (let word = 0; word < WORDS; word += 1) {
    const both = (bits[word] ?? 0) & (others[word] ?? 0);
    bits[word] = both;
    any |= both;
  }
  return any !== 0;
}

/** The highest positions that are set, from `below` down, `most` of them at most. */
export function lastPositions(bits: Bits, below: number, most: number): number[] {
  const positions: number[] = [];
  for (let position = below - 1; position >= 0 && positions.length < most; position -= 1) {
    if (bits[position >>> 5] === 0) position &= ~31;
    else if (hasBit(bits, position)) positions.push(position);
  }
  return positions;
}

export function encodePositions(positions: readonly number[]): Buffer {
  if (positions.length * POSITION_BYTES >= BIT_BYTES) {
    const bits = noBits();
    for (const position of positions) setBit(bits, position);
    return Buffer.from(bits.buffer);
  }
  const bytes = Buffer.alloc(positions.length * POSITION_BYTES);
  for (const [index, position] of positions.entries()) bytes.writeUInt16LE(position, index * POSITION_BYTES);
  return bytes;
}

export function addPositions(bits: Bits, bytes: Buffer): void {
  if (bytes.length === BIT_BYTES) {
    for (let word = 0; word < WORDS; word += 1) bits[word] = (bits[word] ?? 0) | bytes.readUInt32LE(word * 4);
    return;
  }
  for (let at = 0; at < bytes.length; at += POSITION_BYTES) setBit(bits, bytes.readUInt16LE(at));
}

/** FNV-1a, mixed once more so that buckets fill evenly. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function bucketOf(hash: number): string {
  return String(hash >>> 26);
}

export type HashedPosition = { readonly hash: number; readonly position: number };

export function encodeHashes(pairs: readonly HashedPosition[]): Buffer {
  const bytes = Buffer.alloc(pairs.length * PAIR_BYTES);
  for (const [index, { hash, position }] of pairs.entries()) {
    bytes.writeUInt32LE(hash, index * PAIR_BYTES);
    bytes.writeUInt16LE(position, index * PAIR_BYTES + 4);
  }
  return bytes;
}

export function addHashed(bits: Bits, bytes: Buffer, hashes: readonly number[]): void {
  for (let at = 0; at < bytes.length; at += PAIR_BYTES) {
    if (hashes.includes(bytes.readUInt32LE(at))) setBit(bits, bytes.readUInt16LE(at + 4));
  }
}

/** The different amounts in order, and for each position which of them it has. */
export function encodeAmounts(amounts: readonly bigint[]): {
  readonly distinct: Buffer;
  readonly ranks: Buffer;
} {
  const sorted = [...new Set(amounts)].sort((one, other) => (one < other ? -1 : 1));
  const rankOf = new Map(sorted.map((amount, rank) => [amount, rank]));
  const distinct = Buffer.alloc(sorted.length * AMOUNT_BYTES);
  for (const [rank, amount] of sorted.entries()) distinct.writeBigInt64LE(amount, rank * AMOUNT_BYTES);
  const ranks = Buffer.alloc(amounts.length * POSITION_BYTES);
  for (const [position, amount] of amounts.entries()) {
    ranks.writeUInt16LE(rankOf.get(amount) ?? 0, position * POSITION_BYTES);
  }
  return { distinct, ranks };
}

/** Ranks from the first to the one before the last. */
export type Ranks = { readonly from: number; readonly to: number };

export type AmountRange = { readonly min?: bigint | undefined; readonly max?: bigint | undefined };

export function ranksOf(distinct: Buffer, { min, max }: AmountRange): Ranks {
  const count = distinct.length / AMOUNT_BYTES;
  const firstRank = (isPast: (amount: bigint) => boolean): number => {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isPast(distinct.readBigInt64LE(middle * AMOUNT_BYTES))) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return {
    from: min === undefined ? 0 : firstRank((amount) => amount >= min),
    to: max === undefined ? count : firstRank((amount) => amount > max),
  };
}

export function addRanked(bits: Bits, ranks: Buffer, { from, to }: Ranks): void {
  for (let at = 0; at < ranks.length; at += POSITION_BYTES) {
    const rank = ranks.readUInt16LE(at);
    if (rank >= from && rank < to) setBit(bits, at / POSITION_BYTES);
  }
}

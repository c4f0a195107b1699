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
const AMOUNT_BYTES = 10;
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

/** Of what `encodePositions` gave. */
export function addPositions(bits: Bits, bytes: Buffer): void {
  if (bytes.length === BIT_BYTES) {
    for (let word = 0; word < WORDS; word += 1) bits[word] = (bits[word] ?? 0) | bytes.readUInt32LE(word * 4);
  } else {
    addListed(bits, bytes);
  }
}

/** Positions one after the other, however many. */
export function addListed(bits: Bits, bytes: Buffer): void {
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

/**
 * `distinct`: the different amounts in order, and for each how many positions have a lower one.
 * `sorted`: the positions in the order of their amounts.
 */
export function encodeAmounts(amounts: readonly bigint[]): {
  readonly distinct: Buffer;
  readonly sorted: Buffer;
} {
  const positions = amounts.map((_, position) => position);
  const amountAt = (position: number): bigint => amounts[position] ?? 0n;
  positions.sort((one, other) => {
    const [amount, otherAmount] = [amountAt(one), amountAt(other)];
    if (amount === otherAmount) return one - other;
    return amount < otherAmount ? -1 : 1;
  });
  const firsts = positions.flatMap((position, place) =>
    place === 0 || amountAt(position) !== amountAt(positions[place - 1] ?? 0) ? [place] : [],
  );
  const distinct = Buffer.alloc(firsts.length * AMOUNT_BYTES);
  for (const [index, place] of firsts.entries()) {
    distinct.writeBigInt64LE(amountAt(positions[place] ?? 0), index * AMOUNT_BYTES);
    distinct.writeUInt16LE(place, index * AMOUNT_BYTES + 8);
  }
  const sorted = Buffer.alloc(positions.length * POSITION_BYTES);
  for (const [place, position] of positions.entries()) sorted.writeUInt16LE(position, place * POSITION_BYTES);
  return { distinct, sorted };
}

export type AmountRange = { readonly min?: bigint | undefined; readonly max?: bigint | undefined };

/** Which part of `sorted` has the amounts of the range, in bytes: from one to before another. */
export function partOf(
  distinct: Buffer,
  size: number,
  { min, max }: AmountRange,
): { readonly from: number; readonly to: number } {
  const placeOf = (isPast: (amount: bigint) => boolean): number => {
    let low = 0;
    let high = distinct.length / AMOUNT_BYTES;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isPast(distinct.readBigInt64LE(middle * AMOUNT_BYTES))) high = middle;
      else low = middle + 1;
    }
    return low * AMOUNT_BYTES === distinct.length ? size : distinct.readUInt16LE(low * AMOUNT_BYTES + 8);
  };
  const from = min === undefined ? 0 : placeOf((amount) => amount >= min);
  const to = max === undefined ? size : placeOf((amount) => amount > max);
  return { from: from * POSITION_BYTES, to: to * POSITION_BYTES };
}

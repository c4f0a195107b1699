/**
 * Finds purchases in the segments of the search, newest first.
 *
 * A few segments are looked at first, and more at a time while too little is found. For each
 * attribute that is filtered by, only the segments are looked at that have something of all those
 * before. So a filter of which nearly nothing is to be found costs some bytes a segment.
 */
import type { Sql } from '../../db/database.ts';
import {
  type AmountRange,
  addHashed,
  addListed,
  addPositions,
  type Bits,
  bucketOf,
  firstBits,
  hashOf,
  intersect,
  lastPositions,
  noBits,
  partOf,
} from './postings.ts';
import {
  FENCE_EVERY,
  type HashedAttribute,
  hashedAttributes,
  type ListedAttribute,
  listedAttributes,
  positionsWithin,
  type VendKey,
} from './segment.ts';
import { listSegments, readByAmount, readMembers, readPostings, type SegmentHead } from './segment-store.ts';

export type IndexedFilter = {
  /** Of each attribute one of the values is enough. */
  readonly listed: Readonly<Partial<Record<ListedAttribute, readonly string[]>>>;
  readonly hashed: Readonly<Partial<Record<HashedAttribute, readonly string[]>>>;
  readonly amount: AmountRange | undefined;
  /** Ids from this one up. */
  readonly atLeast: string | undefined;
  /** Ids below this one. */
  readonly before: string | undefined;
};

export type Walked = {
  /** In no order: all that there are from `floor` up. */
  readonly keys: readonly VendKey[];
  /** Purchases below this id were not looked for; undefined: all were. */
  readonly floor: string | undefined;
};

const FIRST_SEGMENTS = 4;
const SEGMENTS_AT_ONCE_MAX = 512;
/** More than these are not looked at for one page: about 30 million purchases. */
const SEGMENTS_MAX = 4_096;

type Hits = { readonly head: SegmentHead; readonly positions: readonly number[] };

/** Looks until it has `wanted` purchases, newest first, or knows that there are no more. */
export async function walkSegments(sql: Sql, filter: IndexedFilter, wanted: number): Promise<Walked> {
  const found = new Map<string, VendKey>();
  // Of what is still to be looked at, nothing is newer than this.
  const isEnough = (open: string): boolean =>
    found.size >= wanted && [...found.keys()].filter((id) => id > open).length >= wanted;
  let last: SegmentHead | undefined;
  let looked = 0;
  for (let many = FIRST_SEGMENTS; ; many = Math.min(many * 4, SEGMENTS_AT_ONCE_MAX)) {
    const heads = await listSegments(sql, filter, last, many);
    const isEnd = heads.length < many;
    last = heads.at(-1) ?? last;
    looked += heads.length;
    const hits = await findHits(sql, filter, heads, wanted);
    for (let place = 0; place < hits.length; ) {
      const group = takeGroup(hits, place, wanted);
      place += group.length;
      for (const key of await readKeys(sql, filter, group)) found.set(key.id, key);
      const open = hits[place]?.head.newest ?? last?.newest ?? '';
      if (isEnough(open)) return cutAt(found, open);
    }
    if (isEnd) return { keys: [...found.values()], floor: undefined };
    const open = last?.newest ?? '';
    if (looked >= SEGMENTS_MAX || isEnough(open)) return cutAt(found, open);
  }
}

function cutAt(found: ReadonlyMap<string, VendKey>, open: string): Walked {
  return { keys: [...found.values()].filter(({ id }) => id > open), floor: idAfter(open) };
}

/** The next segments, until as much was found in them as is wanted. */
function takeGroup(hits: readonly Hits[], place: number, wanted: number): readonly Hits[] {
  let count = 0;
  let end = place;
  while (end < hits.length && count < wanted) {
    count += hits[end]?.positions.length ?? 0;
    end += 1;
  }
  return hits.slice(place, end);
}

async function readKeys(sql: Sql, filter: IndexedFilter, hits: readonly Hits[]): Promise<VendKey[]> {
  const places = hits.flatMap(({ head, positions }) =>
    positions.map((position) => ({ segment: head.id, position })),
  );
  const keys = await readMembers(sql, places);
  const { atLeast, before } = filter;
  return keys.filter(
    ({ id }) => (atLeast === undefined || id >= atLeast) && (before === undefined || id < before),
  );
}

/** What each segment has of the newest, where it has something. */
async function findHits(
  sql: Sql,
  filter: IndexedFilter,
  heads: readonly SegmentHead[],
  wanted: number,
): Promise<Hits[]> {
  const bits = await filterSegments(sql, filter, heads);
  return heads.flatMap((head) => {
    const own = bits.get(head.id);
    if (own === undefined) return [];
    const { from, to } =
      head.fences === undefined
        ? { from: 0, to: head.size }
        : positionsWithin({ size: head.size, fences: head.fences }, filter);
    // Fences lie apart: of those next to a bound some are outside.
    const most = wanted + (head.fences === undefined ? 0 : FENCE_EVERY);
    const positions = lastPositions(own, to, most).filter((position) => position >= from);
    return positions.length === 0 ? [] : [{ head, positions }];
  });
}

/** The bits of those segments that may have what is wanted. */
async function filterSegments(
  sql: Sql,
  filter: IndexedFilter,
  heads: readonly SegmentHead[],
): Promise<ReadonlyMap<bigint, Bits>> {
  const left = new Map(heads.map(({ id, size }) => [id, firstBits(size)]));
  const keep = (id: bigint, bits: Bits, others: Bits): void => {
    if (!intersect(bits, others)) left.delete(id);
  };
  for (const attribute of hashedAttributes) {
    const values = filter.hashed[attribute];
    if (values === undefined || left.size === 0) continue;
    const hashes = values.map(hashOf);
    const postings = await readPostings(sql, [...left.keys()], attribute, [...new Set(hashes.map(bucketOf))]);
    for (const [id, bits] of left) {
      const others = noBits();
      for (const bytes of postings.get(id) ?? []) addHashed(others, bytes, hashes);
      keep(id, bits, others);
    }
  }
  for (const attribute of listedAttributes) {
    const values = filter.listed[attribute];
    if (values === undefined || left.size === 0) continue;
    const postings = await readPostings(sql, [...left.keys()], attribute, values);
    for (const [id, bits] of left) {
      const others = noBits();
      for (const bytes of postings.get(id) ?? []) addPositions(others, bytes);
      keep(id, bits, others);
    }
  }
  if (filter.amount !== undefined) await filterAmounts(sql, filter.amount, heads, left);
  return left;
}

async function filterAmounts(
  sql: Sql,
  amount: AmountRange,
  heads: readonly SegmentHead[],
  left: Map<bigint, Bits>,
): Promise<void> {
  const distinct = await readPostings(sql, [...left.keys()], 'amounts', ['']);
  const parts = heads.flatMap(({ id, size }) => {
    const [bytes] = distinct.get(id) ?? [];
    const part = bytes && partOf(bytes, size, amount);
    return part === undefined || part.from >= part.to ? [] : [{ segment: id, ...part }];
  });
  const positions = await readByAmount(sql, parts);
  for (const [id, bits] of [...left]) {
    const others = noBits();
    const part = positions.get(id);
    if (part !== undefined) addListed(others, part);
    if (!intersect(bits, others)) left.delete(id);
  }
}

/** The least id above another. */
function idAfter(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

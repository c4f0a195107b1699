/** A segment of the search: some thousand final purchases, and which of them have a value. Pure. */
import type { Environment } from '../../kernel/environment.ts';
import type { Steps } from '../../kernel/in-steps.ts';
import {
  bucketOf,
  encodeAmounts,
  encodeHashes,
  encodePositions,
  type HashedPosition,
  hashOf,
} from './postings.ts';

/** A purchase as the search knows it. */
export type IndexedVend = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly id: string;
  readonly product: string;
  readonly network: string;
  /** Empty where nobody was asked. */
  readonly provider: string;
  readonly status: string;
  readonly reason: string;
  readonly faceValue: bigint;
  /** Empty for orders. */
  readonly recipient: string;
  /** The provider's own. */
  readonly providerReferences: readonly string[];
  readonly tokens: readonly string[];
};

/** Attributes with few values, in the order in which they tell most. */
export const listedAttributes = [
  'merchant',
  'reason',
  'provider',
  'status',
  'network',
  'product',
  'environment',
] as const;
export type ListedAttribute = (typeof listedAttributes)[number];

/** Attributes with as many values as purchases. */
export const hashedAttributes = ['token', 'provider_reference', 'recipient'] as const;
export type HashedAttribute = (typeof hashedAttributes)[number];

/** The amounts of a segment, and its positions in their order. */
type AmountAttribute = 'amounts' | 'by_amount';

export type Posting = {
  readonly attribute: ListedAttribute | HashedAttribute | AmountAttribute;
  readonly value: string;
  readonly postings: Buffer;
};

export type Segment = {
  readonly newest: string;
  readonly oldest: string;
  readonly size: number;
  readonly fences: readonly string[];
  readonly members: Buffer;
  readonly postings: readonly Posting[];
};

export type VendKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly id: string;
};

export const FENCE_EVERY = 256;
export const MEMBER_BYTES = 21;
const ID_BYTES = 16;
const MEMBERS_AT_ONCE = 2_048;

/** Of one purchase at least, and of SEGMENT_MAX at most. */
export function* buildSegment(unsorted: readonly IndexedVend[]): Steps<Segment> {
  const vends = [...unsorted].sort((one, other) => (one.id < other.id ? -1 : 1));
  const members = Buffer.alloc(vends.length * MEMBER_BYTES);
  for (const [position, vend] of vends.entries()) {
    if (position % MEMBERS_AT_ONCE === 0) yield;
    writeMember(members, position * MEMBER_BYTES, vend);
  }
  const postings: Posting[] = [];
  for (const attribute of listedAttributes) {
    yield;
    postings.push(...listPostings(vends, attribute));
  }
  for (const attribute of hashedAttributes) {
    yield;
    postings.push(...hashPostings(vends, attribute));
  }
  yield;
  postings.push(...amountPostings(vends));
  return {
    newest: vends.at(-1)?.id ?? '',
    oldest: vends[0]?.id ?? '',
    size: vends.length,
    fences: vends.filter((_, position) => position % FENCE_EVERY === 0).map(({ id }) => id),
    members,
    postings,
  };
}

function listedValueOf(vend: IndexedVend, attribute: ListedAttribute): string {
  return attribute === 'merchant' ? String(vend.merchantId) : vend[attribute];
}

function hashedValuesOf(vend: IndexedVend, attribute: HashedAttribute): readonly string[] {
  switch (attribute) {
    case 'recipient':
      return vend.recipient === '' ? [] : [vend.recipient];
    case 'provider_reference':
      return vend.providerReferences;
    case 'token':
      return vend.tokens;
  }
}

function listPostings(vends: readonly IndexedVend[], attribute: ListedAttribute): Posting[] {
  const positions = new Map<string, number[]>();
  for (const [position, vend] of vends.entries()) addTo(positions, listedValueOf(vend, attribute), position);
  return [...positions].map(([value, found]) => ({ attribute, value, postings: encodePositions(found) }));
}

function hashPostings(vends: readonly IndexedVend[], attribute: HashedAttribute): Posting[] {
  const buckets = new Map<string, HashedPosition[]>();
  for (const [position, vend] of vends.entries()) {
    for (const value of hashedValuesOf(vend, attribute)) {
      const hash = hashOf(value);
      addTo(buckets, bucketOf(hash), { hash, position });
    }
  }
  return [...buckets].map(([value, pairs]) => ({ attribute, value, postings: encodeHashes(pairs) }));
}

function amountPostings(vends: readonly IndexedVend[]): Posting[] {
  const { distinct, sorted } = encodeAmounts(vends.map(({ faceValue }) => faceValue));
  return [
    { attribute: 'amounts', value: '', postings: distinct },
    { attribute: 'by_amount', value: '', postings: sorted },
  ];
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

function writeMember(bytes: Buffer, at: number, { id, merchantId, environment }: VendKey): void {
  bytes.write(id.replaceAll('-', ''), at, 'hex');
  bytes.writeUInt32LE(merchantId, at + ID_BYTES);
  bytes.writeUInt8(environment === 'live' ? 1 : 0, at + ID_BYTES + 4);
}

export function readMember(bytes: Buffer): VendKey {
  const hex = bytes.toString('hex', 0, ID_BYTES);
  return {
    id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    merchantId: bytes.readUInt32LE(ID_BYTES),
    environment: bytes.readUInt8(ID_BYTES + 4) === 1 ? 'live' : 'test',
  };
}

/** The positions that may have ids within the bounds: from the first to the one before the last. */
export function positionsWithin(
  { size, fences }: { readonly size: number; readonly fences: readonly string[] },
  bounds: { readonly atLeast: string | undefined; readonly before: string | undefined },
): { readonly from: number; readonly to: number } {
  const { atLeast, before } = bounds;
  const below = before === undefined ? fences.length : fences.filter((id) => id < before).length;
  const above = atLeast === undefined ? 1 : fences.filter((id) => id < atLeast).length;
  return {
    from: Math.max(0, above - 1) * FENCE_EVERY,
    to: Math.min(size, below * FENCE_EVERY),
  };
}

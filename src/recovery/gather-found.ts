/**
 * Reads what a provider lists of the lost time, and keeps what is not known here: orders whose
 * reference is at no attempt. The list may be long; what is known is not kept.
 */
import type { Sql } from '../db/database.ts';
import { type ReadMark, readMark } from '../providers/reference-mark.ts';
import type { StatementLine } from '../statements/statement-line.ts';
import { findDealtWith, findKnownReferences, findLeftAmong } from './found-order-store.ts';

export type FoundOrder = {
  readonly provider: string;
  readonly reference: string;
  readonly line: StatementLine;
  /** Undefined where the reference says nothing of its purchase. */
  readonly read: ReadMark | undefined;
  /** Nothing came of it. */
  readonly isOver: boolean;
};

export type Gathered = {
  readonly unknown: readonly FoundOrder[];
  /** References that an earlier run left, and of which the list speaks again. */
  readonly leftBefore: ReadonlySet<string>;
  /** Lines that are orders. */
  readonly orders: number;
  readonly first: Date | undefined;
  readonly last: Date | undefined;
};

const SLICE = 500;
const orderStates: ReadonlySet<StatementLine['state']> = new Set([
  'delivered',
  'pending',
  'failed',
  'reversed',
]);

export async function gatherFound(
  sql: Sql,
  provider: string,
  lines: AsyncIterable<StatementLine>,
  onProgress: (orders: number) => void,
): Promise<Gathered> {
  const unknown = new Map<string, FoundOrder>();
  const leftBefore = new Set<string>();
  let slice: StatementLine[] = [];
  let orders = 0;
  let first: Date | undefined;
  let last: Date | undefined;
  const sift = async (): Promise<void> => {
    for (const found of await unknownOf(sql, provider, slice)) {
      // A line that comes twice counts once, as what it said last.
      unknown.set(found.reference, found);
    }
    for (const reference of await findLeftAmong(sql, provider, slice.map(referenceOf))) {
      leftBefore.add(reference);
    }
    slice = [];
    onProgress(orders);
  };
  for await (const line of lines) {
    if (!orderStates.has(line.state)) continue;
    orders += 1;
    if (first === undefined || line.at < first) first = line.at;
    if (last === undefined || line.at > last) last = line.at;
    slice.push(line);
    if (slice.length >= SLICE) await sift();
  }
  await sift();
  return { unknown: [...unknown.values()], leftBefore, orders, first, last };
}

async function unknownOf(sql: Sql, provider: string, lines: readonly StatementLine[]): Promise<FoundOrder[]> {
  const references = lines.flatMap(({ reference }) => reference ?? []);
  const known = await findKnownReferences(sql, provider, references);
  const dealtWith = await findDealtWith(sql, provider, references);
  return lines.flatMap((line) => {
    const reference = referenceOf(line);
    if (known.has(reference) || dealtWith.has(reference)) return [];
    const isOver = line.state === 'failed' || line.state === 'reversed';
    return [{ provider, reference, line, read: readMark(reference), isOver }];
  });
}

/** An order without a reference is somebody's all the same. */
function referenceOf({ reference, providerId, line, at }: StatementLine): string {
  return reference ?? `no reference, ${providerId ?? `line ${line} of ${at.toISOString()}`}`;
}

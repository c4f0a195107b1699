/**
 * `node --expose-gc churn.ts Bag|Set`: prints by how many MB the old part of the heap grows while
 * objects of 500 bytes come and go, ten at a time, after a collection that found some of them.
 */
import { getHeapSpaceStatistics } from 'node:v8';
import { Bag } from '../../src/core/bag.ts';

const TIMES = 40_000;
const AT_ONCE = 10;

const things: { add(thing: object): void; delete(thing: object): void } =
  process.argv[2] === 'Bag' ? new Bag<object>() : new Set<object>();
const present: object[] = [];

function churn(times: number): void {
  for (let time = 0; time < times; time += 1) {
    const thing = { filling: new Array(60).fill(time) };
    present.push(thing);
    things.add(thing);
    const gone = present.length > AT_ONCE ? present.shift() : undefined;
    if (gone !== undefined) things.delete(gone);
  }
}

function oldMb(): number {
  const old = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
  return (old?.space_used_size ?? 0) / 1_000_000;
}

churn(1_000);
globalThis.gc?.();
const before = oldMb();
churn(TIMES);
console.log(oldMb() - before);

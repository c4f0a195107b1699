/** A bag contains the items that were added and not deleted. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Bag } from '../../src/core/bag.ts';

describe('a bag', () => {
  it('contains the items that were added and not deleted, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ item: fc.nat(5), isAdded: fc.boolean() })), (steps) => {
        const bag = new Bag<number>();
        const wanted: number[] = [];
        for (const { item, isAdded } of steps) {
          if (isAdded) {
            bag.add(item);
            wanted.push(item);
          } else {
            bag.delete(item);
            if (wanted.includes(item)) wanted.splice(wanted.indexOf(item), 1);
          }
          assert.equal(bag.size, wanted.length);
          assert.deepEqual([...bag].sort(), wanted.toSorted());
        }
      }),
    );
  });
});

/** A bag holds what was added and not deleted, and keeps nothing of what was deleted. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { Bag } from '../../src/core/bag.ts';

describe('a bag', () => {
  it('holds what was added and not deleted, in any order of both', () => {
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

  /** Measured in a process with the smallest heap. */
  async function grownMb(kind: 'Bag' | 'Set'): Promise<number> {
    const program = join(import.meta.dirname, 'churn.ts');
    const options = ['--expose-gc', '--max-semi-space-size=1'];
    const { stdout } = await promisify(execFile)(process.execPath, [...options, program, kind]);
    return Number(stdout);
  }

  it('lets short-lived items be collected while they are young, which a set does not', async () => {
    const [bag, set] = [await grownMb('Bag'), await grownMb('Set')];
    assert.ok(bag < 3, `${bag} MB`);
    assert.ok(set > 2 * Math.max(bag, 1), `a set would do as well: ${set} MB`);
  });
});

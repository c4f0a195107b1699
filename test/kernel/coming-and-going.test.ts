/** What comes and goes: what is there, what is over, and that nothing of what went is kept. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { Bag, WorkUnderWay } from '../../src/kernel/coming-and-going.ts';

describe('a bag', () => {
  it('has what was put into it and not taken out, however that went', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ item: fc.nat(5), isPut: fc.boolean() })), (steps) => {
        const bag = new Bag<number>();
        const wanted: number[] = [];
        for (const { item, isPut } of steps) {
          if (isPut) {
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

  /** In a heap of its own, which is as small as can be. */
  async function grownMb(kind: 'Bag' | 'Set'): Promise<number> {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--expose-gc',
      '--max-semi-space-size=1',
      join(import.meta.dirname, 'churn.ts'),
      kind,
    ]);
    return Number(stdout);
  }

  it('keeps nothing of what went, as a set does', async () => {
    const [bag, set] = [await grownMb('Bag'), await grownMb('Set')];
    assert.ok(bag < 3, `${bag} MB`);
    assert.ok(set > 2 * Math.max(bag, 1), `a set would do as well: ${set} MB`);
  });
});

describe('work under way', () => {
  it('is counted until it has ended, well or not, and is over then', async () => {
    const work = new WorkUnderWay();
    await work.over();
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    work.add(one.promise);
    work.add(two.promise.catch(() => undefined));
    assert.equal(work.count, 2);
    let isOver = false;
    const over = Promise.all([work.over(), work.over()]).then(() => {
      isOver = true;
    });
    one.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([work.count, isOver], [1, false]);
    two.reject(new Error('it failed'));
    await over;
    assert.equal(work.count, 0);
  });
});

/**
 * Group commit: one batch for those who wait, a verdict for each, no neighbour harmed, a bounded
 * queue.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GroupCommit, type GroupCommitOptions } from '../../../src/purchases/engine/group-commit.ts';
import { refusedFor } from '../../support/refusals.ts';

class Away extends Error {}
class Held extends Error {}

function commit(
  run: (items: readonly number[]) => Promise<readonly string[]>,
  options: Partial<GroupCommitOptions<number, string>> = {},
): GroupCommit<number, string> {
  return new GroupCommit({
    batchMax: 100,
    inFlightMax: 1,
    besideMin: 1,
    besideAfterMs: 60_000,
    queueMax: 1_000,
    isShared: (error) => error instanceof Away,
    ...options,
    run,
  });
}

describe('group commit', () => {
  it('runs waiting items together, in arrival order, and gives each its verdict', async () => {
    const batches: number[][] = [];
    const group = commit(async (items) => {
      batches.push([...items]);
      return items.map((item) => `v${item}`);
    });
    const verdicts = await Promise.all([1, 2, 3, 4, 5].map((item) => group.submit(item)));
    assert.deepEqual(verdicts, ['v1', 'v2', 'v3', 'v4', 'v5']);
    assert.deepEqual(batches, [[1, 2, 3, 4, 5]]);
  });

  it('sends a batch in parallel when enough items wait, and keeps fewer until the first returns', async () => {
    const batches: number[] = [];
    const gates: (() => void)[] = [];
    const group = commit(
      async (items) => {
        batches.push(items.length);
        await new Promise<void>((open) => gates.push(open));
        return items.map(String);
      },
      { inFlightMax: 2, besideMin: 3 },
    );
    const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const first = group.submit(1);
    await tick();
    const few = [group.submit(2), group.submit(3)];
    await tick();
    assert.deepEqual(batches, [1]);
    const third = group.submit(4);
    await tick();
    assert.deepEqual(batches, [1, 3]);
    const last = group.submit(5);
    await tick();
    assert.deepEqual(batches, [1, 3]);
    gates[0]?.();
    await first;
    assert.deepEqual(batches, [1, 3]);
    gates[1]?.();
    await Promise.all([...few, third]);
    await tick();
    assert.deepEqual(batches, [1, 3, 1]);
    gates[2]?.();
    assert.equal(await last, '5');
  });

  it('includes items that the previous batch caused in a small batch', async () => {
    const batches: number[][] = [];
    const group = commit(
      async (items) => {
        batches.push([...items]);
        await new Promise((resolve) => setImmediate(resolve));
        return items.map(String);
      },
      { besideMin: 3 },
    );
    const purchase = group.submit(1).then(() => group.submit(10));
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([purchase, group.submit(2)]);
    assert.deepEqual(batches, [[1], [2, 10]]);
  });

  it('collects items that arrive soon after a batch, up to the limit', async () => {
    const batches: number[][] = [];
    const group = commit(
      async (items) => {
        batches.push([...items]);
        return items.map(String);
      },
      { besideMin: 4, gatherMs: () => 500 },
    );
    const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await group.submit(1);
    const few = [group.submit(2)];
    await tick();
    few.push(group.submit(3));
    await tick();
    assert.deepEqual(batches, [[1]]);
    await Promise.all(few);
    assert.deepEqual(batches, [[1], [2, 3]]);
    // A full batch does not wait.
    await Promise.all([4, 5, 6, 7].map((item) => group.submit(item)));
    assert.deepEqual(batches, [[1], [2, 3], [4, 5, 6, 7]]);
  });

  it('respects the size of a batch and the number in flight', async () => {
    let running = 0;
    let most = 0;
    const sizes: number[] = [];
    const group = commit(
      async (items) => {
        running += 1;
        most = Math.max(most, running);
        sizes.push(items.length);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return items.map(String);
      },
      { batchMax: 3, inFlightMax: 2 },
    );
    await Promise.all(Array.from({ length: 10 }, (_, item) => group.submit(item)));
    assert.deepEqual(sizes, [3, 3, 3, 1]);
    assert.equal(most, 2);
  });

  it('does not let a refused item fail the other items', async () => {
    const group = commit(async (items) => {
      if (items.includes(3)) throw new Error('refused');
      return items.map((item) => `v${item}`);
    });
    const settled = await Promise.allSettled([1, 2, 3, 4].map((item) => group.submit(item)));
    assert.deepEqual(
      settled.map((result) => (result.status === 'fulfilled' ? result.value : 'refused')),
      ['v1', 'v2', 'refused', 'v4'],
    );
  });

  it('does not run a batch again when the connection failed: its outcome is unknown', async () => {
    let runs = 0;
    const group = commit(async () => {
      runs += 1;
      throw new Away();
    });
    const settled = await Promise.allSettled([1, 2, 3].map((item) => group.submit(item)));
    assert.ok(settled.every((result) => result.status === 'rejected' && result.reason instanceof Away));
    assert.equal(runs, 1);
  });

  it('does not delay a few items for a long batch', async () => {
    const batches: number[] = [];
    const gate = Promise.withResolvers<void>();
    const group = commit(
      async (items) => {
        batches.push(items.length);
        if (batches.length === 1) await gate.promise;
        return items.map(String);
      },
      { inFlightMax: 2, besideMin: 10, besideAfterMs: 20 },
    );
    const first = group.submit(1);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await Promise.all([group.submit(2), group.submit(3)]), ['2', '3']);
    assert.deepEqual(batches, [1, 2]);
    gate.resolve();
    assert.equal(await first, '1');
  });

  describe('with items whose lock is held elsewhere', () => {
    /** Items lock their tens digit: 31 and 35 lock 3. A batch of 51 alone waits for `turn`. */
    function locking(waitMs: number, batchMax = 100) {
      const turn = Promise.withResolvers<void>();
      const batches: number[][] = [];
      const held = new Set<bigint>();
      const keyOf = (item: number): bigint => BigInt(Math.floor(item / 10));
      const group = commit(
        async (items) => {
          batches.push([...items]);
          if (items.length === 1 && items[0] === 51) await turn.promise;
          if (items.some((item) => held.has(keyOf(item)))) throw new Held();
          return items.map((item) => `v${item}`);
        },
        {
          batchMax,
          locks: {
            keyOf,
            isHeld: (error) => error instanceof Held,
            findFree: async (keys) => new Set(keys.filter((key) => !held.has(key))),
            waitMs,
            refuse: () => new Away(),
          },
        },
      );
      return { group, batches, held, turn };
    }

    it('moves items of a locked wallet to a queue, and runs them when the lock is free', async () => {
      const { group, batches, held } = locking(10_000);
      held.add(3n);
      const stuck = [31, 32].map((item) => group.submit(item));
      const others = [11, 21, 12].map((item) => group.submit(item));
      assert.deepEqual(await Promise.all(others), ['v11', 'v21', 'v12']);
      assert.deepEqual(batches.slice(0, 2), [
        [31, 32, 11, 21, 12],
        [11, 21, 12],
      ]);
      // From now on they do not even leave with the others.
      const late = group.submit(33);
      assert.equal(await group.submit(13), 'v13');
      assert.ok(batches.some((batch) => batch.length === 1 && batch[0] === 13));
      held.clear();
      assert.deepEqual(await Promise.all([...stuck, late]), ['v31', 'v32', 'v33']);
      assert.equal(await group.submit(34), 'v34');
    });

    it('moves items too that arrived before the lock was known', async () => {
      const { group, batches, held } = locking(10_000, 2);
      held.add(3n);
      const [stuck, first, late, second] = [31, 11, 32, 12].map((item) => group.submit(item));
      assert.deepEqual(await Promise.all([first, second]), ['v11', 'v12']);
      // A batch that 32 is in waits for the lock once more, and 12 with it.
      assert.ok(!batches.some((batch) => batch.includes(32) && batch.includes(12)));
      held.clear();
      assert.deepEqual(await Promise.all([stuck, late]), ['v31', 'v32']);
    });

    it('waits for one of several locks at a time, and for each in its turn', async () => {
      const { group, batches, held } = locking(10_000);
      held.add(3n).add(4n);
      const stuck = [31, 41].map((item) => group.submit(item));
      while (batches.length < 5) await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(batches.slice(1, 5), [[31], [41], [31], [41]]);
      held.delete(4n);
      assert.equal(await stuck[1], 'v41');
      held.clear();
      assert.equal(await stuck[0], 'v31');
    });

    it('releases a lock that is free while it waits for another', async () => {
      const { group, batches, held, turn } = locking(10_000);
      held.add(5n).add(4n);
      const [stuck, other] = [51, 41].map((item) => group.submit(item));
      while (batches.length < 2) await new Promise((resolve) => setImmediate(resolve));
      // The wait for the lock of 51 does not end by itself.
      assert.deepEqual(batches.at(-1), [51]);
      held.delete(4n);
      assert.equal(await other, 'v41');
      assert.equal(await group.submit(42), 'v42');
      held.clear();
      turn.resolve();
      assert.equal(await stuck, 'v51');
    });

    it('refuses only items that waited too long', async () => {
      const { group, held } = locking(100);
      held.add(3n);
      const stuck = group.submit(31);
      assert.equal(await group.submit(11), 'v11');
      await assert.rejects(stuck, Away);
      held.clear();
      assert.equal(await group.submit(32), 'v32');
    });
  });

  it('refuses items beyond its queue, and continues with the rest', async () => {
    const group = commit(async (items) => items.map(String), { queueMax: 2 });
    const settled = await Promise.allSettled([1, 2, 3].map((item) => group.submit(item)));
    assert.deepEqual(
      settled.map((result) => result.status),
      ['fulfilled', 'fulfilled', 'rejected'],
    );
    const refused = settled[2];
    assert.ok(refused?.status === 'rejected' && refusedFor('purchases_full')(refused.reason));
  });
});

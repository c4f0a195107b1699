/**
 * Turns come a step after one another, in the order of ranks, also after the process stood still.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPace, type Rank } from '../../src/upstream/pace.ts';

describe('a pace', () => {
  it('gives the first turn at once and none before its time', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let now = 1_000;
    const pace = createPace(10, () => now);
    assert.deepEqual([pace.takeNow(), pace.takeNow(), pace.waitMs()], [true, false, 95]);
    now += 94;
    assert.equal(pace.takeNow(), false);
    now += 1;
    assert.equal(pace.takeNow(), true);
  });

  it('lets no calls leave together after the process stood still', (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let now = 1_000;
    const pace = createPace(10, () => now);
    const left: number[] = [];
    for (const _ of [1, 2, 3, 4]) void pace.turn(10_000).then(() => left.push(now));
    now += 5_000;
    context.mock.timers.tick(5_000);
    // One had its turn before, one is late, and the others wait their step.
    assert.equal(pace.turnsWithin(0), 0);
    assert.ok(pace.waitMs() > 2 * 90);
  });

  it('takes turns by rank, one in ten for the last', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let now = 0;
    const pace = createPace(100, () => now);
    const left: Rank[] = [];
    const ranks: Rank[] = [
      ...Array.from({ length: 4 }, (): Rank => 2),
      ...Array.from({ length: 20 }, (): Rank => 0),
    ];
    const turns = ranks.map((rank) => pace.turn(10_000, { rank }).then(() => left.push(rank)));
    for (const _ of ranks) {
      now += 10;
      context.mock.timers.tick(10);
    }
    await Promise.all(turns);
    const lastOfFirst = left.lastIndexOf(0);
    // The first came before the others; two more had a tenth.
    assert.equal(left.slice(0, lastOfFirst).filter((rank) => rank === 2).length, 3);
    assert.deepEqual(left.slice(lastOfFirst + 1), [2]);
  });

  it('refuses one that would wait too long, and forgets one that was given up', async () => {
    const pace = createPace(1, () => 1_000);
    assert.equal(await pace.turn(0), true);
    assert.equal(await pace.turn(500), false);
    const given = pace.turn(5_000, { signal: AbortSignal.timeout(20) });
    assert.ok(pace.waitMs() > 1_500);
    assert.equal(await given, false);
    assert.ok(pace.waitMs() <= 1_000);
    assert.equal(await pace.turn(5_000, { signal: AbortSignal.abort() }), false);
  });

  it('of none sets no limit', async () => {
    const pace = createPace(0);
    assert.deepEqual(
      [pace.takeNow(), pace.waitMs(), pace.turnsWithin(10)],
      [true, 0, Number.POSITIVE_INFINITY],
    );
    assert.equal(await pace.turn(0), true);
  });
});

/** A database whose clock is set: how a change is detected, and which ages can be trusted. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseClock } from '../../../src/purchases/engine/database-clock.ts';

const HOUR_MS = 3_600_000;

/** A process and its database, whose clocks go on together unless the database's is set. */
function watched() {
  const time = { elapsedMs: 1_000, databaseMs: 5_000_000 };
  const clock = new DatabaseClock({ elapsedMs: () => time.elapsedMs });
  const pass = (ms: number): void => {
    time.elapsedMs += ms;
    time.databaseMs += ms;
  };
  return {
    clock,
    pass,
    set: (ms: number) => {
      time.databaseMs += ms;
    },
    /** `tookMs`: the delay between the reading and its arrival. */
    look: (tookMs = 0) =>
      clock.look(async () => {
        const read = time.databaseMs;
        pass(tookMs);
        return read;
      }),
  };
}

describe('the clock of the database', () => {
  it('does not report a running clock as changed, however long an answer takes', async () => {
    const { clock, pass, look } = watched();
    for (const tookMs of [0, 3, 30_000, 5, 600_000, 0]) {
      assert.equal(await look(tookMs), 0);
      pass(1_000);
    }
    assert.equal(clock.wasSetWithin(HOUR_MS), false);
    assert.equal(clock.correct(HOUR_MS), HOUR_MS);
    assert.equal(clock.aheadMs(), 0);
  });

  it('reports a changed clock, forward and back, for a while', async () => {
    const { clock, pass, set, look } = watched();
    await look();
    set(HOUR_MS);
    assert.equal(await look(), HOUR_MS);
    assert.equal(clock.wasSetWithin(5_000), true);
    pass(5_001);
    assert.equal(clock.wasSetWithin(5_000), false);
    assert.equal(await look(), 0);
    set(-2 * HOUR_MS);
    assert.equal(await look(), -2 * HOUR_MS);
    assert.equal(clock.aheadMs(), HOUR_MS);
  });

  it('ages only rows that existed before the clock was set forward', async () => {
    const { clock, pass, set, look } = watched();
    await look();
    set(HOUR_MS);
    await look();
    pass(10_000);
    // Stored a minute before it was set, and five seconds ago.
    assert.equal(clock.correct(HOUR_MS + 70_000), 70_000);
    assert.equal(clock.correct(5_000), 5_000);
    set(2 * HOUR_MS);
    await look();
    pass(10_000);
    assert.equal(clock.correct(3 * HOUR_MS + 80_000), 80_000);
    assert.equal(clock.correct(2 * HOUR_MS + 15_000), 15_000);
    assert.equal(clock.correct(5_000), 5_000);
    assert.equal(clock.aheadMs(), 3 * HOUR_MS);
  });

  it('does not mistake a slow answer for a changed clock', async () => {
    const { clock, pass, look } = watched();
    await look();
    const late = Promise.withResolvers<number>();
    const slow = clock.look(() => late.promise);
    pass(60_000);
    assert.equal(await look(), 0);
    late.resolve(5_000_000);
    assert.equal(await slow, 0);
    assert.equal(await look(), 0);
  });
});

/** How long a float lasts: by the hour of the day, not by a mean that includes the night. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HourSpent, runwayOf } from '../../../src/finance/floats/runway.ts';

const HOUR_MS = 3_600_000;

/** The hours before a moment, each with the cost of that hour of the day. */
function hoursBefore(now: Date, count: number, costAt: (ofDay: number) => bigint): HourSpent[] {
  const last = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: count }, (_, index) => {
    const hour = new Date(last - (count - index) * HOUR_MS);
    return { hour, cost: costAt(hour.getUTCHours()) };
  });
}

/** No sales between 22:00 and 06:00. */
const byDay = (ofDay: number): bigint => (ofDay >= 6 && ofDay < 22 ? 100_000n : 0n);

describe('how long a float lasts', () => {
  it('estimates by the cost of the same hours: less than the mean in the morning, more at night', () => {
    const morning = new Date('2026-11-22T08:00:00Z');
    const spent = hoursBefore(morning, 7 * 24, byDay);
    const runway = runwayOf(300_000n, spent, morning);
    assert.deepEqual([runway.hours, runway.by, runway.hoursKnown], [3, 'hour_of_day', 168]);
    const night = new Date('2026-11-22T22:00:00Z');
    const late = runwayOf(300_000n, hoursBefore(night, 7 * 24, byDay), night);
    assert.equal(late.hours, 11);
  });

  it('shortens the estimate when sales are above the usual pace, and lengthens it when below', () => {
    const now = new Date('2026-11-22T12:00:00Z');
    const usual = hoursBefore(now, 7 * 24, byDay);
    const hot = usual.map((one, index) =>
      index >= usual.length - 3 ? { ...one, cost: 2n * one.cost } : one,
    );
    const [calm, busy] = [runwayOf(400_000n, usual, now), runwayOf(400_000n, hot, now)];
    assert.equal(calm.hours, 4);
    assert.ok((busy.hours ?? 9) < 3, String(busy.hours));
  });

  it('counts from now, and is 0 for an empty float', () => {
    const half = new Date('2026-11-22T12:30:00Z');
    assert.equal(runwayOf(50_000n, hoursBefore(half, 168, byDay), half).hours, 0.5);
    assert.equal(runwayOf(0n, hoursBefore(half, 168, byDay), half).hours, 0);
    assert.equal(runwayOf(-5n, hoursBefore(half, 168, byDay), half).hours, 0);
  });

  it('uses a mean while less than a day is known, and is unknown without spending', () => {
    const now = new Date('2026-11-22T12:00:00Z');
    const few = runwayOf(
      100_000n,
      hoursBefore(now, 4, () => 50_000n),
      now,
    );
    assert.deepEqual([few.hours, few.by], [2, 'mean']);
    const none = runwayOf(
      100_000n,
      hoursBefore(now, 48, () => 0n),
      now,
    );
    assert.deepEqual([none.hours, none.by], [undefined, 'nothing']);
    assert.equal(runwayOf(10n ** 15n, hoursBefore(now, 48, byDay), now).hours, Number.POSITIVE_INFINITY);
  });
});

/**
 * Deadlines share one timer: each is called once, when it is due, and not after it was cancelled.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Deadlines } from '../../src/core/deadlines.ts';
import { until } from '../support/until.ts';

describe('deadlines', () => {
  it('calls each deadline once and none too early, whatever the order they were added in', async () => {
    const deadlines = new Deadlines();
    const startedAtMs = performance.now();
    const called = new Map<number, number>();
    for (const ms of [60, 20, -5, 40]) {
      deadlines.add(ms, () => {
        assert.ok(!called.has(ms));
        called.set(ms, performance.now() - startedAtMs);
      });
    }
    await until('all deadlines', () => called.size === 4);
    for (const [ms, afterMs] of called) assert.ok(afterMs >= ms, `${ms} was called after ${afterMs} ms`);
  });

  it('does not call a deadline that was cancelled, and calls those behind it', async () => {
    const deadlines = new Deadlines();
    const called: string[] = [];
    const first = deadlines.add(10, () => called.push('first'));
    deadlines.add(30, () => called.push('second'));
    deadlines.cancel(first);
    await until('the second', () => called.length > 0);
    assert.deepEqual(called, ['second']);
  });

  it('calls a deadline that was added while another is called', async () => {
    const deadlines = new Deadlines();
    const called: string[] = [];
    deadlines.add(5, () => {
      called.push('first');
      deadlines.add(5, () => called.push('second'));
    });
    await until('both', () => called.length === 2);
    assert.deepEqual(called, ['first', 'second']);
  });
});

/**
 * Deadlines share one timer: each is called once, when it is due, and not after it was cancelled.
 */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Deadlines } from '../../src/core/deadlines.ts';

/** Clocks and timers that are frozen until `pass` is called. The clock runs behind the timers. */
function stopTime(
  t: TestContext,
  behindMs: { readonly now: number } = { now: 0 },
): { readonly pass: (ms: number) => void; readonly isAwake: () => boolean } {
  type Timer = { dueMs: number; call: () => void; isRef: boolean; ref(): void; unref(): void };
  let nowMs = 1_000.25;
  const timers: Timer[] = [];
  t.mock.method(performance, 'now', () => nowMs - behindMs.now);
  t.mock.method(globalThis, 'setTimeout', (call: () => void, ms: number) => {
    const timer = {
      dueMs: nowMs + Math.max(ms, 1),
      call,
      isRef: true,
      ref: () => {
        timer.isRef = true;
      },
      unref: () => {
        timer.isRef = false;
      },
    };
    timers.push(timer);
    return timer;
  });
  t.mock.method(globalThis, 'clearTimeout', (timer: Timer | undefined) => {
    if (timer !== undefined && timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
  });
  return {
    pass: (ms) => {
      const untilMs = nowMs + ms;
      for (;;) {
        const [next] = timers.filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs);
        if (next === undefined) break;
        timers.splice(timers.indexOf(next), 1);
        nowMs = next.dueMs;
        next.call();
      }
      nowMs = untilMs;
    },
    isAwake: () => timers.some(({ isRef }) => isRef),
  };
}

describe('deadlines', () => {
  it('calls each deadline once and never too early, in any order of addition', (t) => {
    const { pass } = stopTime(t);
    const deadlines = new Deadlines();
    const startedAtMs = performance.now();
    const called: { ms: number; afterMs: number }[] = [];
    for (const ms of [60, 20, -5, 40.5]) {
      deadlines.add(ms, () => called.push({ ms, afterMs: performance.now() - startedAtMs }));
    }
    pass(1_000);
    assert.deepEqual(
      called.map(({ ms }) => ms),
      [-5, 20, 40.5, 60],
    );
    for (const { ms, afterMs } of called) {
      assert.ok(afterMs >= ms && afterMs < Math.max(ms, 0) + 2, `${ms} was called after ${afterMs} ms`);
    }
  });

  it('waits again when the timer fires too early', (t) => {
    const behindMs = { now: 0 };
    const { pass } = stopTime(t, behindMs);
    const deadlines = new Deadlines();
    const called: number[] = [];
    const startedAtMs = performance.now();
    deadlines.add(10, () => called.push(performance.now() - startedAtMs));
    behindMs.now = 0.5;
    pass(100);
    assert.equal(called.length, 1);
    assert.ok((called[0] ?? 0) >= 10);
  });

  it('does not call a deadline that was cancelled, and calls those behind it', (t) => {
    const { pass } = stopTime(t);
    const deadlines = new Deadlines();
    const called: string[] = [];
    const first = deadlines.add(10, () => called.push('first'));
    deadlines.add(30, () => called.push('second'));
    deadlines.cancel(first);
    deadlines.cancel(first);
    pass(100);
    assert.deepEqual(called, ['second']);
  });

  it('does not call a deadline that another one cancels when both are due', (t) => {
    const { pass } = stopTime(t);
    const deadlines = new Deadlines();
    const called: string[] = [];
    deadlines.add(10, () => {
      called.push('first');
      deadlines.cancel(second);
    });
    const second = deadlines.add(10, () => called.push('second'));
    deadlines.add(10, () => called.push('third'));
    pass(100);
    assert.deepEqual(called, ['first', 'third']);
  });

  it('calls a deadline that was added by the callback of another', (t) => {
    const { pass } = stopTime(t);
    const deadlines = new Deadlines();
    const called: string[] = [];
    deadlines.add(5, () => {
      called.push('first');
      deadlines.add(5, () => called.push('second'));
    });
    pass(100);
    assert.deepEqual(called, ['first', 'second']);
  });

  it('calls the other deadlines although one throws', (t) => {
    const { pass } = stopTime(t);
    const deadlines = new Deadlines();
    const called: string[] = [];
    deadlines.add(5, () => {
      throw new Error('of the first');
    });
    deadlines.add(5, () => called.push('second'));
    deadlines.add(20, () => called.push('third'));
    assert.throws(() => pass(100));
    pass(100);
    assert.deepEqual(called, ['second', 'third']);
  });

  it('keeps the process alive while a deadline is open, and not afterwards', (t) => {
    const { pass, isAwake } = stopTime(t);
    const deadlines = new Deadlines();
    const first = deadlines.add(10, () => undefined);
    assert.equal(isAwake(), true);
    deadlines.cancel(first);
    assert.equal(isAwake(), false);
    deadlines.add(50, () => undefined);
    assert.equal(isAwake(), true);
    pass(100);
    assert.equal(isAwake(), false);
  });
});

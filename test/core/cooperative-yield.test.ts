/** Long work lets other work run between its steps. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runYielding, type Steps } from '../../src/core/cooperative-yield.ts';

const STEP_MS = 6;
/** A timer comes up to a millisecond before its time. */
const EARLY_MS = 1;

type Step = { readonly name: string; readonly beganMs: number; readonly endedMs: number };

function* three(seen: Step[], failsAt?: number): Steps<string> {
  for (const number of [1, 2, 3]) {
    if (number === failsAt) throw new Error(`step ${number}`);
    const beganMs = performance.now();
    while (performance.now() - beganMs < STEP_MS);
    seen.push({ name: `step ${number}`, beganMs, endedMs: performance.now() });
    yield;
  }
  return 'done';
}

describe('work in steps', () => {
  it('runs steps in order, and after each step yields twice its time', async () => {
    const seen: Step[] = [];
    assert.equal(await runYielding(three(seen)), 'done');
    assert.deepEqual(
      seen.map(({ name }) => name),
      ['step 1', 'step 2', 'step 3'],
    );
    for (const [place, { beganMs, endedMs }] of seen.entries()) {
      const nextMs = seen[place + 1]?.beganMs ?? performance.now();
      assert.ok(nextMs - endedMs >= 2 * (endedMs - beganMs) - EARLY_MS);
    }
  });

  it('yields for at most a second after a step of any length', async (t) => {
    let nowMs = 1_000;
    t.mock.method(performance, 'now', () => nowMs);
    function* long(): Steps<string> {
      nowMs += 60_000;
      yield;
      return 'done';
    }
    const stepped = runYielding(long());
    assert.equal(await Promise.race([stepped, sleep(30_000, 'still at rest', { ref: false })]), 'done');
  });

  it('rejects with the error of a step', async () => {
    const seen: Step[] = [];
    await assert.rejects(runYielding(three(seen, 2)), /step 2/);
    assert.deepEqual(
      seen.map(({ name }) => name),
      ['step 1'],
    );
  });
});

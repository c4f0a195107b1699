/** Long work lets others in between its steps. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInSteps, type Steps } from '../../src/kernel/in-steps.ts';

function* three(seen: string[], failsAt?: number): Steps<string> {
  for (const step of [1, 2, 3]) {
    if (step === failsAt) throw new Error(`step ${step}`);
    seen.push(`step ${step}`);
    yield;
  }
  return 'done';
}

describe('work in steps', () => {
  it('is done in order, and others have a turn after each step', async () => {
    const seen: string[] = [];
    const others = (): void => void (seen.push('others') < 20 && setImmediate(others));
    setImmediate(others);
    assert.equal(await runInSteps(three(seen)), 'done');
    const ours = seen.flatMap((what, place) => (what === 'others' ? [] : [place]));
    assert.deepEqual(
      ours.map((place) => seen[place]),
      ['step 1', 'step 2', 'step 3'],
    );
    for (const place of ours) assert.equal(seen[place + 1], 'others');
  });

  it('ends with the error of a step', async () => {
    const seen: string[] = [];
    await assert.rejects(runInSteps(three(seen, 2)), /step 2/);
    assert.deepEqual(seen, ['step 1']);
  });
});

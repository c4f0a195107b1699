/** A limited number of refusals is delayed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFloodHold } from '../../src/core/flood-hold.ts';
import { limits } from '../../src/core/limits.ts';

test('delays answers up to the limit, sends others immediately, and delays again afterwards', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const hold = createFloodHold();
  let answered = 0;
  const answer = () => {
    answered += 1;
  };
  for (let at = 0; at < limits.floodRefusalsHeldMax; at += 1) hold(answer);
  assert.equal(answered, 0);
  hold(answer);
  assert.equal(answered, 1);
  t.mock.timers.tick(limits.floodRefusalHeldMs);
  assert.equal(answered, limits.floodRefusalsHeldMax + 1);
  hold(answer);
  assert.equal(answered, limits.floodRefusalsHeldMax + 1);
});

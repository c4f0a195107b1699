/**
 * Simulated seeds pass. On databases with cells, one seed in three runs.
 *
 * Own process: leftovers of other files would change the order of events.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testCells } from '../support/test-cells.ts';
import { runSeeds } from './run-seeds.ts';
import { tellStory } from './story.ts';

it('finds no fault in seeds up to 20', async () => {
  const every = testCells === 1 ? 1 : 3;
  const failure = await runSeeds({ first: 1, last: 20, every, steps: 12, onProgress: () => undefined });
  assert.equal(failure && `seed ${failure.seed}\n${tellStory(failure)}`, undefined);
});

/** The memory of Oja's own server follows that of the machine, or of the container. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryOfMachine, memorySettings } from '../../src/db/server-memory.ts';

const GIB = 1_024 ** 3;

test('a container has its limit, and a machine without one all that there is', () => {
  assert.equal(memoryOfMachine(0, 8 * GIB), 8 * GIB);
  assert.equal(memoryOfMachine(2 * GIB, 8 * GIB), 2 * GIB);
  assert.equal(memoryOfMachine(2 ** 62, 8 * GIB), 8 * GIB, 'Linux says so where there is no limit');
});

test('pages get an eighth of the memory, 256 MB at least and 1 GB at most', () => {
  const shared = (gib: number): string => memorySettings(gib * GIB).shared_buffers;
  assert.deepEqual([0.5, 2, 4, 8, 64].map(shared), ['256MB', '256MB', '512MB', '1024MB', '1024MB']);
  assert.equal(memorySettings(4 * GIB).effective_cache_size, '2048MB');
});

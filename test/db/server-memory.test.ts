/** The memory of Oja's own server follows the machine, or the container, and the database. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { databaseBytes, memoryOfMachine, memorySettings } from '../../src/db/server-memory.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';

const GIB = 1_024 ** 3;

test('a container has its limit, and a machine without one all of its memory', () => {
  assert.equal(memoryOfMachine(0, 8 * GIB), 8 * GIB);
  assert.equal(memoryOfMachine(2 * GIB, 8 * GIB), 2 * GIB);
  assert.equal(memoryOfMachine(2 ** 62, 8 * GIB), 8 * GIB, 'Linux says so where there is no limit');
});

test('pages get a quarter of the database, 256 MB at least, up to an eighth of the memory and 1 GB', () => {
  const shared = (memoryGib: number, databaseGib: number): string =>
    memorySettings(memoryGib * GIB, databaseGib * GIB).shared_buffers;
  assert.deepEqual(
    [0, 1, 2, 4, 400].map((gib) => shared(64, gib)),
    ['256MB', '256MB', '512MB', '1024MB', '1024MB'],
  );
  assert.deepEqual(
    [0.5, 2, 4, 8].map((gib) => shared(gib, 400)),
    ['256MB', '256MB', '512MB', '1024MB'],
  );
  assert.equal(memorySettings(4 * GIB, 0).effective_cache_size, '2048MB');
});

test('the size of a database is that of its files', async () => {
  const cluster = await mkdtemp(join(tmpdir(), 'oja-memory-'));
  cleanUpAfter(cluster);
  assert.equal(await databaseBytes(cluster), 0, 'there is none yet');
  await mkdir(join(cluster, 'base', '5'), { recursive: true });
  await writeFile(join(cluster, 'base', '5', '1259'), Buffer.alloc(8_192));
  await writeFile(join(cluster, 'base', '5', '1259_fsm'), Buffer.alloc(24_576));
  await writeFile(join(cluster, 'elsewhere'), Buffer.alloc(100));
  assert.equal(await databaseBytes(cluster), 32_768);
});

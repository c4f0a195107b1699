/** Who can read the data folder. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDataFolder } from '../../src/core/data-folder.ts';

async function modeAfter(mode: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-data-'));
  try {
    await chmod(folder, mode);
    await makeDataFolder(folder);
    return (await stat(folder)).mode & 0o7777;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a data folder is closed to other users', async () => {
  assert.equal(await modeAfter(0o755), 0o700);
});

test('a folder that all users share stays open', async () => {
  assert.equal(await modeAfter(0o1777), 0o1777);
});

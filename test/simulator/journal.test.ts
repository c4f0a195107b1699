/** The file of the simulator's books, which has cards and PINs in it. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Journal } from '../../simulator/journal.ts';

const folder = await mkdtemp(join(tmpdir(), 'oja-journal-'));
after(() => rm(folder, { recursive: true }));

test('makes the books readable only by their owner, also existing ones', async () => {
  const path = join(folder, 'books', 'journal.ndjson');
  const modes = async (): Promise<number[]> =>
    Promise.all([path, join(folder, 'books')].map(async (one) => (await stat(one)).mode & 0o777));
  await (await Journal.open(path, () => undefined)).close();
  assert.deepEqual(await modes(), [0o600, 0o700]);
  await chmod(path, 0o644);
  await (await Journal.open(path, () => undefined)).close();
  assert.deepEqual(await modes(), [0o600, 0o700]);
});

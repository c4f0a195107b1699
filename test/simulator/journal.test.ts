/** The file of the simulator's books, which has cards and PINs in it. */
import assert from 'node:assert/strict';
import { chmod, type FileHandle, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
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

test('writes an entry when the disk has room again, and leaves no torn line', async (t) => {
  const path = join(folder, 'full', 'journal.ndjson');
  const journal = await Journal.open(path, () => undefined);
  await journal.append({ order: 1 });
  const tries = await fillDisk(t, path, 2);
  await Promise.all([journal.append({ order: 2 }), journal.append({ order: 3 })]);
  assert.equal(tries(), 3);
  await journal.append({ order: 4 });
  await journal.close();
  const kept: unknown[] = [];
  await (await Journal.open(path, (entry) => kept.push(entry))).close();
  assert.deepEqual(kept, [{ order: 1 }, { order: 2 }, { order: 3 }, { order: 4 }]);
});

test('rejects an entry that was never written when it closes', async (t) => {
  const path = join(folder, 'never', 'journal.ndjson');
  const journal = await Journal.open(path, () => undefined);
  await fillDisk(t, path, Number.POSITIVE_INFINITY);
  const lost = assert.rejects(journal.append({ order: 1 }), { code: 'ENOSPC' });
  await journal.close();
  await lost;
  assert.equal(await readFile(path, 'utf8'), '');
});

/** Makes the next `count` writes of files store a part and fail. Returns how many were tried. */
async function fillDisk(t: TestContext, path: string, count: number): Promise<() => number> {
  const probe = await open(path);
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const write = handles.appendFile;
  let tries = 0;
  t.mock.method(handles, 'appendFile', async function (this: FileHandle, text: string): Promise<void> {
    tries += 1;
    if (tries > count) return await write.call(this, text);
    await write.call(this, text.slice(0, 5));
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  return () => tries;
}

/** The exit code of `oja batch create` shows whether the file is stored. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { operator } from './harness.ts';

const folder = await mkdtemp(join(tmpdir(), 'oja-batches-'));
after(() => rm(folder, { recursive: true }));

test('exits 0 when the file is stored, and 1 when it is not', async () => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  const { key } = await cli.json('credential', 'issue', 'SHOP', '--env', 'test');
  const path = join(folder, 'staff.csv');
  const create = async (csv: string) => {
    await writeFile(path, csv);
    return await cli.oja('batch', 'create', 'SHOP', key, '--file', path);
  };
  const head = 'Phone,Network,Amount';
  const stored = await create(`${head}\n08031234567,MTN,100\n`);
  assert.equal(stored.code, 0, stored.err);
  assert.equal((await create(`${head}\n08031234567,MTN,100\n`)).code, 0);
  for (const csv of [`${head}\n0803,MTN,100\n`, 'Network,Amount\nMTN,100\n', `${head}\n`]) {
    assert.equal((await create(csv)).code, 1, csv);
  }
  assert.equal((await cli.json('batch', 'list', 'SHOP')).length, 1);
});

/**
 * The key file of the data folder: created once, complete, and the same for all processes that
 * start at the same moment.
 */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { open, seal } from '../../../src/core/sealing.ts';
import { readKeyFile } from '../../../src/operate/keys/secrets.ts';
import { failedWith } from '../../support/refusals.ts';

describe('the key file', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'oja-secrets-'));
  });

  after(() => rm(folder, { recursive: true }));

  it('creates the key once, readable only by its owner, by concurrent starts', async () => {
    const dir = join(folder, 'new');
    const keys = await Promise.all(Array.from({ length: 20 }, () => readKeyFile(dir)));
    assert.equal(new Set(keys.map((key) => key.bytes.toString('hex'))).size, 1);
    assert.deepEqual(await readdir(dir), ['encryption.key']);
    assert.equal((await stat(join(dir, 'encryption.key'))).mode & 0o777, 0o600);
    assert.equal((await stat(dir)).mode & 0o777, 0o700);
    // As earlier versions left it.
    await chmod(dir, 0o755);
    const again = await readKeyFile(dir);
    assert.equal((await stat(dir)).mode & 0o777, 0o700);
    assert.equal(again.id, keys[0]?.id);
  });

  it('refuses a malformed key with its path', async () => {
    await writeFile(join(folder, 'encryption.key'), 'short\n');
    await assert.rejects(readKeyFile(folder), failedWith('key_file_malformed'));
  });

  it('opens only values that it sealed, in their place', async () => {
    const key = await readKeyFile(join(folder, 'new'));
    const other = await readKeyFile(join(folder, 'other'));
    const sealed = seal(key, 'settings/a/value', 'plain text');
    assert.ok(!sealed.includes('plain'));
    assert.equal(open(key, 'settings/a/value', sealed), 'plain text');
    assert.equal(open(key, 'settings/b/value', sealed), undefined);
    assert.equal(open(other, 'settings/a/value', sealed), undefined);
    assert.equal(open(key, 'settings/a/value', `${sealed.slice(0, -4)}AAA=`), undefined);
  });
});

/** The programs are found, completed, and copied to where the server's user can run them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, cp, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { findBinaries } from '../src/find-binaries.ts';
import { chooseServerUser } from '../src/server-user.ts';
import { isRoot, removeAfterwards, temporaryFolder } from './support/folder.ts';

const folder = await temporaryFolder();

test('copies programs once that the server cannot reach or that lack their links', {
  skip: !isRoot,
}, async () => {
  const closed = join(folder, 'closed-programs');
  await mkdir(closed, { mode: 0o700 });
  const user = await chooseServerUser(join(folder, 'none'));
  const native = join(closed, 'native');
  const installed = await findBinaries(folder, user);
  await copyWithoutLinks(join(installed, '..'), native);
  const copy = await findBinaries(folder, user, { native, label: 'copied' });
  assert.equal(copy, join(folder, 'embedded-pg-copied', 'bin'));
  const made = (await stat(copy)).birthtimeMs;
  assert.equal(await findBinaries(folder, user, { native, label: 'copied' }), copy);
  assert.equal((await stat(copy)).birthtimeMs, made);

  const planted = join(folder, 'embedded-pg-planted');
  await cp(join(copy, '..'), planted, { recursive: true, verbatimSymlinks: true });
  await chown(planted, 12_345, 12_345);
  const elsewhere = await findBinaries(folder, user, { native, label: 'planted' });
  assert.notEqual(elsewhere, join(planted, 'bin'));
  removeAfterwards(join(elsewhere, '..'));
});

test('refuses programs that do not run, with their output', async () => {
  const native = join(folder, 'no-programs');
  const label = `absent-${process.pid}`;
  await assert.rejects(findBinaries(folder, undefined, { native, label }), {
    name: 'EmbeddedPostgresError',
    code: 'no_programs',
    message: /no-programs/,
  });
});

async function copyWithoutLinks(source: string, target: string): Promise<void> {
  const copy = spawn('sh', ['-c', 'cp -r "$1" "$2" && find "$2" -type l -delete', 'sh', source, target]);
  assert.deepEqual(await once(copy, 'exit'), [0, null]);
}

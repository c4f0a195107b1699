/** The programs in the README run unchanged, in the folder of a user of the package. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startIn, temporaryFolder } from './support/folder.ts';

const root = join(import.meta.dirname, '..');
const folder = await temporaryFolder();
const readme = await readFile(join(root, 'README.md'), 'utf8');
const [visits = '', find = ''] = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);

before(async () => {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@oja'), { recursive: true });
  // As npm links a workspace.
  await symlink(root, join(modules, '@oja', 'embedded-postgres'));
  await symlink(packageFolder(fileURLToPath(import.meta.resolve('pg'))), join(modules, 'pg'));
});

test('the first example counts its runs', async () => {
  assert.equal(await run(visits), 'This is visit 1.\n');
  assert.equal(await run(visits), 'This is visit 2.\n');
});

test('the second finds the server that runs, if there is one', async () => {
  {
    await using server = await startIn(join(folder, 'data'));
    assert.equal(await run(find), `${server.connectionString}\n`);
  }
  assert.equal(await run(find), 'undefined\n');
});

async function run(code: string): Promise<string> {
  await writeFile(join(folder, 'example.ts'), code);
  const { stdout } = await promisify(execFile)(process.execPath, ['example.ts'], { cwd: folder });
  return stdout;
}

function packageFolder(file: string): string {
  return file.slice(0, file.lastIndexOf('/pg/') + '/pg'.length);
}

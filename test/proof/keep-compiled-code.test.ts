/**
 * Compiled code is cached for the next process only where no other user can write. A process starts
 * in any case, without a message.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const moduleUrl = pathToFileURL(
  join(import.meta.dirname, '..', '..', 'src', 'core', 'keep-compiled-code.ts'),
);

let installed: string;
let cache: string;
let kept: string;

beforeEach(async () => {
  installed = await mkdtemp(join(tmpdir(), 'oja-installed-'));
  cache = join(installed, '.cache');
  kept = join(cache, 'oja');
  await writeFile(
    join(installed, 'program.mjs'),
    `import { getCompileCacheDir } from 'node:module';
     import { keepCompiledCode } from ${JSON.stringify(moduleUrl)};
     keepCompiledCode(process.argv[2]);
     await import('./more.ts');
     console.log(getCompileCacheDir() === undefined ? 'not kept' : 'kept');`,
  );
  await writeFile(join(installed, 'more.ts'), 'export const more: number = 1;\n');
});
afterEach(() => rm(installed, { recursive: true, force: true }));

/** The output of a process with these dependencies, which contains no warning. */
async function start(): Promise<string> {
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...env } = process.env;
  const options = { env: { ...env, NODE_COMPILE_CACHE: '' } };
  const { stdout, stderr } = await run(
    process.execPath,
    [join(installed, 'program.mjs'), installed],
    options,
  );
  assert.equal(stderr, '');
  return stdout.trim();
}

async function countKept(): Promise<number> {
  const names = await readdir(kept, { recursive: true, withFileTypes: true }).catch(() => []);
  return names.filter((entry) => entry.isFile()).length;
}

describe('the compiled code', () => {
  it('keeps compiled code for the next process', async () => {
    assert.equal(await start(), 'kept');
    const first = await countKept();
    assert.ok(first > 0);
    assert.equal(await start(), 'kept');
    assert.equal(await countKept(), first);
  });

  it('keeps nothing where it cannot write', async () => {
    // No folder can be made there, not even by root.
    await symlink('/proc/self/fdinfo', cache);
    assert.equal(await start(), 'not kept');
    await rm(cache);
    await mkdir(cache);
    await writeFile(kept, '');
    assert.equal(await start(), 'not kept');
  });

  for (const [who, mode] of [
    ['anybody', 0o777],
    ['a group', 0o775],
  ] as const) {
    it(`neither keeps nor reads code where ${who} can write`, async () => {
      await chmod(installed, 0o755);
      await mkdir(kept, { recursive: true });
      for (const folder of [kept, cache]) {
        await chmod(folder, mode);
        assert.equal(await start(), 'not kept');
        await chmod(folder, 0o755);
      }
      assert.equal(await countKept(), 0);
      assert.equal(await start(), 'kept');
    });
  }

  it('keeps code where the dependencies can be written by the same user', async () => {
    await mkdir(kept, { recursive: true });
    for (const folder of [installed, cache, kept]) await chmod(folder, 0o775);
    assert.equal(await start(), 'kept');
  });

  it('neither keeps nor reads code in a third user’s folder, or behind a link', async (t) => {
    await mkdir(join(installed, 'elsewhere'));
    await mkdir(cache);
    await symlink(join(installed, 'elsewhere'), kept);
    assert.equal(await start(), 'not kept');
    await rm(kept);
    await mkdir(kept);
    if (process.getuid?.() !== 0) return t.diagnostic('only root can give a folder away');
    await chown(kept, 4_321, 4_321);
    assert.equal(await start(), 'not kept');
    // The user who installed the dependencies may have created it.
    await chown(installed, 4_321, 4_321);
    assert.equal(await start(), 'kept');
  });
});

/** The modules that an installation compiles for the first start. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { memoryFlags } from '../../src/app/command-line/become-gateway.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';

const root = join(import.meta.dirname, '..', '..');

it('compiles the modules of a gateway once, with its flags', () => {
  const kept = mkdtempSync(join(tmpdir(), 'oja-compiled-'));
  cleanUpAfter(kept);
  const run = (...args: string[]): void => {
    const env = { ...process.env, NODE_COMPILE_CACHE: kept };
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      env,
    });
    assert.deepEqual([status, stdout, stderr], [0, '', '']);
  };
  const count = (): number => globSync('*/*', { cwd: kept }).length;
  run('src/compile.ts');
  const compiled = count();
  assert.ok(compiled > globSync('src/{api,purchases,wallet}/**/*.ts', { cwd: root }).length);
  run(...memoryFlags, 'src/compile.ts');
  assert.equal(count(), compiled);
});

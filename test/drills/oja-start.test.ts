/** `oja start`: the command that becomes the gateway. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { memoryFlags, memoryVariables } from '../../src/app/command-line/become-gateway.ts';
import { assertGone, emptyFolder, spawnGateway } from '../e2e/started.ts';
import { childrenOf, freePort, killNow, processesIn } from '../support/processes.ts';
import { until } from '../support/until.ts';

/** Runs as the first process of its own namespace, as in a container. */
const alone = ['unshare', '--pid', '--fork', '--mount-proc'];

describe('oja start', () => {
  const oja = join(import.meta.dirname, '..', '..', 'oja');

  it('bounds memory as npm start does', async () => {
    const manifest = await readFile(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
    const { scripts } = JSON.parse(manifest) as { scripts: { start: string } };
    assert.equal(scripts.start, `exec env ${variables.join(' ')} ${node} || ${node}`);
  });

  const variables = Object.entries(memoryVariables).map(([name, value]) => `${name}=${value}`);
  const node = `node ${memoryFlags.join(' ')} src/main.ts`;

  it('runs the gateway itself, also as the first process of a machine', async (t) => {
    const folder = await emptyFolder();
    const port = await freePort();
    const [unshare = '', ...apart] = alone;
    const isAlone = spawnSync(unshare, [...apart, 'true']).status === 0;
    if (!isAlone) t.diagnostic('no name space of processes here: not run as the first process');
    const command = [...(isAlone ? alone : []), oja, 'start'];
    const [program = '', ...args] = command;
    const started = spawnGateway(program, args, folder, port);
    const exited = once(started, 'exit');
    try {
      await until('it listens', () => started.said().includes('admin API'));
      const [first] = isAlone ? childrenOf(started.pid ?? 0) : [started.pid];
      const line = await readFile(`/proc/${first}/cmdline`, 'utf8');
      for (const flag of memoryFlags) assert.ok(line.split('\0').includes(flag), line);
      const environment = await readFile(`/proc/${first}/environ`, 'utf8');
      for (const variable of variables) assert.ok(environment.split('\0').includes(variable), variable);
      process.kill(first ?? 0, 'SIGTERM');
      assert.deepEqual((await exited)[0], 0);
      await until('all of it has ended', () => processesIn(folder).length === 0);
    } finally {
      killNow(processesIn(folder));
    }
    await assertGone(folder, port);
  });

  it('refuses unknown arguments, and prints its usage', () => {
    const wrong = spawnSync(oja, ['start', 'now'], { encoding: 'utf8' });
    assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
    const help = spawnSync(oja, ['start', '--help'], { encoding: 'utf8' });
    assert.equal(help.status, 0);
    assert.ok(help.stdout.includes('oja start'));
  });
});

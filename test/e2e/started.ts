/**
 * Shared parts of tests of a complete start: an empty folder, the program as people start it, its
 * end.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { postmasterOf, processesIn } from '../support/processes.ts';

/** With a space and a quote in its name, like users' folders. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "oja's start "));
  cleanUpAfter(folder);
  // An embedded server runs as another user when the tests run as root.
  await chmod(folder, 0o755);
  return folder;
}

/** Any program that becomes a gateway, or starts one. */
export function spawnGateway(
  program: string,
  args: readonly string[],
  folder: string,
  port: number,
): ChildProcess & { said(): string } {
  const npm = spawn(program, args, {
    cwd: join(import.meta.dirname, '..', '..'),
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      OJA_DATA_DIR: folder,
      PORT: String(port),
      METRICS_PORT: '0',
      OJA_ADMIN_PORT: '0',
      OJA_CONSOLE_PORT: '0',
      OJA_PORTAL_PORT: '0',
      OJA_SIMULATOR_PORT: '0',
      OJA_DEMO_HISTORY: 'none',
    },
  });
  let said = '';
  npm.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  return Object.assign(npm, { said: () => said });
}

/** No process runs in the folder, no port is open, and no socket is left. */
export async function assertGone(folder: string, port: number): Promise<void> {
  assert.deepEqual(processesIn(folder), []);
  assert.equal(postmasterOf(folder), undefined);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/v1/healthz`));
}

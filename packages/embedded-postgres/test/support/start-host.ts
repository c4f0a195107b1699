/** Another process that runs a server on a folder. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

export type Host = {
  readonly host: ChildProcess;
  readonly connectionString: string;
  /** The server's. */
  readonly pid: number;
};

/** The server is up when this resolves. The process ends with the test at the latest. */
export async function startHost(t: TestContext, dataDir: string): Promise<Host> {
  const script = join(import.meta.dirname, 'host.ts');
  const host = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => host.kill('SIGKILL'));
  const [line] = await Promise.race([
    once(createInterface({ input: host.stdout }), 'line'),
    once(host, 'exit').then(([code]) => assert.fail(`the host ended at its start (exit code ${code})`)),
  ]);
  return { host, ...(JSON.parse(String(line)) as { connectionString: string; pid: number }) };
}

export async function killed(host: ChildProcess): Promise<void> {
  host.kill('SIGKILL');
  await once(host, 'exit');
}

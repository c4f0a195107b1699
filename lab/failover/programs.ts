/** Debian's programs that a failover needs. Their processes always end with the run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { chooseServerUser } from '../../packages/embedded-postgres/src/server-user.ts';
import { childrenOf, isAlive, killNow } from '../../test/support/processes.ts';

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** The programs of PostgreSQL 15, in Debian's paths. */
export const postgresPrograms: string = process.env.OJA_PG_BIN ?? '/usr/lib/postgresql/15/bin';

/** Undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The needed programs that are not installed. */
export function missingPrograms(names: readonly string[]): string[] {
  const missing = names.filter((name) => findProgram(name) === undefined);
  return existsSync(join(postgresPrograms, 'postgres')) ? missing : [...missing, postgresPrograms];
}

export type Started = AsyncDisposable & {
  readonly pid: number;
  readonly exited: Promise<unknown>;
};

/**
 * A server that runs as PostgreSQL's user, with its output in a file. It is killed with this
 * process, including its child processes.
 */
export async function startProgram(name: string, args: readonly string[], logPath: string): Promise<Started> {
  const program = findProgram(name);
  if (program === undefined) throw new Error(`${name} is not installed`);
  mkdirSync(dirname(logPath), { recursive: true });
  const log = openSync(logPath, 'a');
  const user = await serverUser();
  const child = spawn(program, args, {
    stdio: ['ignore', log, log],
    cwd: '/',
    env: { PATH: folders.join(delimiter), LANG: 'C.UTF-8' },
    ...user,
  });
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const exited = once(child, 'exit');
  const kill = (): void => killNow(treeOf(pid));
  process.once('exit', kill);
  return {
    pid,
    exited,
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      await end(child, kill);
    },
  };
}

async function end(child: ChildProcess, kill: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  kill();
  await gone;
}

/** Undefined: as the user of this process. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  return await chooseServerUser('/nowhere');
}

/** Makes that user the owner of a file or folder. */
export async function giveToServer(path: string): Promise<void> {
  const user = await serverUser();
  if (user !== undefined) await chown(path, user.uid, user.gid);
}

/** A process and all its descendants, the oldest first. */
export function treeOf(pid: number): number[] {
  return isAlive(pid) ? [pid, ...childrenOf(pid).flatMap(treeOf)] : [];
}

/**
 * Stops a server that a killed program, or a killed server, left running on the cluster. Only the
 * holder of the data folder's lock may call it, so a running server never belongs to another
 * program.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './errors.ts';
import { birthOf } from './process-identity.ts';

const run = promisify(execFile);

/** How long to wait for each way of stopping: with a checkpoint, immediately, and killed. */
const patienceMs = { SIGINT: 15_000, SIGQUIT: 5_000, SIGKILL: 5_000 } as const;

export async function stopLeftoverServer(cluster: string): Promise<void> {
  const clusterDir = await realpath(cluster);
  const pidFile = join(clusterDir, 'postmaster.pid');
  const pid = await readServerPid(clusterDir);
  if (pid === undefined) {
    return;
  }
  if (await isServerOf(pid, clusterDir)) {
    await stopServer(pid);
  }
  if (process.platform === 'linux') {
    await killOrphans(clusterDir);
    // PostgreSQL would mistake a reused process id in this file for a running server.
    await unlink(pidFile).catch(() => undefined);
  }
}

/** The process id in the cluster's `postmaster.pid`. */
async function readServerPid(clusterDir: string): Promise<number | undefined> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

async function stopServer(pid: number): Promise<void> {
  const birth = await birthOf(pid);
  for (const [signal, waitMs] of Object.entries(patienceMs)) {
    kill(pid, signal as NodeJS.Signals);
    const deadline = performance.now() + waitMs;
    while (performance.now() < deadline) {
      if ((await birthOf(pid)) !== birth) {
        return;
      }
      await sleep(20);
    }
  }
  throw new EmbeddedPostgresError(
    'start_failed',
    `a PostgreSQL server left over from an earlier run (pid ${pid}) does not stop`,
  );
}

/**
 * Children of a killed server notice its end, but perhaps late, and their shared memory blocks a
 * start. Killing them loses no data: committed data is in the log on disk, and recovery must run
 * anyway.
 */
async function killOrphans(clusterDir: string): Promise<void> {
  const names = await readdir('/proc');
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid > 1);
  for (const pid of pids) {
    if (await isServerOf(pid, clusterDir)) {
      kill(pid, 'SIGKILL');
    }
  }
}

/** Whether this process is a PostgreSQL server, or a child of one, on this cluster. */
async function isServerOf(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const [cwd, program] = await Promise.all(
      ['cwd', 'exe'].map((name) => readlink(`/proc/${pid}/${name}`).catch(() => '')),
    );
    return basename(program ?? '').startsWith('postgres') && cwd === clusterDir;
  }
  if (process.platform === 'win32') {
    return false; // The process id alone is not enough. PostgreSQL itself refuses a second server.
  }
  const found = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => undefined);
  const command = found?.stdout ?? '';
  return command.includes('postgres') && command.includes(clusterDir);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}

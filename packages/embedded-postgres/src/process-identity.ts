/**
 * Distinguishes a live process from a later one with the same id, and one machine (or container)
 * from another.
 */
import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Returns when the process was started, as an opaque text that no other process with that id will
 * ever have. Undefined if it is not alive. A killed process that its parent has not yet reaped is
 * not alive.
 */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    return await birthOnLinux(pid);
  }
  if (process.platform === 'win32') {
    return exists(pid) ? 'unknown' : undefined;
  }
  const birth = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => undefined);
  return birth?.stdout.trim() || undefined;
}

/** The scope of process ids: the host and, in containers, the process namespace. */
export async function processSpace(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${hostname()} ${namespace}`.trim();
}

async function birthOnLinux(pid: number): Promise<string | undefined> {
  const [stat, bootId] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
  ]);
  // The format is "pid (name) state …". The name may contain anything, so fields are counted from
  // its closing bracket. The start time is field 22.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields?.[0], fields?.[19]];
  return state === undefined || state === 'Z' || state === 'X' ? undefined : `${bootId.trim()} ${ticks}`;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Makes the process of `oja start` the gateway: the same process id, so that signals and the exit
 * code are the gateway's own, as a supervisor or a container expects.
 */
import { pathToFileURL } from 'node:url';
import type { Variables } from '../config.ts';

/** For V8 (docs/maintainers/benchmarks.md); `npm start` has the same. */
export const memoryFlags = ['--expose-gc'] as const;

/**
 * How the C library returns memory (docs/maintainers/benchmarks.md); `npm start` sets the same.
 * Only Linux knows these settings.
 */
export const memoryVariables = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' } as const;

/** `entry`: the file that runs the gateway. Never returns. */
export async function becomeGateway(entry: string, variables: Variables): Promise<void> {
  const { execve, execPath } = process;
  if (execve === undefined || process.platform === 'win32') await import(pathToFileURL(entry).href);
  else {
    const environment = { ...memoryVariables, ...variables };
    process.execve?.(execPath, [execPath, ...memoryFlags, entry], environment);
  }
}

/**
 * How much memory Oja's own server gives to the pages of its tables. Purchases of thousands of
 * merchants touch thousands of pages at the ends of each index; pages that do not stay in memory
 * are read again and again. For a small database more memory only has a cost, because each process
 * of the server maps each page separately.
 */
import { readdir, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';

const MIB = 1_024 ** 2;
const SHARED_MIN = 256 * MIB;
/** The measured need of thousands of merchants with a long history. */
const SHARED_MAX = 1_024 * MIB;

/**
 * The memory that this process may use, in bytes. `limit` is that of a container. 0, or more than
 * the machine has: no limit.
 */
export function memoryOfMachine(limit = process.constrainedMemory(), total = totalmem()): number {
  return limit > 0 && limit < total ? limit : total;
}

/** Returns the size of a cluster's tables and indexes in bytes; 0 if there is no cluster yet. */
export async function databaseBytes(clusterDir: string): Promise<number> {
  const files = await readdir(join(clusterDir, 'base'), { recursive: true }).catch(() => []);
  const sizes = files.map((file) =>
    stat(join(clusterDir, 'base', file)).then(
      (found) => (found.isFile() ? found.size : 0),
      // The server is still starting, but files of the previous one may be disappearing.
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/**
 * Returns a quarter of the database's size, at most an eighth of the memory: the file cache needs
 * the rest.
 */
export function memorySettings(
  memory: number,
  bytes: number,
): { readonly shared_buffers: string; readonly effective_cache_size: string } {
  const most = Math.max(Math.min(memory / 8, SHARED_MAX), SHARED_MIN);
  const shared = Math.min(Math.max(bytes / 4, SHARED_MIN), most);
  const inMib = (size: number): string => `${Math.floor(size / MIB)}MB`;
  return { shared_buffers: inMib(shared), effective_cache_size: inMib(Math.max(memory / 2, SHARED_MIN)) };
}

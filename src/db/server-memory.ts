/**
 * How much memory Oja's own server gives to the pages of its tables. Purchases of thousands of
 * merchants touch thousands of pages at the ends of each index: those that do not stay in memory
 * are read again and again.
 */
import { totalmem } from 'node:os';

const MIB = 1_024 ** 2;
const SHARED_MIN = 256 * MIB;
/** What thousands of merchants with a long history were measured to need. */
const SHARED_MAX = 1_024 * MIB;

/**
 * In bytes, what this process may use. `limit` is that of a container; 0, or more than there is:
 * none.
 */
export function memoryOfMachine(limit = process.constrainedMemory(), total = totalmem()): number {
  return limit > 0 && limit < total ? limit : total;
}

/** An eighth of the memory, within bounds: the gateway and the file cache need the rest. */
export function memorySettings(memory: number): {
  readonly shared_buffers: string;
  readonly effective_cache_size: string;
} {
  const shared = Math.min(Math.max(memory / 8, SHARED_MIN), SHARED_MAX);
  const inMib = (bytes: number): string => `${Math.floor(bytes / MIB)}MB`;
  return { shared_buffers: inMib(shared), effective_cache_size: inMib(Math.max(memory / 2, SHARED_MIN)) };
}

/** Whether what is to be written has room. */
import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { formatBytes } from '../kernel/bytes.ts';
import { BackupError } from './backup-error.ts';

/** What must stay free for others. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/** Of the file system of a path that may not be there yet. */
async function freeBytes(path: string): Promise<number> {
  const full = resolve(path);
  const isThere = await stat(full).then(
    () => true,
    () => false,
  );
  if (!isThere && dirname(full) !== full) return await freeBytes(dirname(full));
  const { bavail, bsize } = await statfs(full);
  return bavail * bsize;
}

/** Throws BackupError before anything is written. */
export async function requireSpace(path: string, bytes: number, what: string): Promise<void> {
  const free = await freeBytes(path);
  if (free >= bytes + RESERVE_BYTES) return;
  throw new BackupError(
    'disk_full',
    `${path} has ${formatBytes(free)} free, and ${what} needs about ${formatBytes(bytes + RESERVE_BYTES)}`,
  );
}

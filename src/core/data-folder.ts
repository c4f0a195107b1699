/** The data folder, which holds keys, credentials and books: only its owner can read it. */
import { chmod, mkdir, stat } from 'node:fs/promises';

/** The bit of folders that all users share, such as `/tmp`. */
const STICKY = 0o1000;

export async function makeDataFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await closeDataFolder(path);
}

/**
 * Removes the permissions of other users. Call it before a database server starts in the folder: a
 * server of another user cannot walk the path afterwards, and is then started in another way. A
 * folder that does not exist, has another owner, or is shared by all users is not changed.
 */
export async function closeDataFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || (found.mode & STICKY) !== 0) return;
  await chmod(path, 0o700).catch(() => undefined);
}

/** The data folder, which holds keys, credentials and books: only its owner can read it. */
import { chmod, mkdir } from 'node:fs/promises';

export async function makeDataFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await closeDataFolder(path);
}

/**
 * Removes the permissions of other users. Call it before a database server starts in the folder: a
 * server of another user cannot walk the path afterwards, and is then started in another way. A
 * folder that does not exist or has another owner is left as it is.
 */
export async function closeDataFolder(path: string): Promise<void> {
  await chmod(path, 0o700).catch(() => undefined);
}

/** The data folder, which holds keys, credentials and books: for its owner alone. */
import { chmod, mkdir } from 'node:fs/promises';

export async function makeDataFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await closeDataFolder(path);
}

/**
 * Earlier versions left it open to everybody on the machine. To be called before a database server
 * starts in it: one that runs as another user cannot walk the path afterwards, and is then started
 * in a way that need not. A folder that is not there, or is not ours, is left to who uses it.
 */
export async function closeDataFolder(path: string): Promise<void> {
  await chmod(path, 0o700).catch(() => undefined);
}

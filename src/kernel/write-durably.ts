/** Files that are whole and on the disk, or not there. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** For its owner alone. In place of another file of that name, in one step. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Resolves when the names in the folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders.
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
}

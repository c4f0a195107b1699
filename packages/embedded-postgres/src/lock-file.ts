/**
 * The lock file of a data folder. It is complete or absent at every moment. If several processes
 * create it at once, one succeeds.
 */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';

/** The holder of the lock. */
export type LockRecord = {
  readonly pid: number;
  readonly startedAt: string;
  readonly birth: string;
  readonly space: string;
  readonly token: string;
  /** The holder ends soon. */
  readonly brief?: boolean;
  /** Present once the holder's database answers. */
  readonly connectionString?: string;
};

/**
 * False if the file exists. The content is written to another file first, and linking that file
 * fails if the lock exists.
 */
export async function createLock(path: string, record: LockRecord): Promise<boolean> {
  const draft = await writeDraft(path, record);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    await unlink(draft);
  }
}

export async function replaceLock(path: string, record: LockRecord): Promise<void> {
  await rename(await writeDraft(path, record), path);
}

/**
 * Moving is atomic, so only one of several processes that find the lock moves it. A process that
 * moved a newer lock by mistake puts it back.
 */
export async function removeStaleLock(path: string, token: string | undefined): Promise<void> {
  const grave = `${path}.${randomUUID()}`;
  try {
    await rename(path, grave);
  } catch {
    return; // It is already gone.
  }
  if ((await readLock(grave))?.token !== token) {
    await link(grave, path).catch(() => undefined);
  }
  await unlink(grave);
}

/**
 * Undefined if there is no lock, or the file is not a lock of this package. A lock that cannot be
 * read is not considered stale.
 */
export async function readLock(path: string): Promise<LockRecord | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      return '';
    }
    throw error;
  });
  try {
    return JSON.parse(text) as LockRecord;
  } catch {
    return undefined;
  }
}

async function writeDraft(path: string, record: LockRecord): Promise<string> {
  const draft = `${path}.${record.token}`;
  await writeFile(draft, JSON.stringify(record), { mode: 0o644 });
  return draft;
}

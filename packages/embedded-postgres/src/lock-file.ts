/**
 * The file of a data folder's lock. It is complete or absent at every moment, and of several
 * processes that create it at once one succeeds.
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
  /** The holder is soon done. */
  readonly brief?: boolean;
  /** Present once the holder's database answers. */
  readonly connectionString?: string;
};

/**
 * False when the file exists. The content is written to another file first; linking it fails when
 * the lock exists.
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
 * Moving is atomic, so of several processes that find the lock one moves it. A process that moved a
 * newer lock by mistake puts it back.
 */
export async function removeStaleLock(path: string, token: string | undefined): Promise<void> {
  const grave = `${path}.${randomUUID()}`;
  try {
    await rename(path, grave);
  } catch {
    return; // Gone already.
  }
  if ((await readLock(grave))?.token !== token) {
    await link(grave, path).catch(() => undefined);
  }
  await unlink(grave);
}

/**
 * Undefined when there is no lock, or the file is not a lock of ours. A lock that may not be read
 * is not taken for a stale one.
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

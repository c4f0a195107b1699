/**
 * One running Oja for each data folder. The lock is a file that names its holder; it outlives a holder that was
 * killed, so whoever finds it judges whether the holder still lives.
 *
 * Guarantees: of several processes that start at once, one gets the lock; a holder that died is never mistaken for
 * a later process with the same id; a holder in another container, where ids mean nothing, is known by its heartbeat. A command that has
 * the folder for a moment keeps nobody from starting: it is waited for.
 */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { birthOf, processSpace } from './process-identity.ts';

type LockRecord = {
  readonly pid: number;
  readonly startedAt: string;
  readonly birth: string;
  readonly space: string;
  readonly token: string;
  /** The holder is a command, and soon done. */
  readonly brief?: boolean;
  /** Present once the holder's database answers. */
  readonly connectionString?: string;
};

export type DataLock = {
  /** Lets other programs of this machine find the holder's database. */
  publish(connectionString: string): Promise<void>;
  release(): Promise<void>;
};

const heartbeatMs = 1_000;
const silenceMaxMs = 6_000;
const briefMaxMs = 20_000;
const retryMs = 100;

/** Another Oja has the folder: nothing is broken, so its message is all there is to tell. */
export class DataDirInUseError extends Error {
  constructor(dataDir: string, pid: number) {
    super(`${dataDir} is already in use by a running Oja (pid ${pid})`);
    this.name = 'DataDirInUseError';
  }
}

/**
 * Rejects with DataDirInUseError, which names the holder, when a running Oja has the folder: at once, or where it is a command, when that does not
 * end within 20 s.
 */
export async function lockDataDir(dataDir: string, { brief = false } = {}): Promise<DataLock> {
  const path = lockPath(dataDir);
  const giveUpAt = performance.now() + briefMaxMs;
  const record: LockRecord = {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    birth: (await birthOf(process.pid)) ?? '',
    space: await processSpace(),
    token: randomUUID(),
    brief,
  };
  while (!(await create(path, record).catch((error: unknown) => refuse(dataDir, error)))) {
    const found = await read(path);
    if (found && (await isAlive(path, found))) {
      if (!found.brief || performance.now() > giveUpAt) throw new DataDirInUseError(dataDir, found.pid);
      await sleep(retryMs);
      continue;
    }
    await removeStale(path, found?.token);
  }
  const heartbeat = setInterval(() => void beat(path), heartbeatMs).unref();
  return {
    async publish(connectionString): Promise<void> {
      await replace(path, { ...record, connectionString });
    },
    async release(): Promise<void> {
      clearInterval(heartbeat);
      if ((await read(path))?.token === record.token) {
        await unlink(path);
      }
    },
  };
}

/** The database of the Oja that runs on this data folder; undefined when none runs, or it is not up yet. */
export async function findRunningDatabase(dataDir: string): Promise<string | undefined> {
  const path = lockPath(dataDir);
  const found = await read(path);
  return found?.connectionString && (await isAlive(path, found)) ? found.connectionString : undefined;
}

function refuse(dataDir: string, error: unknown): never {
  throw new Error(`${dataDir} cannot hold Oja's data: ${error instanceof Error ? error.message : error}`);
}

function lockPath(dataDir: string): string {
  return join(dataDir, 'oja.lock');
}

/** Complete or absent: the content is written aside, and linking fails when the lock exists. */
async function create(path: string, record: LockRecord): Promise<boolean> {
  const draft = `${path}.${record.token}`;
  await writeFile(draft, JSON.stringify(record), { mode: 0o644 });
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

async function replace(path: string, record: LockRecord): Promise<void> {
  const draft = `${path}.${record.token}`;
  await writeFile(draft, JSON.stringify(record), { mode: 0o644 });
  await rename(draft, path);
}

/** Moving is atomic, so of several finders one moves it; one who moved a newer lock by mistake puts it back. */
async function removeStale(path: string, token: string | undefined): Promise<void> {
  const grave = `${path}.${randomUUID()}`;
  try {
    await rename(path, grave);
  } catch {
    return; // Gone already.
  }
  if ((await read(grave))?.token !== token) {
    await link(grave, path).catch(() => undefined);
  }
  await unlink(grave);
}

/** Undefined when there is none, or it is not one of ours. One that may not be read is not taken for a stale one. */
async function read(path: string): Promise<LockRecord | undefined> {
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

async function isAlive(path: string, record: LockRecord): Promise<boolean> {
  if (record.space === (await processSpace())) {
    return (await birthOf(record.pid)) === record.birth;
  }
  const before = await lastBeat(path);
  const deadline = performance.now() + silenceMaxMs;
  while (performance.now() < deadline) {
    await sleep(heartbeatMs / 4);
    if ((await lastBeat(path)) !== before) {
      return true;
    }
  }
  return false;
}

async function lastBeat(path: string): Promise<number | undefined> {
  return await stat(path).then(
    (file) => file.mtimeMs,
    () => undefined,
  );
}

async function beat(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => undefined);
}

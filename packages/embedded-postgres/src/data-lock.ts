/**
 * One holder for each data folder. The lock is a file that names its holder. The file outlives a
 * killed holder, so a process that finds it checks whether the holder still lives.
 *
 * Guarantees: of several processes that start at once, one gets the lock. A dead holder is never
 * mistaken for a later process with the same id. A holder in another container, where ids have
 * other meanings, is recognised by its heartbeat. If the holder is a brief one, a process waits for
 * it to end instead of failing.
 */
import { randomUUID } from 'node:crypto';
import { stat, unlink, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataDirInUseError, EmbeddedPostgresError } from './errors.ts';
import { createLock, type LockRecord, readLock, removeStaleLock, replaceLock } from './lock-file.ts';
import { birthOf, processSpace } from './process-identity.ts';

export type LockOptions = {
  /**
   * The lock's file name. Every program that uses the folder must use the same one. Default
   * `postgres.lock`.
   */
  readonly lockName?: string;
  /** True: the holder ends soon, such as a command, and others wait for it. Default false. */
  readonly brief?: boolean;
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

/**
 * Rejects with DataDirInUseError, which names the holder, if another program uses the folder: at
 * once, or after 20 s if the holder is a brief one.
 */
export async function lockDataDir(dataDir: string, options: LockOptions = {}): Promise<DataLock> {
  const path = lockPath(dataDir, options.lockName);
  const giveUpAt = performance.now() + briefMaxMs;
  const record: LockRecord = {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    birth: (await birthOf(process.pid)) ?? '',
    space: await processSpace(),
    token: randomUUID(),
    brief: options.brief ?? false,
  };
  while (!(await createLock(path, record).catch((error: unknown) => refuse(dataDir, error)))) {
    const found = await readLock(path);
    if (found && (await isAlive(path, found))) {
      if (!found.brief || performance.now() > giveUpAt) throw new DataDirInUseError(dataDir, found.pid);
      await sleep(retryMs);
      continue;
    }
    await removeStaleLock(path, found?.token);
  }
  const heartbeat = setInterval(() => void beat(path), heartbeatMs).unref();
  return {
    async publish(connectionString): Promise<void> {
      await replaceLock(path, { ...record, connectionString });
    },
    async release(): Promise<void> {
      clearInterval(heartbeat);
      if ((await readLock(path))?.token === record.token) {
        await unlink(path);
      }
    },
  };
}

/**
 * The connection string of the server that another program runs on this data folder. Undefined if
 * none runs, or if it has not started yet.
 */
export async function findRunningDatabase(
  dataDir: string,
  options: Pick<LockOptions, 'lockName'> = {},
): Promise<string | undefined> {
  const path = lockPath(dataDir, options.lockName);
  const found = await readLock(path);
  return found?.connectionString && (await isAlive(path, found)) ? found.connectionString : undefined;
}

function refuse(dataDir: string, error: unknown): never {
  const reason = error instanceof Error ? error.message : error;
  throw new EmbeddedPostgresError('data_dir_not_writable', `${dataDir} cannot hold the data: ${reason}`, {
    cause: error,
  });
}

function lockPath(dataDir: string, lockName = 'postgres.lock'): string {
  return join(resolve(dataDir), lockName);
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

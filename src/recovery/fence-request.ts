/**
 * The note that a restore leaves beside the database's own files: this database is an earlier state
 * of another, and must start fenced. It lies in the folder that the restore moves into place, so
 * that a restored database is never there without it.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type FenceRequest = {
  /** The id of the backup. */
  readonly backup: string;
  /** RFC 3339: all that was committed before is in the backup. */
  readonly taken_at: string;
  /** RFC 3339. */
  readonly restored_at: string;
  /** RFC 3339: up to when changes after the backup were played again; null: none were. */
  readonly until: string | null;
};

/** In the data folder. */
export function fenceRequestPath(dataDir: string): string {
  return join(dataDir, 'postgres', 'restored.json');
}

export async function writeFenceRequest(dataDir: string, request: FenceRequest): Promise<void> {
  const text = `${JSON.stringify(request, undefined, 2)}\n`;
  await writeFile(fenceRequestPath(dataDir), text, { mode: 0o600, flush: true });
}

/** Undefined where the database was not restored, or has taken the request in. */
export async function readFenceRequest(dataDir: string): Promise<FenceRequest | undefined> {
  const path = fenceRequestPath(dataDir);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const read = readJson(text);
  if (isFenceRequest(read)) return read;
  throw new Error(`${path} is not what a restore writes: restore again, or see docs/operators/backup.md`);
}

/** To be called when the fence is stored in the database. */
export async function removeFenceRequest(dataDir: string): Promise<void> {
  await rm(fenceRequestPath(dataDir), { force: true });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFenceRequest(read: unknown): read is FenceRequest {
  if (typeof read !== 'object' || read === null) return false;
  const { backup, taken_at: taken, restored_at: restored, until } = read as Record<string, unknown>;
  const isTime = (value: unknown): boolean =>
    typeof value === 'string' && !Number.isNaN(new Date(value).getTime());
  return typeof backup === 'string' && isTime(taken) && isTime(restored) && (until === null || isTime(until));
}

/**
 * Files in the data folder that record the data that each process saw in the database: its last
 * heartbeat and the last live purchases that it stored. A database without any of them was rewound.
 *
 * Each process replaces its own file atomically, so files are never overwritten by another process
 * or half written.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Purchase } from './last-accepted.ts';
import type { DatabaseIdentity, Seen } from './rewind-store.ts';

export type SeenRecord = DatabaseIdentity &
  Seen & {
    /** The last live purchases in each cell of another server, by its number. */
    readonly cells: readonly (readonly Purchase[])[];
  };
export type SeenFile = SeenRecord & { readonly path: string };

/** Running processes write every few seconds, so older files belong to ended processes. */
const KEPT_MS = 24 * 3_600_000;

export function seenFolder(dataDir: string): string {
  return join(dataDir, 'database-seen');
}

/** Creates the folder. Rejects if it cannot be written. */
export async function openSeen(dataDir: string): Promise<void> {
  const folder = seenFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const probe = join(folder, `${process.pid}.probe`);
  await writeFile(probe, '', { mode: 0o600 });
  await rm(probe);
}

/** Reads the records of this database. Skips unreadable files. */
export async function readSeen(
  dataDir: string,
  { systemIdentifier, databaseOid }: DatabaseIdentity,
): Promise<SeenFile[]> {
  const records = (await listFiles(dataDir)).filter((path) => path.endsWith('.json')).map(readRecord);
  return (await Promise.all(records)).filter(
    (one) =>
      one !== undefined && one.systemIdentifier === systemIdentifier && one.databaseOid === databaseOid,
  ) as SeenFile[];
}

async function listFiles(dataDir: string): Promise<string[]> {
  const names = await readdir(seenFolder(dataDir)).catch(() => []);
  return names.map((name) => join(seenFolder(dataDir), name));
}

async function readRecord(path: string): Promise<SeenFile | undefined> {
  try {
    const { beat, ...record } = JSON.parse(await readFile(path, 'utf8')) as SeenRecord;
    if (!Array.isArray(record.purchases) || !Array.isArray(record.cells)) return undefined;
    return { ...record, beat: beat && { ...beat, at: new Date(beat.at) }, path };
  } catch {
    return undefined;
  }
}

export async function writeSeen(dataDir: string, process: string, seen: SeenRecord): Promise<void> {
  const path = join(seenFolder(dataDir), `${process}.json`);
  const next = `${path}.new`;
  // The folder may have been removed meanwhile.
  await mkdir(seenFolder(dataDir), { recursive: true, mode: 0o700 });
  await writeFile(next, `${JSON.stringify(seen)}\n`, { mode: 0o600 });
  await rename(next, path);
}

/** Removes a record after it was compared. */
export async function removeSeen({ path }: SeenFile): Promise<void> {
  await rm(path, { force: true });
}

/**
 * Removes the files of ended processes, except the newest record. Files that other processes rename
 * meanwhile are skipped.
 */
export async function forgetSeen(dataDir: string, now: Date): Promise<void> {
  const files = (await Promise.all((await listFiles(dataDir)).map(ageOf))).filter(
    (file) => file !== undefined,
  );
  const records = files.filter(({ path }) => path.endsWith('.json'));
  const newest = records.toSorted((one, other) => other.atMs - one.atMs)[0];
  for (const file of files) {
    if (file !== newest && file.atMs < now.getTime() - KEPT_MS) await rm(file.path, { force: true });
  }
}

async function ageOf(path: string): Promise<{ readonly path: string; readonly atMs: number } | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && { path, atMs: found.mtimeMs };
}

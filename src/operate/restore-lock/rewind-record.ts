/**
 * What processes remember of the database outside of it, in their data folder: their last beat, and
 * the last live purchases that they stored. A database that lacks any of it went back.
 *
 * Each process has a file of its own, which is replaced whole. So none overwrites what another saw,
 * and none is ever half written.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseIdentity, Seen } from './life-store.ts';

export type SeenRecord = DatabaseIdentity & Seen;
/** As it was read. */
export type SeenFile = SeenRecord & { readonly path: string };

/** A process that writes has written within seconds. */
const KEPT_MS = 24 * 3_600_000;

export function seenFolder(dataDir: string): string {
  return join(dataDir, 'database-seen');
}

/** Rejects where nothing can be remembered there. */
export async function openSeen(dataDir: string): Promise<void> {
  const folder = seenFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const probe = join(folder, `${process.pid}.probe`);
  await writeFile(probe, '', { mode: 0o600 });
  await rm(probe);
}

/** Of every process that wrote there about this database; what cannot be read is left out. */
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
    if (!Array.isArray(record.purchases)) return undefined;
    return { ...record, beat: beat && { ...beat, at: new Date(beat.at) }, path };
  } catch {
    return undefined;
  }
}

export async function writeSeen(dataDir: string, process: string, seen: SeenRecord): Promise<void> {
  const path = join(seenFolder(dataDir), `${process}.json`);
  const next = `${path}.new`;
  // Somebody may have removed the folder meanwhile.
  await mkdir(seenFolder(dataDir), { recursive: true, mode: 0o700 });
  await writeFile(next, `${JSON.stringify(seen)}\n`, { mode: 0o600 });
  await rename(next, path);
}

/** Removes a record that was compared: there is nothing more to learn from it. */
export async function removeSeen({ path }: SeenFile): Promise<void> {
  await rm(path, { force: true });
}

/**
 * Removes the files of processes that ended long ago, all but the newest record. Other processes
 * write and rename theirs meanwhile: a file that is gone needs no removing.
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

/**
 * What processes remember of the database outside of it, in their data folder: how far it had
 * lived, and the last live purchases that they stored. A database that lacks any of it went back.
 *
 * Each process has a file of its own, which is replaced whole. So none overwrites what another saw,
 * and none is ever half written.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Purchase } from './last-accepted.ts';
import type { DatabaseIdentity } from './life-store.ts';

export type DatabaseSeen = DatabaseIdentity & {
  /** 0 before the process has made a beat. */
  readonly beats: bigint;
  /** Of that beat. */
  readonly token?: string | undefined;
  readonly at?: Date | undefined;
};

export type SeenRecord = DatabaseSeen & { readonly purchases: readonly Purchase[] };
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

/** Of every process that wrote there; what cannot be read is left out. */
export async function readSeen(dataDir: string): Promise<SeenFile[]> {
  const names = await readdir(seenFolder(dataDir)).catch(() => []);
  const records = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readRecord(join(seenFolder(dataDir), name)));
  return (await Promise.all(records)).filter((record) => record !== undefined);
}

async function readRecord(path: string): Promise<SeenFile | undefined> {
  try {
    const read = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    const { system_identifier: systemIdentifier, database_oid: oid, beats, token, at, purchases } = read;
    if (typeof systemIdentifier !== 'string') return undefined;
    const time = new Date(String(at));
    return {
      path,
      systemIdentifier,
      databaseOid: BigInt(String(oid)),
      beats: BigInt(String(beats)),
      token: typeof token === 'string' ? token : undefined,
      at: Number.isNaN(time.getTime()) ? undefined : time,
      purchases: Array.isArray(purchases) ? purchases.flatMap(readPurchase) : [],
    };
  } catch {
    return undefined;
  }
}

function readPurchase(given: unknown): Purchase[] {
  const { merchant, id } = (given ?? {}) as Record<string, unknown>;
  return typeof merchant === 'number' && typeof id === 'string' ? [{ merchantId: merchant, vendId: id }] : [];
}

export async function writeSeen(dataDir: string, process: string, seen: SeenRecord): Promise<void> {
  const path = join(seenFolder(dataDir), `${process}.json`);
  const next = `${path}.new`;
  const text = JSON.stringify({
    system_identifier: seen.systemIdentifier,
    database_oid: String(seen.databaseOid),
    beats: String(seen.beats),
    token: seen.token,
    at: seen.at?.toISOString(),
    purchases: seen.purchases.map(({ merchantId, vendId }) => ({ merchant: merchantId, id: vendId })),
  });
  // Somebody may have removed the folder meanwhile.
  await mkdir(seenFolder(dataDir), { recursive: true, mode: 0o700 });
  await writeFile(next, `${text}\n`, { mode: 0o600 });
  await rename(next, path);
}

/** What was compared, and said all that it has to say. */
export async function removeSeen({ path }: SeenFile): Promise<void> {
  await rm(path, { force: true });
}

/**
 * Removes the files of processes that ended long ago, all but the newest record. Other processes
 * write and rename theirs meanwhile: a file that is gone needs no removing.
 */
export async function forgetSeen(dataDir: string, now: Date): Promise<void> {
  const folder = seenFolder(dataDir);
  const names = await readdir(folder).catch(() => []);
  const files = (await Promise.all(names.map((name) => ageOf(join(folder, name))))).filter(
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

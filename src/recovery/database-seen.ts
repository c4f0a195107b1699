/**
 * What a process remembers of the database outside of it, in its data folder: how far it had lived.
 * A database that says less went back. The file is replaced whole, so that it is never half
 * written.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseIdentity } from './life-store.ts';

export type DatabaseSeen = DatabaseIdentity & {
  readonly beats: bigint;
  /** Of that beat. An older version wrote neither it nor the time. */
  readonly token?: string | undefined;
  readonly at?: Date | undefined;
};

function pathIn(dataDir: string): string {
  return join(dataDir, 'database-seen.json');
}

/** Undefined where nothing is remembered, or it cannot be read. */
export async function readSeen(dataDir: string): Promise<DatabaseSeen | undefined> {
  try {
    const read = JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as Record<string, unknown>;
    const { system_identifier: systemIdentifier, database_oid: oid, beats, token, at } = read;
    if (typeof systemIdentifier !== 'string') return undefined;
    const time = new Date(String(at));
    return {
      systemIdentifier,
      databaseOid: BigInt(String(oid)),
      beats: BigInt(String(beats)),
      token: typeof token === 'string' ? token : undefined,
      at: Number.isNaN(time.getTime()) ? undefined : time,
    };
  } catch {
    return undefined;
  }
}

export async function writeSeen(dataDir: string, seen: DatabaseSeen): Promise<void> {
  const path = pathIn(dataDir);
  const next = `${path}.${process.pid}.new`;
  const text = JSON.stringify({
    system_identifier: seen.systemIdentifier,
    database_oid: String(seen.databaseOid),
    beats: String(seen.beats),
    token: seen.token,
    at: seen.at?.toISOString(),
  });
  await writeFile(next, `${text}\n`, { mode: 0o600 });
  await rename(next, path);
}

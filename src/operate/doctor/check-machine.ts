/** The machine: its memory, its disk, and who may read the files of the data folder. */

import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatBytes } from '../../core/bytes.ts';
import { formatAmount } from '../../core/money.ts';
import { memoryOfMachine } from '../../db/server-memory.ts';
import { seenFolder } from '../restore-lock/database-seen.ts';
import { type Finding, ok, skipped, warn, wrong } from './finding.ts';

const MIB = 1_024 ** 2;
const GIB = 1_024 * MIB;

export function checkMemory(memory = memoryOfMachine()): Finding[] {
  const seen = `${formatBytes(memory)} for this process`;
  if (memory >= 1.5 * GIB) return [ok('memory', seen)];
  const todo = 'a gateway uses up to 1 GiB under load, and a database beside it needs its own: give it more';
  return [memory < 0.75 * GIB ? wrong('memory', seen, todo) : warn('memory', seen, todo)];
}

/** The disk must hold what a day brings, and the log of the database beside it. */
export async function checkDisk(dataDir: string, databaseBytes: number | undefined): Promise<Finding[]> {
  const free = await freeBytes(resolve(dataDir));
  const more = databaseBytes === undefined ? '' : `; the database has ${formatBytes(databaseBytes)}`;
  const seen = `${formatBytes(free)} free at ${dataDir}${more}`;
  const todo = 'free some, or move the data folder (OJA_DATA_DIR): a full disk stops every sale';
  if (free < 256 * MIB) return [wrong('disk', seen, todo)];
  return [free < 2 * GIB || free < (databaseBytes ?? 0) / 4 ? warn('disk', seen, todo) : ok('disk', seen)];
}

async function freeBytes(path: string): Promise<number> {
  const found = await statfs(path).catch(() => undefined);
  if (found !== undefined) return found.bavail * found.bsize;
  const parent = dirname(path);
  return parent === path ? 0 : await freeBytes(parent);
}

/** In the data folder: keys, credentials of merchants, codes, e-mails, the database. */
const closed = ['', 'encryption.key', 'credentials.json', 'outbox', 'vouchers', 'postgres/cluster'];

export async function checkFileModes(dataDir: string): Promise<Finding[]> {
  if (process.platform === 'win32') return [skipped('file modes', 'Windows has access lists instead')];
  const found: Finding[] = [];
  let looked = 0;
  for (const name of closed) {
    const path = join(dataDir, name);
    const mode = await stat(path).then(
      (file) => file.mode & 0o777,
      () => undefined,
    );
    if (mode === undefined) continue;
    looked += 1;
    if ((mode & 0o077) === 0) continue;
    const seen = `${path} is open to others of this machine (mode ${mode.toString(8)})`;
    found.push(wrong('file modes', seen, `chmod go= ${path}`));
  }
  if (looked === 0) return [skipped('file modes', `${dataDir} is not there yet`)];
  return found.length > 0 ? found : [ok('file modes', `${dataDir} and its keys are for their owner alone`)];
}

/** What gateways see of the database is written there: by it, a start notices that it went back. */
export async function checkSeenRecord(dataDir: string): Promise<Finding[]> {
  const check = 'rewind record';
  try {
    const folder = await nearestFolder(resolve(seenFolder(dataDir)));
    await access(folder, constants.W_OK | constants.X_OK);
    return [ok(check, `gateways can write ${seenFolder(dataDir)}`)];
  } catch (error) {
    const seen = `${seenFolder(dataDir)} cannot be written: ${error instanceof Error ? error.message : error}`;
    const todo = 'set OJA_DATA_DIR to a folder that the gateway may write and that outlives it';
    return [wrong(check, seen, todo)];
  }
}

/** What is there of the path: the start makes the rest. Rejects where that is no folder. */
async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && dirname(path) !== path) return undefined;
    throw error;
  });
  if (found === undefined) return await nearestFolder(dirname(path));
  if (!found.isDirectory()) throw new Error(`${path} is not a folder`);
  return path;
}

export type UnknownSetting = { readonly name: string; readonly nearest: string | undefined };

type Settings = {
  readonly profile: string;
  readonly isCorrectionLimitChosen: boolean;
  readonly correctionLimit: bigint | undefined;
};

/** The settings: every fault at once, names that Oja does not know, and what must be chosen. */
export function checkSettings(
  faults: readonly string[],
  unknown: readonly UnknownSetting[],
  { profile, isCorrectionLimitChosen, correctionLimit = 0n }: Settings,
): Finding[] {
  const found = [
    ...faults.map((fault) => wrong('settings', fault, 'set it, and start the gateway again (running.md)')),
    ...unknown.map(({ name, nearest }) =>
      nearest === undefined
        ? warn('settings', `${name} is no setting of Oja, and does nothing`, 'remove it, or see running.md')
        : wrong('settings', `${name} is no setting of Oja, and does nothing`, `write ${nearest}`),
    ),
    ...(isCorrectionLimitChosen
      ? []
      : [
          warn(
            'settings',
            `OJA_CORRECTION_LIMIT is not set: one person may give away ${formatAmount(correctionLimit)} in a day`,
            'choose a limit, or 0 for none, and see approvals.md',
          ),
        ]),
  ];
  return found.length > 0 ? found : [ok('settings', `all are understood; the profile is ${profile}`)];
}

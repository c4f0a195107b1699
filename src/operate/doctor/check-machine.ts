/** Checks the machine: memory, disk, file modes of the data folder, and settings. */

import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatBytes } from '../../core/bytes.ts';
import { formatAmount } from '../../core/money.ts';
import { memoryOfMachine } from '../../db/server-memory.ts';
import { seenFolder } from '../restore-lock/rewind-record.ts';
import { type Finding, ok, skipped, warn, wrong } from './finding.ts';

const MIB = 1_024 ** 2;
const GIB = 1_024 * MIB;

export function checkMemory(memory = memoryOfMachine()): Finding[] {
  const seen = `${formatBytes(memory)} for this process`;
  if (memory >= 1.5 * GIB) return [ok('memory', seen)];
  const todo = 'add memory: a gateway uses up to 1 GiB under load, besides its database';
  return [memory < 0.75 * GIB ? wrong('memory', seen, todo) : warn('memory', seen, todo)];
}

/** Checks that the disk has room for a day of purchases and the log of the database. */
export async function checkDisk(dataDir: string, databaseBytes: number | undefined): Promise<Finding[]> {
  const free = await freeBytes(resolve(dataDir));
  const more = databaseBytes === undefined ? '' : `; the database has ${formatBytes(databaseBytes)}`;
  const seen = `${formatBytes(free)} free at ${dataDir}${more}`;
  const todo = 'free space or move the data folder (OJA_DATA_DIR); a full disk stops all purchases';
  if (free < 256 * MIB) return [wrong('disk', seen, todo)];
  return [free < 2 * GIB || free < (databaseBytes ?? 0) / 4 ? warn('disk', seen, todo) : ok('disk', seen)];
}

async function freeBytes(path: string): Promise<number> {
  const found = await statfs(path).catch(() => undefined);
  if (found !== undefined) return found.bavail * found.bsize;
  const parent = dirname(path);
  return parent === path ? 0 : await freeBytes(parent);
}

/** Paths of the data folder with keys, credentials, codes, e-mails and the database. */
const privatePaths = ['', 'encryption.key', 'credentials.json', 'outbox', 'vouchers', 'postgres/cluster'];

export async function checkFileModes(dataDir: string): Promise<Finding[]> {
  if (process.platform === 'win32') return [skipped('file modes', 'not checked on Windows')];
  const found: Finding[] = [];
  let looked = 0;
  for (const name of privatePaths) {
    const path = join(dataDir, name);
    const mode = await stat(path).then(
      (file) => file.mode & 0o777,
      () => undefined,
    );
    if (mode === undefined) continue;
    looked += 1;
    if ((mode & 0o077) === 0) continue;
    const seen = `other users of this machine can read ${path} (mode ${mode.toString(8)})`;
    found.push(wrong('file modes', seen, `chmod go= ${path}`));
  }
  if (looked === 0) return [skipped('file modes', `${dataDir} does not exist yet`)];
  return found.length > 0 ? found : [ok('file modes', `only the owner can read ${dataDir}`)];
}

/** Checks that gateways can write the record by which a rewound database is detected. */
export async function checkSeenRecord(dataDir: string): Promise<Finding[]> {
  const check = 'rewind record';
  try {
    const folder = await nearestFolder(resolve(seenFolder(dataDir)));
    await access(folder, constants.W_OK | constants.X_OK);
    return [ok(check, `gateways can write ${seenFolder(dataDir)}`)];
  } catch (error) {
    const seen = `cannot write ${seenFolder(dataDir)}: ${error instanceof Error ? error.message : error}`;
    const todo = 'set OJA_DATA_DIR to a persistent folder that the gateway can write';
    return [wrong(check, seen, todo)];
  }
}

/** Returns the nearest existing ancestor. Rejects if it is not a folder. */
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

/** Checks the settings: all faults, unknown names, and settings that must be chosen. */
export function checkSettings(
  faults: readonly string[],
  unknown: readonly UnknownSetting[],
  { profile, isCorrectionLimitChosen, correctionLimit = 0n }: Settings,
): Finding[] {
  const found = [
    ...faults.map((fault) => wrong('settings', fault, 'correct it and restart the gateway (running.md)')),
    ...unknown.map(({ name, nearest }) =>
      nearest === undefined
        ? warn('settings', `unknown setting ${name}`, 'remove it, or see running.md')
        : wrong('settings', `unknown setting ${name}`, `did you mean ${nearest}?`),
    ),
    ...(isCorrectionLimitChosen
      ? []
      : [
          warn(
            'settings',
            `OJA_CORRECTION_LIMIT is not set: one person can give away ${formatAmount(correctionLimit)} a day`,
            'set a limit, or 0 for none (approvals.md)',
          ),
        ]),
  ];
  return found.length > 0 ? found : [ok('settings', `valid; the profile is ${profile}`)];
}

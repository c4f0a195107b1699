/**
 * The secrets of a gateway that outlive its processes. The key that seals fields comes from the settings or, in the demo profile, from a file
 * of the data folder; the pepper of credential hashes is made once and kept in the database, sealed.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { mkdir, open as openFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from './db/database.ts';
import { insertSettingOnce, readSetting } from './operators/setting-store.ts';
import { newSealingKey, open, parseSealingKey, type SealingKey, seal } from './sealing.ts';

const pepperName = 'credential_pepper';
const pepperPlace = `settings/${pepperName}/value`;

/** The key in `<dataDir>/encryption.key`, made at the first start. */
export async function readKeyFile(dataDir: string): Promise<SealingKey> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, 'encryption.key');
  try {
    const file = await openFile(path, 'wx', 0o600);
    const made = newSealingKey();
    try {
      await file.writeFile(`${made.bytes.toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    return made;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const key = parseSealingKey((await readFile(path, 'utf8')).trim());
  if (key === undefined) throw new Error(`${path} does not hold a key of 64 hex digits`);
  return key;
}

/** The pepper, made when there is none. Several processes starting at once agree on one. */
export async function loadPepper(sql: Sql, key: SealingKey): Promise<KeyObject> {
  const sealed =
    (await readSetting(sql, pepperName)) ??
    (await insertSettingOnce(sql, pepperName, seal(key, pepperPlace, randomBytes(32).toString('base64'))));
  const pepper = open(key, pepperPlace, sealed);
  if (pepper === undefined) {
    throw new Error(
      'the encryption key is not the one this database was set up with: OJA_ENCRYPTION_KEY (or encryption.key in the data folder) must be the original key',
    );
  }
  return createSecretKey(Buffer.from(pepper, 'base64'));
}

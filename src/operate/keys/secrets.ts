/**
 * The secrets of a gateway that outlive its processes. The key that seals fields comes from the
 * settings or, in the demo profile, from a file of the data folder. The pepper of credential hashes
 * is made once and stored in the database, sealed.
 */
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { link, open as openFile, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataFolder } from '../../core/data-folder.ts';
import { CodedError } from '../../core/errors.ts';
import { newSealingKey, parseSealingKey, type Sealer, type SealingKey } from '../../core/sealing.ts';
import type { Sql } from '../../db/database.ts';
import { insertSettingOnce, readSetting } from '../../db/setting-store.ts';

const pepperName = 'credential_pepper';
const pepperPlace = `settings/${pepperName}/value`;

/** The key is not the one it must be. The message says everything. */
class SecretsError extends CodedError<'key_file_malformed' | 'encryption_key_other'> {
  override readonly name = 'SecretsError';
}

/**
 * The key in `<dataDir>/encryption.key`, which the first start makes. The file appears whole or not
 * at all. So two processes that start at the same moment get the same key.
 */
export async function readKeyFile(dataDir: string): Promise<SealingKey> {
  await makeDataFolder(dataDir);
  const path = join(dataDir, 'encryption.key');
  const text = (await readIfThere(path)) ?? (await makeKeyFile(path));
  const key = parseSealingKey(text.trim());
  if (key === undefined)
    throw new SecretsError('key_file_malformed', `${path} does not hold a key of 64 hex digits`);
  return key;
}

async function makeKeyFile(path: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await openFile(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${newSealingKey().bytes.toString('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    // A link, unlike a rename, does not overwrite a key that another process has put there
    // meanwhile.
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  return await readFile(path, 'utf8');
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Gives the pepper, and makes it where there is none. Several processes that start at once get the
 * same one.
 */
export async function loadPepper(sql: Sql, sealer: Sealer): Promise<KeyObject> {
  const sealed =
    (await readSetting(sql, pepperName)) ??
    (await insertSettingOnce(sql, pepperName, sealer.seal(pepperPlace, randomBytes(32).toString('base64'))));
  const pepper = sealer.open(pepperPlace, sealed);
  if (pepper === undefined) {
    throw new SecretsError(
      'encryption_key_other',
      'the encryption key is not the one this database was set up with: OJA_ENCRYPTION_KEY (or encryption.key in the data folder) must be the original key, or OJA_ENCRYPTION_KEYS_OLD must name it',
    );
  }
  return createSecretKey(Buffer.from(pepper, 'base64'));
}

/** Whether these keys are those of the database. One that was never set up takes any. */
export async function opensPepper(sql: Sql, sealer: Sealer | undefined): Promise<boolean> {
  const sealed = await readSetting(sql, pepperName);
  return sealed === undefined || sealer?.open(pepperPlace, sealed) !== undefined;
}

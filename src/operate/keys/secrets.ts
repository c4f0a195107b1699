/**
 * Loads the gateway's persistent secrets. The encryption key comes from the settings or, in the
 * demo profile, from a file in the data folder. The pepper of credential hashes is created once and
 * stored sealed in the database.
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

/** A wrong or malformed encryption key. The message is meant for the operator. */
class SecretsError extends CodedError<'key_file_malformed' | 'encryption_key_other'> {
  override readonly name = 'SecretsError';
}

/**
 * Returns the key in `<dataDir>/encryption.key`, and creates it at the first start. The file is
 * created atomically, so two processes that start at the same time get the same key.
 */
export async function readKeyFile(dataDir: string): Promise<SealingKey> {
  await makeDataFolder(dataDir);
  const path = join(dataDir, 'encryption.key');
  const text = (await readIfThere(path)) ?? (await makeKeyFile(path));
  const key = parseSealingKey(text.trim());
  if (key === undefined)
    throw new SecretsError('key_file_malformed', `${path} does not contain a key of 64 hex digits`);
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
    // A link, unlike a rename, does not overwrite a key that another process created meanwhile.
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

/** Returns the pepper and creates it if needed. Concurrent processes get the same one. */
export async function loadPepper(sql: Sql, sealer: Sealer): Promise<KeyObject> {
  const sealed =
    (await readSetting(sql, pepperName)) ??
    (await insertSettingOnce(sql, pepperName, sealer.seal(pepperPlace, randomBytes(32).toString('base64'))));
  const pepper = sealer.open(pepperPlace, sealed);
  if (pepper === undefined) {
    throw new SecretsError(
      'encryption_key_other',
      'the encryption key does not belong to this database: set OJA_ENCRYPTION_KEY (or encryption.key in the data folder) to the original key, or add the original key to OJA_ENCRYPTION_KEYS_OLD',
    );
  }
  return createSecretKey(Buffer.from(pepper, 'base64'));
}

/** Whether the keys belong to the database. A database that is not set up accepts any key. */
export async function opensPepper(sql: Sql, sealer: Sealer | undefined): Promise<boolean> {
  const sealed = await readSetting(sql, pepperName);
  return sealed === undefined || sealer?.open(pepperPlace, sealed) !== undefined;
}

/** Whether what a backup's database keeps sealed opens with the keys of this machine. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from '../../backup/backup-error.ts';
import type { Manifest } from '../../backup/manifest.ts';
import type { Sql } from '../../db/database.ts';
import { createSealer, type SealingKey } from '../../kernel/sealing.ts';
import { opensPepper, readKeyFile } from '../../keys/secrets.ts';
import type { Config } from '../config.ts';

type Settings = Pick<Config, 'encryptionKey' | 'oldEncryptionKeys' | 'dataDir'>;

/** By the name of the key, before anything is read. Throws BackupError. */
export async function requireSealingKey(
  { id, encryption_key_id: keyId }: Manifest,
  settings: Settings,
): Promise<void> {
  if (keyId === null) return;
  const present = await presentKey(settings);
  if ([present, ...settings.oldEncryptionKeys].some((key) => key?.id === keyId)) return;
  const here = present === undefined ? 'there is none here' : `the one here is ${present.id}`;
  throw new BackupError(
    'sealing_key_missing',
    `what backup ${id} keeps sealed opens with encryption key ${keyId} alone, and ${here}: set OJA_ENCRYPTION_KEY to it, or put its encryption.key into ${settings.dataDir}`,
  );
}

export async function opensSecrets(sql: Sql, settings: Settings): Promise<boolean> {
  const present = await presentKey(settings);
  return await opensPepper(sql, present && createSealer(present, settings.oldEncryptionKeys));
}

/** Undefined where there is none: to make one would be to make another. */
export async function presentKey({
  encryptionKey,
  dataDir,
}: Pick<Settings, 'encryptionKey' | 'dataDir'>): Promise<SealingKey | undefined> {
  if (encryptionKey !== undefined) return encryptionKey;
  const hasFile = await access(join(dataDir, 'encryption.key')).then(
    () => true,
    () => false,
  );
  return hasFile ? await readKeyFile(dataDir) : undefined;
}

/** The keys of this machine that backups and archives open with. */
import { type BackupKey, keyFollowing, openBackupKey } from '../../backup/backup-key.ts';
import type { Config } from '../config.ts';
import { presentKey } from './opens-secrets.ts';

/** The one that is used first: that of the settings, or what follows from the encryption keys. */
export async function keysHere(config: Config): Promise<readonly BackupKey[]> {
  const set = config.backupKey === undefined ? [] : [await openBackupKey(config.backupKey)];
  const present = await presentKey(config);
  const encryptionKeys = [...(present === undefined ? [] : [present]), ...config.oldEncryptionKeys];
  return [...set, ...(await Promise.all(encryptionKeys.map(keyFollowing)))];
}

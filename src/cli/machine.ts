/**
 * What commands do on this machine that are no operations: they must work where there is no
 * database, or replace it.
 */
import type { FoundBackup } from '../backup/backup-folder.ts';
import type { BackupKey } from '../backup/backup-key.ts';
import type { Manifest } from '../backup/manifest.ts';
import type { Restored } from '../backup/restore-backup.ts';
import type { Verified } from '../backup/verify-backup.ts';
import type { Finding } from '../doctor/finding.ts';

type BackupTaken = FoundBackup & {
  /** Undefined where it was not asked for. */
  readonly verified: Verified | undefined;
  /** The ids of older ones that were removed. */
  readonly removed: readonly string[];
  /** False where the key that it is encrypted to follows from the encryption key. */
  readonly hasOwnKey: boolean;
};

/** Before anything is done. */
export type RestorePlan = {
  readonly manifest: Manifest;
  /** The data folder. */
  readonly dataDir: string;
  /** There is a database, which is to be moved aside. */
  readonly replaces: boolean;
  carryOut(): Promise<Restored>;
};

export type Machine = {
  newBackupKey(): Promise<BackupKey>;
  /** The newest first. */
  listBackups(folder: string): Promise<readonly FoundBackup[]>;
  takeBackup(
    folder: string,
    options: { readonly plain: boolean; readonly verify: boolean; readonly keep: number | undefined },
  ): Promise<BackupTaken>;
  verifyBackup(
    path: string,
    options: { readonly plain: boolean },
  ): Promise<FoundBackup & { verified: Verified }>;
  planRestore(
    path: string,
    options: { readonly plain: boolean; readonly until: Date | 'latest' | undefined },
  ): Promise<RestorePlan>;
  /** Sets the exit code to 1 where something is wrong. */
  examine(): Promise<readonly Finding[]>;
};

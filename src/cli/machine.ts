/**
 * What commands do on this machine that are no operations: they must work where there is no
 * database, or replace it.
 */
import type { StoredArchive } from '../archive/archive-store.ts';
import type { Archived } from '../archive/archive-vends.ts';
import type { CheckedArchive } from '../archive/check-archives.ts';
import type { BroughtBack } from '../archive/restore-archive.ts';
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

/** What is done with archives. Each gets who acts, where a name was stated. */
export type ArchiveMachine = {
  writeArchive(
    folder: string,
    options: {
      readonly before: Date;
      readonly unreconciled: boolean;
      readonly actor: string | undefined;
    },
  ): Promise<Archived>;
  restoreArchive(path: string, options: { readonly actor: string | undefined }): Promise<BroughtBack>;
  /** Sets the exit code to 1 where something is missing or wrong. */
  checkArchives(folder: string): Promise<readonly CheckedArchive[]>;
  /** The newest first. */
  listArchives(): Promise<readonly StoredArchive[]>;
};

export type Machine = ArchiveMachine & {
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

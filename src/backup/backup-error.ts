/** Errors of backups and archives. */
import { CodedError } from '../kernel/coded-error.ts';

type BackupFault =
  | 'archive_changed'
  | 'archive_damaged'
  | 'archive_outdated'
  | 'archive_under_way'
  | 'archive_unknown'
  | 'archive_unreadable'
  | 'backup_before_start'
  | 'backup_damaged'
  | 'backup_in_clear'
  | 'backup_key_malformed'
  | 'backup_key_missing'
  | 'backup_key_other'
  | 'backup_newer'
  | 'backup_not_recorded'
  | 'backup_not_recovering'
  | 'backup_undecryptable'
  | 'backup_unreadable'
  | 'books_wrong'
  | 'data_dir_in_use'
  | 'data_dir_unusable'
  | 'database_away'
  | 'database_exists'
  | 'database_not_own'
  | 'day_not_closed'
  | 'day_too_young'
  | 'disk_full'
  | 'folder_in_data_dir'
  | 'folder_in_use'
  | 'folder_of_others'
  | 'folder_unreadable'
  | 'folder_unusable'
  | 'index_incomplete'
  | 'log_archive_missing'
  | 'log_damaged'
  | 'log_file_exists'
  | 'log_file_gone'
  | 'log_unreadable'
  | 'manifest_changed'
  | 'no_archive'
  | 'no_backup'
  | 'no_log_kept'
  | 'not_reconciled'
  | 'page_damaged'
  | 'record_differs'
  | 'reports_incomplete'
  | 'restore_fence_up'
  | 'sealing_key_missing'
  | 'tablespaces'
  | 'until_before_backup';

/** Why a backup or a restore cannot be done, in words for the operator. */
export class BackupError extends CodedError<BackupFault> {
  override readonly name = 'BackupError';
}

/** The reason in the system's own words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Errors of migrations and of databases that cannot be used. */
import { CodedError } from '../core/errors.ts';

export type MigrationFault =
  | 'cells_other'
  | 'cells_schema'
  | 'cluster_upgrade'
  | 'connections_shared'
  | 'database_before_10'
  | 'database_newer'
  | 'database_of_others'
  | 'database_older'
  | 'database_read_only'
  | 'encoding_other'
  | 'migration_changed'
  | 'migration_numbers'
  | 'migration_other'
  | 'no_schema'
  | 'server_standby'
  | 'server_too_old';

/**
 * This version of Oja cannot work on the database, for a reason that only a person can fix. The
 * message names the reason and the fix.
 */
export class MigrationError extends CodedError<MigrationFault> {
  override readonly name = 'MigrationError';
}

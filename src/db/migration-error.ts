/**
 * The database is not one that this version of Oja can work on, for a reason that only a person can
 * mend. The message says what, and what to do.
 */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

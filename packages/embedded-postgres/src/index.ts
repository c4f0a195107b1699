/** The package's public interface. Everything that is not exported here may change at any time. */
export { type DataLock, findRunningDatabase, type LockOptions, lockDataDir } from './data-lock.ts';
export { DataDirInUseError, EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './errors.ts';
export type { ServerLog } from './server-process.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';

/**
 * Oja's own PostgreSQL, if no DATABASE_URL names another: the bundled server, with settings for
 * Oja's load. Start failures are explained in terms of Oja's settings.
 */
import { join, resolve } from 'node:path';
import {
  DataDirInUseError,
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  type EmbeddedPostgresErrorCode,
  type EmbeddedPostgresOptions,
  findRunningDatabase,
  startEmbeddedPostgres,
} from '@oja/embedded-postgres';
import { closeDataFolder } from '../core/data-folder.ts';
import { CodedError } from '../core/errors.ts';
import { databaseBytes, memoryOfMachine, memorySettings } from './server-memory.ts';

const lockName = 'oja.lock';

/** Settings for a machine that the server shares with the gateway. */
const settings: Readonly<Record<string, string>> = {
  // Enough for two processes with eight cells.
  max_connections: '120',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  // Rare, evenly spread checkpoints: after each of them the next write of a page writes the whole
  // page.
  wal_level: 'replica',
  wal_buffers: '16MB',
  max_wal_size: '4GB',
  min_wal_size: '512MB',
  // A new log file is not filled with zeroes first, because every commit would wait for that.
  wal_init_zero: 'off',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',
  // Wallet counters are updated thousands of times a second, so vacuum runs often and in small
  // steps.
  autovacuum_naptime: '10s',
  // Every statement is short. Compiling one, or running it in several processes, costs more than it
  // saves.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

const advice: Partial<Record<EmbeddedPostgresErrorCode, string>> = {
  data_dir_not_writable: 'to use another folder, set OJA_DATA_DIR',
  data_dir_not_owned: 'to use another folder, set OJA_DATA_DIR',
  no_programs: 'to use another PostgreSQL, set DATABASE_URL',
  no_server_user: 'to use another PostgreSQL, set DATABASE_URL',
};

/**
 * The server cannot start for a reason that the operator can fix, which the message explains.
 */
export class EmbeddedServerError extends CodedError<EmbeddedPostgresErrorCode> {
  override readonly name = 'EmbeddedServerError';
}

export type EmbeddedServer = EmbeddedPostgres;

type Options = Omit<EmbeddedPostgresOptions, 'databaseName' | 'lockName' | 'settings'> & {
  /** Settings of PostgreSQL that override those of this file. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** The folder of the server's own files. */
export function clusterOf(dataDir: string): string {
  return join(resolve(dataDir), 'postgres', 'cluster');
}

/** Resolves when the database `oja` accepts connections. Rejects with EmbeddedServerError. */
export async function startEmbeddedServer(options: Options): Promise<EmbeddedPostgres> {
  await closeDataFolder(options.dataDir);
  try {
    return await startEmbeddedPostgres({
      ...options,
      databaseName: 'oja',
      lockName,
      settings: async () => ({
        ...settings,
        ...memorySettings(memoryOfMachine(), await databaseBytes(clusterOf(options.dataDir))),
        ...options.settings,
      }),
    });
  } catch (error) {
    throw error instanceof EmbeddedPostgresError
      ? new EmbeddedServerError(error.code, explain(error), { cause: error })
      : error;
  }
}

/**
 * The database of the Oja that runs on this data folder. Undefined if none runs, or it has not
 * started yet.
 */
export async function findEmbeddedDatabase(dataDir: string): Promise<string | undefined> {
  return await findRunningDatabase(dataDir, { lockName });
}

function explain(error: EmbeddedPostgresError): string {
  if (error instanceof DataDirInUseError) {
    return `${error.dataDir} is already in use by a running Oja (pid ${error.pid})`;
  }
  const more = advice[error.code];
  return more === undefined ? error.message : `${error.message}; ${more}`;
}

/**
 * Why a gateway cannot start, in words for the operator. A fault that can be mended outside Oja is
 * one line, and says where to look; any other fault is ours, and is told with its stack.
 */
import {
  deniedState,
  isConnectionLost,
  isUnavailable,
  readOnlyState,
  reasonOf,
  sqlState,
} from '../db/database-errors.ts';
import { EmbeddedServerError } from '../db/embedded-server.ts';
import { MigrationError } from '../db/migration-error.ts';
import { SecretsError } from '../keys/secrets.ts';
import { ConfigError } from './config.ts';

const worded = [EmbeddedServerError, MigrationError, SecretsError];

/** PostgreSQL's words for what an operator has to give or to free. */
const refusedStates: Readonly<Record<string, string>> = {
  [readOnlyState]: 'it is read-only, as a standby is',
  '53100': 'its disk is full',
  '53200': 'it has no memory left',
  '53300': 'it has no connection left',
};

/** What the system says of files and folders. */
const fileCodes = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
  'EISDIR',
  'EEXIST',
  'ELOOP',
  'ENAMETOOLONG',
  'EMFILE',
]);

export function explainStart(error: unknown): string {
  if (error instanceof ConfigError) return String(error);
  if (!(error instanceof Error)) return String(error);
  if (worded.some((kind) => error instanceof kind)) return error.message;
  if (isUnavailable(error) || isConnectionLost(error)) {
    return `the database of DATABASE_URL does not answer: ${reasonOf(error)}`;
  }
  const state = sqlState(error);
  if (state === deniedState) return `${reasonOf(error)}: the user of DATABASE_URL must own Oja's tables`;
  const refused = state === undefined ? undefined : refusedStates[state];
  if (refused !== undefined) return `the database refuses: ${refused} (${error.message}, ${state})`;
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === 'listen' || code === 'ENOTFOUND') {
    return `${error.message}: see HOST, PORT, METRICS_PORT, OJA_ADMIN_PORT, OJA_CONSOLE_PORT and OJA_PORTAL_PORT`;
  }
  if (fileCodes.has(code) && path !== undefined) return `${error.message}: see OJA_DATA_DIR`;
  return error.stack ?? error.message;
}

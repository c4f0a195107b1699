/**
 * Explains to the operator why a gateway cannot start. A fault outside Oja is one line with its
 * fix. Any other error is a bug, and is printed with its stack.
 */

import { CodedError } from '../core/errors.ts';
import {
  deniedState,
  isConnectionLost,
  isUnavailable,
  readOnlyState,
  reasonOf,
  sqlState,
} from '../db/database-errors.ts';

/** PostgreSQL's names of resources that an operator must provide or free. */
const refusedStates: Readonly<Record<string, string>> = {
  [readOnlyState]: 'it is read-only, as a standby is',
  '53100': 'its disk is full',
  '53200': 'it has no memory left',
  '53300': 'it has no connection left',
};

/** Messages for errors of files and folders. */
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

/** `code` is stable, and `message` may be reworded. */
export type StartFault = { readonly code: string; readonly message: string };

export function explainStart(error: unknown): StartFault {
  if (!(error instanceof Error)) return { code: 'internal', message: String(error) };
  if (error instanceof CodedError) return { code: error.code, message: error.message };
  if (isUnavailable(error) || isConnectionLost(error)) {
    const message = `the database of DATABASE_URL does not answer: ${reasonOf(error)}`;
    return { code: 'database_away', message };
  }
  const state = sqlState(error);
  if (state === deniedState) {
    const message = `${reasonOf(error)}: the user of DATABASE_URL must own Oja's tables`;
    return { code: 'database_denied', message };
  }
  const refused = state === undefined ? undefined : refusedStates[state];
  if (refused !== undefined) {
    const message = `the database refuses: ${refused} (${error.message}, ${state})`;
    return { code: 'database_refuses', message };
  }
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === 'listen' || code === 'ENOTFOUND') {
    const settings = 'HOST, PORT, METRICS_PORT, OJA_ADMIN_PORT, OJA_CONSOLE_PORT and OJA_PORTAL_PORT';
    return { code: 'address_unusable', message: `${error.message}: see ${settings}` };
  }
  if (fileCodes.has(code) && path !== undefined) {
    return { code: 'data_dir_unusable', message: `${error.message}: see OJA_DATA_DIR` };
  }
  return { code: 'internal', message: error.stack ?? error.message };
}

/**
 * Errors of the database, by the decisions of callers.
 *
 * For money, only the result of the SQL statement matters. A refusal by PostgreSQL (a constraint, a
 * timeout) undid it. A failed connection has two cases: nothing can have been stored
 * (`isUnavailable`), or it is unknown (`isConnectionLost`). The difference decides whether a caller
 * may send again.
 */
import pg from 'pg';
import { GatewayError } from '../core/errors.ts';

/** There was no connection, or it broke before a commit was requested: nothing was stored. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** The error if no connection was available. */
export function noConnection(error: unknown): DatabaseUnavailableError {
  return new DatabaseUnavailableError(`no database connection: ${reasonOf(error)}`, { cause: error });
}

/**
 * The connection broke while a committing statement was running, so it is unknown whether it was
 * stored. Or it was stored here, and a synchronous standby may lack it, so it is unknown whether it
 * is durable.
 */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

/**
 * SQLSTATEs after which PostgreSQL closes the connection. The severity cannot be used, because it
 * arrives translated.
 */
const closingStates = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04']);

/**
 * SQLSTATE of a write to a read-only server, which is usually a server that has become a standby.
 */
export const readOnlyState = '25006';

/**
 * SQLSTATE where a table was expected and its name is that of something else. After a move, the old
 * server has the names of the cell's tables only as names of types, which no statement can use.
 */
const cellMovedState = '42809';

/** SQLSTATEs of missing privileges. */
export const deniedState = '42501';

/**
 * A statement that exceeded its time limit, usually because another transaction held a lock that it
 * needed.
 */
const timedOutState = '57014';

/** Another transaction held a lock for longer than this statement could wait. */
const lockTimedOutState = '55P03';
const deadlockState = '40P01';

/**
 * Classes 53 (full disk, no memory, no more connections) and 58 (a disk that cannot be read or
 * written). The statement was rolled back.
 */
const machineClasses = /^5[38]/;

/**
 * Bad data, a broken constraint, an exception raised by a function, an internal error of
 * PostgreSQL.
 */
const lastingClasses = /^(?:22|23|P0|XX)/;

/**
 * True if nothing was stored, because the database could not be reached, is starting, stopping or
 * full, has disk problems, took too long, or detected a deadlock, or a cell moved.
 */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  return (
    error instanceof DatabaseUnavailableError ||
    state === timedOutState ||
    state === cellMovedState ||
    machineClasses.test(state ?? '') ||
    isLockTrouble(error)
  );
}

/** True if a statement was refused because its cell is at another server now. */
export function isCellMoved(error: unknown): boolean {
  return sqlState(error) === cellMovedState;
}

/** True if a statement was refused, and so rolled back, because a lock was held for too long. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === lockTimedOutState;
}

/**
 * True if a statement was rolled back because of a lock that was held for too long, or a deadlock.
 */
export function isLockTrouble(error: unknown): boolean {
  return isLockTimeout(error) || sqlState(error) === deadlockState;
}

/** True when the connection broke under a running statement, so that its outcome is unknown. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof ConnectionLostError;
}

/**
 * Returns whether the same work would fail again: a bug, or data that PostgreSQL refuses. False if
 * the database has a problem, or the cause is temporary.
 */
export function isLasting(error: unknown): boolean {
  if (isUnavailable(error) || isConnectionLost(error) || error instanceof GatewayError) return false;
  const state = sqlState(error);
  return state === undefined || lastingClasses.test(state);
}

/** The constraint PostgreSQL names in its refusal, if it was a constraint that refused. */
export function constraintName(error: unknown): string | undefined {
  return serverError(error)?.constraint;
}

/**
 * The five-character SQLSTATE of PostgreSQL's refusal; undefined for an error that PostgreSQL did
 * not send.
 */
export function sqlState(error: unknown): string | undefined {
  return serverError(error)?.code;
}

/** The state of the connection that an error came over. */
export type ConnectionVerdict = 'usable' | 'unfit' | 'standby' | 'broken';

/**
 * Classifies a connection by the error of a statement on it. `usable`: an ordinary refusal.
 * `unfit`: alive, but its prepared statements cannot be trusted (a plan outdated by a migration, a
 * value that could not be encoded). `standby`: alive, but the server stores nothing; a new
 * connection may find the primary. `broken`: closed, or about to be.
 */
export function checkConnection(error: unknown): ConnectionVerdict {
  if (!(error instanceof pg.DatabaseError)) {
    return isTransportError(error) ? 'broken' : 'unfit';
  }
  const state = error.code ?? '';
  if (closingStates.has(state) || state.startsWith('08')) {
    return 'broken';
  }
  if (state === readOnlyState) {
    return 'standby';
  }
  return state === '0A000' || state === '26000' ? 'unfit' : 'usable';
}

/** Returns the reason for a message, without the stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reasonOf).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}

/**
 * The driver reports a broken connection by errno codes and by bare messages. A value it could not
 * encode is a TypeError or RangeError, thrown before anything was sent.
 */
function isTransportError(error: unknown): boolean {
  return error instanceof Error && !(error instanceof TypeError) && !(error instanceof RangeError);
}

function serverError(error: unknown): pg.DatabaseError | undefined {
  let link: unknown = error;
  for (let depth = 0; depth < 5 && link instanceof Error; depth += 1) {
    if (link instanceof pg.DatabaseError) {
      return link;
    }
    link = link.cause;
  }
  return undefined;
}

/** Errors of a command before or after its operation runs. */
import { CodedError } from '../core/errors.ts';

type CommandFault =
  | 'actor_by_token'
  | 'confirmation_needed'
  | 'connection_insecure'
  | 'document_malformed'
  | 'encryption_key_missing'
  | 'file_malformed'
  | 'file_unreadable'
  | 'file_unwritable'
  | 'gateway_away'
  | 'gateway_redirects'
  | 'gateway_refused'
  | 'key_missing'
  | 'no_database'
  | 'not_confirmed'
  | 'secret_missing'
  | 'startup_failed'
  | 'token_wrong'
  | 'url_malformed'
  | 'usage'
  | 'webhook_secret_malformed';

/** A failed command, with a message for the operator. The exit code is 1. */
export class CommandError extends CodedError<CommandFault> {
  override readonly name = 'CommandError';
}

/** A usage error: nothing was tried. The exit code is 2. */
export class UsageError extends CommandError {}

/**
 * Converts an error whose message was written for the operator. Errors of the database keep their
 * class, which shows the result of the operation.
 */
export function asCommandError(error: unknown): unknown {
  const plain = error instanceof Error && error.constructor === Error;
  return plain ? new CommandError('startup_failed', error.message, { cause: error }) : error;
}

/**
 * Why a command could not do what it was asked, in words for the operator. Ends it with exit code
 * 1.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The command was not written as it must be: nothing was tried. Ends it with exit code 2. */
export class UsageError extends CommandError {}

/**
 * For errors whose message was written for the operator. One of the database keeps its own kind,
 * which says what became of the operation.
 */
export function asCommandError(error: unknown): unknown {
  const plain = error instanceof Error && error.constructor === Error;
  return plain ? new CommandError(error.message, { cause: error }) : error;
}

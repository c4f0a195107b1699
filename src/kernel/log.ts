/**
 * JSON logs, one line an event. Secrets and people's data are never passed to the log. The
 * redaction below is only a second protection.
 */
import { type DestinationStream, type Logger, pino } from 'pino';
import { LineBlocks } from './line-blocks.ts';

export type { Logger };

const tokens = ['token', 'bonus_token', 'kct1', 'kct2'];
const redacted = ['secret', ...tokens, 'pin', 'bvn', 'password', 'authorization', 'headers', 'body'];

let writtenMs = 0;
let written = '';

/** Many lines are of one millisecond: it is written once. */
function isoTime(): string {
  const ms = Date.now();
  if (ms !== writtenMs) {
    writtenMs = ms;
    written = `,"time":"${new Date(ms).toISOString()}"`;
  }
  return written;
}

/**
 * Writes to standard output in blocks: a line may be up to a second late, and the process must call
 * `flush` before it exits.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
      redact: { paths: redacted.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    destination ?? new LineBlocks(),
  );
}

/**
 * Only what explains the error to people. Errors of the database driver also carry whole clients,
 * with keys and SQL statements.
 */
function serializeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: name,
    message,
    code,
    stack,
    cause: cause instanceof Error ? serializeError(cause) : undefined,
  };
}

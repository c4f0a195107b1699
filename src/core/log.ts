/**
 * JSON logs, one line per event. Callers never pass secrets or personal data; the redaction below
 * is only a second protection.
 */
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { formatUtc } from './clock.ts';
import { isRecord } from './json.ts';
import { LineBlocks } from './line-blocks.ts';
import { RepeatedErrors } from './repeated-errors.ts';

export type { Logger };

const tokens = ['token', 'bonus_token', 'kct1', 'kct2'];
const redacted = ['secret', ...tokens, 'pin', 'bvn', 'password', 'authorization', 'headers', 'body'];

/** Pino's number of the level. */
const WARN = 40;

/**
 * Creates a log that writes to standard output in blocks. A line can be a second late, and the
 * process must call `flush` before it exits.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const errors = new RepeatedErrors();
  return pino(
    {
      level,
      hooks: {
        logMethod(args, method, levelOfLine) {
          const line = levelOfLine < WARN ? args : boundError(errors, args);
          if (line !== undefined) method.apply(this, line);
        },
      },
      base: null,
      timestamp: () => `,"time":"${formatUtc(new Date())}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
      redact: { paths: redacted.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    destination ?? new LineBlocks(),
  );
}

type Args = Parameters<LogFn>;

/** Returns the line of an error, or undefined if it is only counted because it repeats. */
function boundError(errors: RepeatedErrors, args: Args): Args | undefined {
  const [fields, message, ...rest] = args as readonly [unknown, ...unknown[]];
  if (!isRecord(fields) || !(fields.err instanceof Error)) return args;
  const { err, job, ...subject } = fields;
  const hasSubject = Object.keys(subject).length > 0;
  const line = errors.take(kindOf(err, job, message), { hasSubject });
  if (line === undefined) return undefined;
  const told = {
    ...fields,
    ...(line.omitted > 0 && { omitted: line.omitted }),
    ...(line.form === 'brief' && { err: new Brief(err) }),
  };
  return [told, message, ...rest] as unknown as Args;
}

/** Errors of one kind come from one place in the code and one job. */
function kindOf(err: Error, job: unknown, message: unknown): string {
  const code = 'code' in err ? err.code : '';
  const [, place = ''] = err.stack?.slice(err.stack.indexOf('\n    at ')).split('\n') ?? [];
  return [message, job, err.name, code, place].map(String).join('|');
}

/** An error that is logged without its stack. */
class Brief {
  readonly error: Error;

  constructor(error: Error) {
    this.error = error;
  }
}

/**
 * Keeps only the fields that explain the error: errors of the database driver also carry whole
 * clients, with keys and SQL statements.
 */
function serializeError(error: unknown): Record<string, unknown> {
  if (error instanceof Brief) {
    const { type, message, code } = serializeError(error.error);
    return { type, message, code };
  }
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

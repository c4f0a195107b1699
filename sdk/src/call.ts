/**
 * Calls that buy nothing. Lookups are repeated after any temporary failure. Changes are repeated
 * only if the gateway reports that nothing was done.
 */
import { type Outcome, type Request, send } from './connection.ts';
import { ConfigurationError, InvalidRequestError } from './errors.ts';
import { type CallOptions, readCallOptions, type Settings } from './options.ts';
import { delayBefore, longestRetryAfterMs, sleep } from './retry.ts';

/** `look_up`: may be repeated freely. */
export type CallKind = 'look_up' | 'act';

export async function call<Answer>(
  client: Settings,
  kind: CallKind,
  request: Request,
  options: CallOptions = {},
): Promise<Answer> {
  const settings = readCallOptions(client, options);
  for (let repetition = 0; ; repetition += 1) {
    const outcome = await send(settings, request, options.signal);
    if (outcome.kind === 'answer') return outcome.value as Answer;
    const retryAfterMs = retryAfterOf(outcome);
    const mayRepeat = repetition < settings.maxRetries && passes(kind, outcome);
    if (!mayRepeat || (retryAfterMs ?? 0) > longestRetryAfterMs) throw outcome.error;
    await sleep(delayBefore(repetition, retryAfterMs), options.signal);
  }
}

export function retryAfterOf(outcome: Outcome): number | undefined {
  return outcome.kind === 'refusal' ? outcome.retryAfterMs : undefined;
}

/** 408, 429 and 503 of the gateway mean that nothing was stored and that the cause is temporary. */
export function nothingWasDone(outcome: Outcome): boolean {
  return outcome.kind === 'refusal' && [408, 429, 503].includes(outcome.status);
}

function passes(kind: CallKind, outcome: Outcome): boolean {
  if (nothingWasDone(outcome)) return true;
  if (kind === 'act') return false;
  switch (outcome.kind) {
    case 'refusal':
      return outcome.status >= 500;
    case 'foreign':
      return !outcome.isRedirect && (outcome.error.status ?? 0) >= 500;
    default:
      return outcome.kind === 'silence';
  }
}

/** A path with `{name}` filled in. */
export function pathOf(pattern: string, parameters: Readonly<Record<string, string | number>>): string {
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new ConfigurationError(`${name} is missing`);
    // A URL with a `.` or `..` segment would name another path.
    if (/^\.{0,2}$/.test(String(value))) {
      throw new InvalidRequestError(`${name} must not be empty, "." or ".."`, {
        fields: [{ field: name, message: `${name} must not be empty, "." or ".."` }],
      });
    }
    return encodeURIComponent(String(value));
  });
}

/** Decides whether a provider is healthy, by the observations of all live processes. Pure. */
import { answeredCalls, countedCalls, type ProviderSummary, successRate } from './provider-state.ts';

/** Fewer calls in five minutes are too few for a rate. */
const ENOUGH_CALLS = 10;
/** Below this a provider is unwell. Above it the provider can recover. */
const UNWELL_RATE = 0.5;
export const WELL_RATE = 0.8;
/** How long calls are held back before an alarm is raised. */
const BROKEN_MS = 60_000;
/** This many calls without any answer are not a coincidence. */
const SILENT_CALLS = 3;
const SILENT_MS = 60_000;
/** How long our float could not be read, although it could before, and no order was answered. */
const FLOAT_FAILING_MS = 180_000;

export type Verdict =
  | { readonly kind: 'unwell'; readonly trouble: Trouble; readonly message: string }
  | { readonly kind: 'well' }
  /** There is no evidence either way, so the previous state stays. */
  | { readonly kind: 'undecided' };

/** `failing` may pass within a minute. The other conditions have already lasted. */
type Trouble = 'failing' | 'broken' | 'silent';

export function checkProvider(name: string, summary: ProviderSummary): Verdict {
  const { within_5m: recent, broken_ms, broken_in, processes } = summary;
  const rate = successRate(recent);
  const silence = silenceOf(name, summary);
  if (silence !== undefined) return { kind: 'unwell', trouble: 'silent', message: silence };
  if (broken_ms >= BROKEN_MS) {
    const where = processes === 1 ? '' : ` in ${broken_in} of ${processes} processes`;
    const message = `calls to ${name} have been held back for ${minutes(broken_ms)}${where}: its breaker is open`;
    return { kind: 'unwell', trouble: 'broken', message };
  }
  if (rate !== undefined && rate < UNWELL_RATE && countedCalls(recent) >= ENOUGH_CALLS) {
    const message = `${name} served ${recent.success} of ${countedCalls(recent)} calls in five minutes`;
    return { kind: 'unwell', trouble: 'failing', message };
  }
  return isWell(summary) ? { kind: 'well' } : { kind: 'undecided' };
}

/** As text, if it does not answer any process. */
function silenceOf(name: string, summary: ProviderSummary): string | undefined {
  const { within_5m: recent, unanswered, last_answer: last } = summary;
  const silentMs = last?.age_ms ?? Number.POSITIVE_INFINITY;
  const isAsked = countedCalls(recent) > 0;
  if (isAsked && unanswered.calls >= SILENT_CALLS && Math.min(unanswered.for_ms, silentMs) >= SILENT_MS) {
    return `${name} has answered none of its last ${unanswered.calls} calls, for ${minutes(unanswered.for_ms)}`;
  }
  const failingMs = summary.float_failing_ms ?? 0;
  if (Math.min(failingMs, silentMs) < FLOAT_FAILING_MS) return undefined;
  return `${name} has not told our float for ${minutes(failingMs)}, and has answered no purchase since`;
}

function isWell({ within_1m, within_5m, breaker, float_failing_ms }: ProviderSummary): boolean {
  const rate = successRate(within_1m);
  if (rate !== undefined) return breaker === 'closed' && rate >= WELL_RATE;
  if (answeredCalls(within_1m) > 0) return breaker === 'closed';
  // There were no purchases for a while. A breaker waits for a purchase before it closes.
  return breaker !== 'open' && countedCalls(within_5m) === 0 && (float_failing_ms ?? 0) === 0;
}

function minutes(ms: number): string {
  const whole = Math.max(1, Math.floor(ms / 60_000));
  return `${whole} min`;
}

/** When a float is an alarm, and when its provider is paused. Pure. */
import { formatAmount } from '../kernel/money.ts';
import type { FloatStatus } from './float-status.ts';
import type { FloatTrouble } from './float-store.ts';

/** Where no operator has set another. */
export const DEFAULT_HOURS = 6;
/** A provider that has not told our float for so long does not tell it. */
const UNKNOWN_MS = 15 * 60_000;
/** Readings that are older pause and resume nothing. */
const CURRENT_MS = 2 * 60_000;

type Kind = FloatTrouble['kind'];

/** What is wrong with it, in words. */
export function troublesOf(status: FloatStatus): ReadonlyMap<Kind, string> {
  const troubles = new Map<Kind, string>();
  const low = lowText(status);
  if (low !== undefined) troubles.set('low_float', low);
  const { provider, failingMs, reportedAgeMs, difference, expected } = status;
  const silentMs = Math.max(failingMs, reportedAgeMs ?? 0);
  if (silentMs >= UNKNOWN_MS) {
    const minutes = Math.floor(silentMs / 60_000);
    const message = `${provider} has not told our float for ${minutes} min: by the books it is ${formatAmount(expected)}`;
    troubles.set('float_unknown', message);
  }
  if (status.differs && difference !== undefined) {
    const more = difference > 0n ? 'more' : 'less';
    const amount = formatAmount(difference < 0n ? -difference : difference);
    const message = `${provider} reports ${amount} ${more} than the books have: reconcile it`;
    troubles.set('float_differs', message);
  }
  return troubles;
}

function lowText({
  provider,
  reported,
  limits,
  runway,
  runwayOf: of,
  isOpened,
}: FloatStatus): string | undefined {
  const { amount, hours: hoursSet } = limits;
  if (reported !== undefined && amount !== null && reported.amount < amount) {
    const left = `${formatAmount(reported.amount)} ${reported.currency}`;
    return `our float at ${provider} is ${left}, below ${formatAmount(amount)}`;
  }
  // What the books have means nothing before a top-up is booked.
  if (runway.hours === undefined || (of === 'expected' && !isOpened)) return undefined;
  const wanted = hoursSet ?? DEFAULT_HOURS;
  if (runway.hours >= wanted) return undefined;
  const left = runway.hours.toFixed(1);
  return `our float at ${provider} lasts for ${left} hours more: top it up (alarm below ${wanted} hours)`;
}

/**
 * Whether an alarm that goes on is over, where nothing of its kind is found wrong any more. It is
 * not for want of a reading: after a start no process has one yet. `unreadMs`: for how long there
 * has been none.
 */
export function isOver(
  kind: Kind,
  { reported, reportedAgeMs, isOpened, limits }: FloatStatus,
  unreadMs: number,
): boolean {
  if (kind === 'float_unknown') return reported !== undefined;
  if (reportedAgeMs !== undefined && reportedAgeMs < UNKNOWN_MS) return true;
  if (kind === 'float_differs' || !isOpened) return false;
  // The books judge hours in the place of an old reading. Of an amount they say nothing.
  return reported !== undefined || (limits.amount === null && unreadMs >= UNKNOWN_MS);
}

/** Whether the provider is to be paused; undefined: leave it as it is. */
export function isToPause({ reported, reportedAgeMs, failingMs, limits }: FloatStatus): boolean | undefined {
  if (limits.pause_below === null) return false;
  if (reported === undefined || (reportedAgeMs ?? CURRENT_MS) >= CURRENT_MS || failingMs > 0)
    return undefined;
  return reported.amount < limits.pause_below;
}

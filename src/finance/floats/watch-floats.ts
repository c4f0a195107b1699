/**
 * Watches floats: records spending by the hour, raises an alarm if a float is low, unknown or
 * different from the books, and ends the alarm when the condition has ended. If an operator set a
 * limit, it pauses a provider that runs out of money and resumes it after a top-up. Any number of
 * processes may run it: an alarm is raised once, and a pause is made once.
 */

import { deletePause, insertPause, listPauses } from '../../catalog/routes/pause-store.ts';
import { everyPlace } from '../../catalog/routes/routes.ts';
import type { Clock } from '../../core/clock.ts';
import { formatAmount } from '../../core/money.ts';
import type { Database, Tx } from '../../db/database.ts';
import { beginTrouble, endTrouble } from '../../notifications/alarms/alarm-store.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { ProviderFacts } from '../../providers/provider.ts';
import { type FloatStatus, type FloatTrouble, readFloats } from './float-status.ts';
import { noteHour } from './float-store.ts';

/** The default limit. */
export const DEFAULT_HOURS = 6;
/** How long a balance may be missing before it is unknown. */
const UNKNOWN_MS = 15 * 60_000;
/** Older readings pause and resume no provider. */
const CURRENT_MS = 2 * 60_000;

/**
 * Returns the alarm conditions of a float, with their messages, which contain the provider's name.
 */
function troublesOf(status: FloatStatus, provider: string): ReadonlyMap<FloatTrouble, string> {
  const troubles = new Map<FloatTrouble, string>();
  const low = lowText({ ...status, provider });
  if (low !== undefined) troubles.set('low_float', low);
  const { failingMs, reportedAgeMs, difference, expected } = status;
  const silentMs = Math.max(failingMs, reportedAgeMs ?? 0);
  if (silentMs >= UNKNOWN_MS) {
    const minutes = Math.floor(silentMs / 60_000);
    const message = `${provider} has not reported our balance for ${minutes} min; the books expect ${formatAmount(expected)}`;
    troubles.set('float_unknown', message);
  }
  if (status.differs && difference !== undefined) {
    const more = difference > 0n ? 'more' : 'less';
    const amount = formatAmount(difference < 0n ? -difference : difference);
    const message = `${provider} reports ${amount} ${more} than the books expect`;
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
  // The expected balance means nothing before a top-up is booked.
  if (runway.hours === undefined || (of === 'expected' && !isOpened)) return undefined;
  const wanted = hoursSet ?? DEFAULT_HOURS;
  if (runway.hours >= wanted) return undefined;
  const left = runway.hours.toFixed(1);
  return `our float at ${provider} lasts for ${left} more hours (alarm below ${wanted} hours)`;
}

/**
 * Decides whether an alarm condition that is no longer found has ended. A missing reading does not
 * end one, because after a start no process has a reading yet. `unreadMs` is how long there has
 * been no reading.
 */
function isOver(
  kind: FloatTrouble,
  { reported, reportedAgeMs, isOpened, limits }: FloatStatus,
  unreadMs: number,
): boolean {
  if (kind === 'float_unknown') return reported !== undefined;
  if (reportedAgeMs !== undefined && reportedAgeMs < UNKNOWN_MS) return true;
  if (kind === 'float_differs' || !isOpened) return false;
  // Without a current reading, the runway is estimated from the books. They contain no reported
  // amount.
  return reported !== undefined || (limits.amount === null && unreadMs >= UNKNOWN_MS);
}

/** Decides whether the provider must be paused. Undefined: no change. */
function mustPause({ reported, reportedAgeMs, failingMs, limits }: FloatStatus): boolean | undefined {
  if (limits.pause_below === null) return false;
  if (reported === undefined || (reportedAgeMs ?? CURRENT_MS) >= CURRENT_MS || failingMs > 0)
    return undefined;
  return reported.amount < limits.pause_below;
}

/** Identifies the pauses of this watch in the list of pauses and in the audit log. */
const WATCH = 'the watch of floats';
/** How long a difference must last, because the books and a reading are not of the same moment. */
const DIFFERS_MS = 10 * 60_000;
/** How many consecutive low readings pause a provider, because one may be wrong. */
const LOW_READINGS = 2;

type Watched = {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now' | 'elapsedMs'>;
  readonly providers: readonly ProviderFacts[];
  /** Returns the current name of a provider, for its alarms. Absent: the id is its name. */
  readonly nameOf?: (provider: string) => string;
};

export class FloatWatch {
  readonly #watched: Watched;
  readonly #differsSince = new Map<string, number>();
  readonly #unreadSince = new Map<string, number>();
  readonly #lowReadings = new Map<string, number>();

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  async look(): Promise<void> {
    const { database, clock, providers } = this.#watched;
    await noteHour(database);
    for (const status of await readFloats(database, providers, clock.now())) {
      await this.#updateTroubles(status);
      await this.#pause(status);
    }
  }

  async #updateTroubles(status: FloatStatus): Promise<void> {
    const { database, nameOf } = this.#watched;
    const { provider } = status;
    const troubles = troublesOf(status, nameOf?.(provider) ?? provider);
    const differsMs = this.#lasted(this.#differsSince, provider, troubles.has('float_differs'));
    const unreadMs = this.#lasted(this.#unreadSince, provider, status.reported === undefined);
    for (const [kind, message] of troubles) {
      if (isOn(status, kind) || (kind === 'float_differs' && differsMs < DIFFERS_MS)) continue;
      await beginTrouble(database, { provider, kind, message });
    }
    for (const { kind } of status.troubles) {
      if (!troubles.has(kind) && isOver(kind, status, unreadMs))
        await endTrouble(database, { provider, kind });
    }
  }

  /** Returns for how long a condition has held for a provider; 0 if it does not hold. */
  #lasted(since: Map<string, number>, provider: string, isSo: boolean): number {
    if (!isSo) {
      since.delete(provider);
      return 0;
    }
    const nowMs = this.#watched.clock.elapsedMs();
    const begin = since.get(provider) ?? nowMs;
    since.set(provider, begin);
    return nowMs - begin;
  }

  async #pause(status: FloatStatus): Promise<void> {
    const { provider } = status;
    const isLow = mustPause(status);
    if (isLow === undefined) return;
    const readings = isLow ? (this.#lowReadings.get(provider) ?? 0) + 1 : 0;
    this.#lowReadings.set(provider, readings);
    if (isLow && readings < LOW_READINGS) return;
    const { database } = this.#watched;
    const paused = (await listPauses(database)).find(
      (pause) => pause.provider === provider && pause.product === everyPlace,
    );
    if (isLow && paused === undefined) await database.transaction((tx) => pause(tx, status));
    // A pause by an operator is only ended by an operator.
    if (!isLow && paused?.paused_by === WATCH) await database.transaction((tx) => resume(tx, status));
  }
}

function isOn({ troubles }: FloatStatus, kind: FloatTrouble): boolean {
  return troubles.some((trouble) => trouble.kind === kind);
}

async function pause(tx: Tx, { provider, reported, limits }: FloatStatus): Promise<void> {
  const place = { provider, product: everyPlace, network: everyPlace };
  const left = reported === undefined ? 'nothing' : `${formatAmount(reported.amount)} ${reported.currency}`;
  const reason = `our float there is ${left}, below ${formatAmount(limits.pause_below ?? 0n)}`;
  if (!(await insertPause(tx, { ...place, reason, pausedBy: WATCH }))) return;
  const { product, network } = place;
  await recordOperation(tx, {
    actor: WATCH,
    action: 'provider.pause',
    subject: `provider:${provider}`,
    after: { product, network, reason },
  });
}

async function resume(tx: Tx, { provider }: FloatStatus): Promise<void> {
  const place = { provider, product: everyPlace, network: everyPlace };
  const before = await deletePause(tx, place);
  if (before === undefined) return;
  const { product, network } = place;
  await recordOperation(tx, {
    actor: WATCH,
    action: 'provider.resume',
    subject: `provider:${provider}`,
    before: { product, network, reason: before.reason },
  });
}

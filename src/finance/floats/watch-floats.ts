/**
 * Watches our money at the providers: notes what was spent by the hour, raises an alarm where a
 * float is low, unknown or not what the books have, and notes when it is over. Where an operator
 * set it, it pauses a provider that is out of money, and resumes it once it was topped up. Any
 * number of processes may run it: an alarm is raised once, and a pause made once.
 */

import { deletePause, insertPause, listPauses } from '../../catalog/routes/pause-store.ts';
import { everyPlace } from '../../catalog/routes/routes.ts';
import type { Clock } from '../../core/clock.ts';
import { formatAmount } from '../../core/money.ts';
import type { Database, Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { ProviderFacts } from '../../providers/provider.ts';
import { type FloatStatus, readFloats } from './float-status.ts';
import { beginFloatTrouble, endFloatTrouble, type FloatTrouble, noteHour } from './float-store.ts';

/** Where no operator has set another. */
export const DEFAULT_HOURS = 6;
/** A provider that has not told our float for so long does not tell it. */
const UNKNOWN_MS = 15 * 60_000;
/** Readings that are older pause and resume nothing. */
const CURRENT_MS = 2 * 60_000;

type Kind = FloatTrouble['kind'];

/** What is wrong with it, in words. */
function troublesOf(status: FloatStatus): ReadonlyMap<Kind, string> {
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
function isOver(
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
function isToPause({ reported, reportedAgeMs, failingMs, limits }: FloatStatus): boolean | undefined {
  if (limits.pause_below === null) return false;
  if (reported === undefined || (reportedAgeMs ?? CURRENT_MS) >= CURRENT_MS || failingMs > 0)
    return undefined;
  return reported.amount < limits.pause_below;
}

/** As the pauses that it made are known again. */
const WATCH = 'the watch of floats';
/** A difference may be a moment's: the books and the reading are not of the same one. */
const DIFFERS_MS = 10 * 60_000;
/** One reading may be wrong: so many in a row pause. */
const LOW_READINGS = 2;

type Watched = {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now' | 'elapsedMs'>;
  readonly providers: readonly ProviderFacts[];
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
      await this.#tell(status);
      await this.#pause(status);
    }
  }

  async #tell(status: FloatStatus): Promise<void> {
    const { database } = this.#watched;
    const { provider } = status;
    const troubles = troublesOf(status);
    const differsMs = this.#lasted(this.#differsSince, provider, troubles.has('float_differs'));
    const unreadMs = this.#lasted(this.#unreadSince, provider, status.reported === undefined);
    for (const [kind, message] of troubles) {
      if (isOn(status, kind) || (kind === 'float_differs' && differsMs < DIFFERS_MS)) continue;
      await database.transaction((tx) => beginFloatTrouble(tx, { provider, kind }, message));
    }
    for (const { kind } of status.troubles) {
      if (!troubles.has(kind) && isOver(kind, status, unreadMs))
        await endFloatTrouble(database, { provider, kind });
    }
  }

  /** For how long it has been so of a provider; 0: it is not. */
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
    const isLow = isToPause(status);
    if (isLow === undefined) return;
    const readings = isLow ? (this.#lowReadings.get(provider) ?? 0) + 1 : 0;
    this.#lowReadings.set(provider, readings);
    if (isLow && readings < LOW_READINGS) return;
    const { database } = this.#watched;
    const paused = (await listPauses(database)).find(
      (pause) => pause.provider === provider && pause.product === everyPlace,
    );
    if (isLow && paused === undefined) await database.transaction((tx) => pause(tx, status));
    // What a person paused, a person resumes.
    if (!isLow && paused?.paused_by === WATCH) await database.transaction((tx) => resume(tx, status));
  }
}

function isOn({ troubles }: FloatStatus, kind: FloatTrouble['kind']): boolean {
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

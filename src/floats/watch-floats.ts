/**
 * Watches our money at the providers: notes what was spent by the hour, raises an alarm where a
 * float is low, unknown or not what the books have, and notes when it is over. Where an operator
 * set it, it pauses a provider that is out of money, and resumes it once it was topped up. Any
 * number of processes may run it: an alarm is raised once, and a pause made once.
 */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { formatAmount } from '../kernel/money.ts';
import type { ProviderFacts } from '../providers/provider.ts';
import { deletePause, insertPause, listPauses } from '../routing/pause-store.ts';
import { everyPlace } from '../routing/pauses.ts';
import { type FloatStatus, readFloats } from './float-status.ts';
import { beginFloatTrouble, endFloatTrouble, type FloatTrouble, noteHour } from './float-store.ts';
import { isOver, isToPause, troublesOf } from './judge-float.ts';

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

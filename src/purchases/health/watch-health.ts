/**
 * Raises an alarm when a provider becomes unwell, and records at the alarm when it has recovered.
 * It uses the reports of all live processes, so any number of processes may run it and the alarm is
 * raised once.
 */

import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../db/database.ts';
import { beginTrouble, endTrouble, listTroubles } from '../../notifications/alarms/alarm-store.ts';
import { DEAD_AFTER_MS } from '../engine/gateway-store.ts';
import { checkProvider } from './check-provider.ts';
import { readStates } from './health-store.ts';
import { type LiveState, summarize } from './provider-state.ts';

/**
 * How long a provider serves too little before an alarm is raised. Other conditions have already
 * lasted.
 */
const FAILING_MS = 120_000;

const kind = 'provider_unwell';

export class HealthWatch {
  readonly #database: Database;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #isPlayed: (provider: string) => boolean;
  readonly #nameOf: (provider: string) => string;
  readonly #failingSince = new Map<string, number>();

  /**
   * `isPlayed`: a provider of test credentials, which fails when a scenario says so. `nameOf`: the
   * current name of a provider, for the alarm.
   */
  constructor(
    database: Database,
    clock: Pick<Clock, 'elapsedMs'>,
    {
      isPlayed = () => false,
      nameOf = (provider) => provider,
    }: {
      readonly isPlayed?: (provider: string) => boolean;
      readonly nameOf?: (provider: string) => string;
    } = {},
  ) {
    this.#database = database;
    this.#clock = clock;
    this.#isPlayed = isPlayed;
    this.#nameOf = nameOf;
  }

  async look(): Promise<void> {
    const all = await readStates(this.#database, DEAD_AFTER_MS);
    const states = all.filter(({ provider }) => !this.#isPlayed(provider));
    const troubled = new Set((await listTroubles(this.#database, [kind])).map(({ provider }) => provider));
    const names = new Set(states.map(({ provider }) => provider));
    for (const name of names) {
      await this.#judge(
        name,
        states.filter(({ provider }) => provider === name),
        troubled.has(name),
      );
    }
    // The provider is no longer used.
    if (names.size === 0) return;
    for (const name of troubled)
      if (!names.has(name)) await endTrouble(this.#database, { provider: name, kind });
  }

  async #judge(name: string, states: readonly LiveState[], isTroubled: boolean): Promise<void> {
    const summary = summarize(states);
    if (summary === undefined) return;
    const verdict = checkProvider(this.#nameOf(name), summary);
    if (verdict.kind !== 'unwell' || verdict.trouble !== 'failing') this.#failingSince.delete(name);
    if (verdict.kind === 'well' && isTroubled) await endTrouble(this.#database, { provider: name, kind });
    if (verdict.kind !== 'unwell' || isTroubled) return;
    if (verdict.trouble === 'failing' && !this.#hasFailedForLong(name)) return;
    await beginTrouble(this.#database, { provider: name, kind, message: verdict.message });
  }

  #hasFailedForLong(name: string): boolean {
    const nowMs = this.#clock.elapsedMs();
    const since = this.#failingSince.get(name) ?? nowMs;
    this.#failingSince.set(name, since);
    return nowMs - since >= FAILING_MS;
  }
}

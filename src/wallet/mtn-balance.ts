/**
 * The balances of a merchant's vending lines at MTN, queried from a provider.
 *
 * Guarantees: balances of the last few seconds are returned without a query; concurrent callers in
 * a process share one query; if it fails, the last balances are returned for a quarter of an hour,
 * and no older ones.
 */

import type { Clock } from '../core/clock.ts';
import type { Environment } from '../core/environment.ts';
import { GatewayError } from '../core/errors.ts';
import { answerSoon } from '../db/answer-soon.ts';
import type { Database } from '../db/database.ts';
import type { Provider } from '../providers/provider.ts';
import { type LineOwner, listMtnLines, type MtnLineRow, updateMtnBalances } from './mtn-line-store.ts';

const FRESH_MS = 5_000;
const STALE_MS = 900_000;
const DEADLINE_MS = 15_000;

/** `balance` in kobo; a line the provider does not know is left out. */
type MtnLine = { readonly phone: string; readonly clientName: string; readonly balance: bigint };

export type MtnBalances = {
  /**
   * Empty if the merchant has no lines, or no provider reports balances. Throws GatewayError
   * `mtn_balances_unknown` if a provider does and has not answered.
   */
  find(owner: LineOwner): Promise<readonly MtnLine[]>;
};

export function createMtnBalances(options: {
  readonly database: Database;
  /** The provider that knows the lines of an environment, if there is one. */
  readonly providers: Pick<ReadonlyMap<Environment, Pick<Provider, 'mtnBalances'>>, 'get'>;
  readonly clock: Clock;
  readonly freshMs?: number;
  readonly staleMs?: number;
}): MtnBalances {
  const { database, providers, clock, freshMs = FRESH_MS, staleMs = STALE_MS } = options;
  const refreshes = new Map<string, Promise<void>>();

  const refresh = async (owner: LineOwner): Promise<void> => {
    // This caller may have read the balances before another one renewed them.
    const known = await listMtnLines(database, owner);
    if (youngerThan(known, freshMs)) return;
    const phones = known.map((line) => line.phone);
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const told = await providers.get(owner.environment)?.mtnBalances?.(phones, { signal });
    if (told !== undefined) await updateMtnBalances(database, owner, phones, told);
  };

  const refreshOnce = (owner: LineOwner): Promise<void> => {
    const key = `${owner.merchantId}/${owner.environment}`;
    const present = refreshes.get(key);
    if (present !== undefined) return present;
    const started = refresh(owner).finally(() => refreshes.delete(key));
    refreshes.set(key, started);
    return started;
  };

  const youngerThan = (lines: readonly MtnLineRow[], ageMs: number): boolean => {
    const since = clock.now().getTime() - ageMs;
    return lines.every((line) => line.balance_at !== null && line.balance_at.getTime() >= since);
  };

  return {
    find: async (owner) => {
      if (providers.get(owner.environment)?.mtnBalances === undefined) return [];
      const known = await answerSoon(listMtnLines(database, owner));
      if (youngerThan(known, freshMs)) return known.flatMap(toLine);
      await refreshOnce(owner);
      const lines = await answerSoon(listMtnLines(database, owner));
      if (!youngerThan(lines, staleMs)) {
        throw new GatewayError({ code: 'mtn_balances_unknown' });
      }
      return lines.flatMap(toLine);
    },
  };
}

function toLine({ phone, client_name: clientName, balance }: MtnLineRow): MtnLine[] {
  return balance === null ? [] : [{ phone, clientName, balance }];
}

/**
 * Our money at each provider, as reported by the provider. A background job reads it, and the
 * metrics and the health of providers show it. The books do not use it. It may decide orders that a
 * provider cannot be queried about (src/purchases/evidence/).
 */
import type { Clock } from '../core/clock.ts';
import type { Money } from '../core/money.ts';
import type { Provider } from '../providers/provider.ts';
import type { NewReading } from '../purchases/evidence/reading-store.ts';
import type { FloatReading } from '../purchases/health/report-health.ts';

type Float = Money & { readonly provider: string };

export type ProviderFloats = {
  /** Reads all floats in parallel: a slow provider delays only its own. */
  read(): Promise<void>;
  /** The floats of the last read, without those that can no longer be read. */
  all(): readonly Float[];
  /** The time of the last read of each, by `Clock.elapsedMs`. */
  readAt(): readonly { readonly provider: string; readonly atMs: number }[];
  /** Undefined if it was never read, or tried. */
  of(provider: string): FloatReading | undefined;
};

/** The timeout of a provider, in milliseconds. */
const READ_MS = 20_000;
const FORGET_MS = 120_000;

type Read = Pick<Provider, 'balance' | 'balanceProves' | 'account'>;

/** `store` keeps the balances of providers whose orders it may decide. */
export function createProviderFloats(
  providers: ReadonlyMap<string, Read>,
  clock: Pick<Clock, 'elapsedMs'>,
  store: (reading: NewReading) => Promise<void>,
): ProviderFloats {
  const readings = new Map<string, FloatReading>();
  const readOne = async (name: string, provider: Read): Promise<void> => {
    const before = readings.get(name);
    const { account } = provider;
    const askedAtMs = clock.elapsedMs();
    const money = await provider.balance({ signal: AbortSignal.timeout(READ_MS) });
    const nowMs = clock.elapsedMs();
    if (money !== undefined) {
      readings.set(name, { money, readAtMs: nowMs, failingSinceMs: undefined });
    } else if (before !== undefined) {
      // A provider that never reported its float may not support it.
      readings.set(name, { ...before, failingSinceMs: before.failingSinceMs ?? nowMs });
    }
    if (provider.balanceProves !== undefined && money?.currency === 'NGN' && account === provider.account) {
      await store({ provider: name, account, amount: money.amount, tookMs: nowMs - askedAtMs });
    }
  };
  return {
    async read() {
      await Promise.all([...providers].map(([name, provider]) => readOne(name, provider)));
    },
    all: () =>
      [...readings].flatMap(([provider, { money, failingSinceMs }]) => {
        if (money === undefined || !providers.has(provider)) return [];
        // An account that fails once is read again soon. A value older than two minutes is no
        // longer shown.
        const isOld = failingSinceMs !== undefined && clock.elapsedMs() - failingSinceMs >= FORGET_MS;
        return isOld ? [] : [{ provider, ...money }];
      }),
    readAt: () =>
      [...readings].flatMap(([provider, { readAtMs }]) =>
        readAtMs === undefined || !providers.has(provider) ? [] : [{ provider, atMs: readAtMs }],
      ),
    of: (provider) => readings.get(provider),
  };
}

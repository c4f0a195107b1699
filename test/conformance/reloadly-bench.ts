/** The Reloadly connector wired to a simulator in this process. */

import type { Provider, ProviderOrder } from '../../src/providers/provider.ts';
import { reloadly } from '../../src/providers/reloadly/index.ts';
import type { ReloadlySettings } from '../../src/providers/reloadly/settings.ts';
import { giftCard, orderOf } from './products.ts';
import type { ProviderBench } from './provider-suite.ts';
import { openSimulatorBench, type SimulatorBench } from './simulator-bench.ts';

export const ACCOUNT = {
  clientId: 'simulator-client-id',
  clientSecret: 'simulator-reloadly-secret-0123456789abcdefghij',
} as const;

const DEADLINE_MS = 3_000;

export type ReloadlyBench = Omit<ProviderBench, keyof SimulatorBench | 'provider'> &
  SimulatorBench & { readonly provider: Provider };

export async function openReloadlyBench(
  settings: Partial<ReloadlySettings> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<ReloadlyBench> {
  const simulator = await openSimulatorBench(giftCard, env);
  const url = `${simulator.url}/reloadly`;
  const provider = await reloadly.configure({ ...unreachable(), baseUrl: url, ...settings }).open();
  return {
    ...simulator,
    provider,
    secrets: [ACCOUNT.clientSecret],
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

export function unreachable(): ReloadlySettings {
  return {
    // Port 1 of the loopback: nothing listens there.
    baseUrl: 'http://127.0.0.1:1/reloadly',
    ...ACCOUNT,
    businessName: 'Oja',
    connectionsMax: 4,
    deadlineMs: DEADLINE_MS,
    // Longer than the pause after a 429.
    waitMs: 10 * DEADLINE_MS,
    notFoundGraceMs: 1_000,
    // These tests make failures on purpose. The breaker has its own tests.
    breaker: { window: 1_000, probeAfterMs: 100 },
  };
}

/** An order of a card without faults, or of the given one. */
export function cardOrder(provider: Provider, productId = '9990000'): ProviderOrder {
  return orderOf(provider, giftCard, productId);
}

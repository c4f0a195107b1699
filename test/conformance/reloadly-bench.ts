/** The Reloadly connector wired to a simulator in this process. */

import type { Provider, ProviderOrder } from '../../src/providers/provider.ts';
import { reloadly } from '../../src/providers/reloadly/index.ts';
import type { ReloadlySettings } from '../../src/providers/reloadly/settings.ts';
import { giftCard, orderOf } from './products.ts';
import { benchLimits, type ConnectorBench, openSimulatorBench, wire } from './simulator-bench.ts';

export const ACCOUNT = {
  clientId: 'simulator-client-id',
  clientSecret: 'simulator-reloadly-secret-0123456789abcdefghij',
} as const;

export async function openReloadlyBench(
  settings: Partial<ReloadlySettings> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<ConnectorBench> {
  const simulator = await openSimulatorBench(giftCard, env);
  const url = `${simulator.url}/reloadly`;
  const provider = await reloadly.configure({ ...unreachable(), baseUrl: url, ...settings }).open();
  return wire(simulator, provider, {
    secrets: [ACCOUNT.clientSecret],
  });
}

export function unreachable(): ReloadlySettings {
  return {
    // Port 1 of the loopback: nothing listens there.
    baseUrl: 'http://127.0.0.1:1/reloadly',
    ...ACCOUNT,
    businessName: 'Oja',
    ...benchLimits,
    notFoundGraceMs: 1_000,
  };
}

/** An order of a card without faults, or of the given one. */
export function cardOrder(provider: Provider, productId = '9990000'): ProviderOrder {
  return orderOf(provider, giftCard, productId);
}

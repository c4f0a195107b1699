/** The Nomba connector wired to a simulator in this process. */

import { nomba } from '../../src/providers/nomba/index.ts';
import type { NombaSettings } from '../../src/providers/nomba/settings.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { airtime, type ProductCase } from './products.ts';
import type { ProviderBench } from './provider-suite.ts';
import { openSimulatorBench, type SimulatorBench } from './simulator-bench.ts';

export const ACCOUNT = {
  accountId: '00000000-0000-4000-8000-00000000a001',
  clientId: '00000000-0000-4000-8000-00000000c001',
  clientSecret: 'simulator-client-secret-0123456789abcdefghij',
} as const;

const DEADLINE_MS = 3_000;

export type NombaBench = Omit<ProviderBench, keyof SimulatorBench | 'provider'> &
  SimulatorBench & { readonly provider: Provider };

export async function openNombaBench(
  settings: Partial<NombaSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = airtime,
): Promise<NombaBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await nomba
    .configure({
      baseUrl: `${simulator.url}/nomba`,
      ...ACCOUNT,
      businessName: 'Oja',
      perSecond: 0,
      connectionsMax: 4,
      deadlineMs: DEADLINE_MS,
      // Longer than the pause after a 429.
      waitMs: 10 * DEADLINE_MS,
      notFoundGraceMs: 1_000,
      // These tests make failures on purpose. The breaker has its own tests.
      breaker: { window: 1_000, probeAfterMs: 100 },
      ...settings,
    })
    .open();
  return {
    ...simulator,
    provider,
    acceptsFirst: product.wanted.product === 'airtime' || product.wanted.product === 'data',
    tellsGoodsOnce: true,
    secrets: [ACCOUNT.clientSecret],
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

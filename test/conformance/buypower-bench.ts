/** The BuyPower connector wired to a simulator in this process. */
import { buypower } from '../../src/providers/buypower/index.ts';
import type { BuypowerSettings } from '../../src/providers/buypower/settings.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { type ProductCase, prepaid } from './products.ts';
import type { ProviderBench } from './provider-suite.ts';
import { openSimulatorBench, type SimulatorBench } from './simulator-bench.ts';

const TOKEN = 'simulator-buypower-token';

const DEADLINE_MS = 3_000;

export type BuypowerBench = Omit<ProviderBench, keyof SimulatorBench | 'provider'> &
  SimulatorBench & { readonly provider: Provider };

export async function openBuypowerBench(
  settings: Partial<BuypowerSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = prepaid,
): Promise<BuypowerBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await buypower
    .configure({
      baseUrl: `${simulator.url}/buypower/v2`,
      token: TOKEN,
      contactEmail: 'bills@example.com',
      contactPhone: '08030000000',
      businessName: 'Oja',
      queryPath: 'vend',
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
    tellsNoCost: true,
    secrets: [TOKEN],
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

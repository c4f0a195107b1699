/** The EasyAccess connector wired to a simulator in this process. */

import { easyAccess } from '../../src/providers/easyaccess/index.ts';
import type { EasyAccessSettings } from '../../src/providers/easyaccess/settings.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { data, type ProductCase } from './products.ts';
import type { ProviderBench } from './provider-suite.ts';
import { openSimulatorBench, type SimulatorBench } from './simulator-bench.ts';

const TOKEN = 'simulator-easyaccess-token';

export type EasyAccessBench = Omit<ProviderBench, keyof SimulatorBench | 'provider'> &
  SimulatorBench & { readonly provider: Provider };

export async function openEasyAccessBench(
  product: ProductCase = data,
  settings: Partial<EasyAccessSettings> = {},
): Promise<EasyAccessBench> {
  const simulator = await openSimulatorBench(product);
  const provider = await easyAccess
    .configure({
      baseUrl: `${simulator.url}/easyaccess/api`,
      token: TOKEN,
      connectionsMax: 4,
      deadlineMs: 3_000,
      // A busy machine sends later. That is no answer of the provider.
      waitMs: 30_000,
      notFoundGraceMs: 1_000,
      // These tests make failures on purpose. The breaker has its own tests.
      breaker: { window: 1_000, probeAfterMs: 100 },
      ...settings,
    })
    .open();
  const isAirtime = product.wanted.product === 'airtime';
  return {
    ...simulator,
    provider,
    ...(isAirtime ? { cannotQuery: true, tellsNoCost: true } : { findsByOwnIdOnly: true }),
    secrets: [TOKEN],
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

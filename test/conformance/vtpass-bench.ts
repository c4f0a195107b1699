/** The VTpass connector wired to a simulator in this process. */

import type { Provider } from '../../src/providers/provider.ts';
import { vtpass } from '../../src/providers/vtpass/index.ts';
import type { VtpassSettings } from '../../src/providers/vtpass/settings.ts';
import { airtime, type ProductCase } from './products.ts';
import type { ProviderBench } from './provider-suite.ts';
import { openSimulatorBench, type SimulatorBench } from './simulator-bench.ts';

export const KEYS = {
  apiKey: 'simulator-api-key',
  publicKey: 'PK_simulator',
  secretKey: 'SK_simulator',
} as const;

const DEADLINE_MS = 3_000;

export type VtpassBench = Omit<ProviderBench, keyof SimulatorBench | 'provider'> &
  SimulatorBench & { readonly provider: Provider };

export async function openVtpassBench(
  settings: Partial<VtpassSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = airtime,
): Promise<VtpassBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await vtpass
    .configure({
      baseUrl: `${simulator.url}/vtpass/api`,
      ...KEYS,
      connectionsMax: 4,
      deadlineMs: DEADLINE_MS,
      // A busy machine sends later. That is no answer of the provider.
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
    secrets: Object.values(KEYS),
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

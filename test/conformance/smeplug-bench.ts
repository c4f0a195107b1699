/** The SMEPlug connector wired to a simulator in this process. */
import type { Provider } from '../../src/providers/provider.ts';
import { smeplug } from '../../src/providers/smeplug/index.ts';
import type { SmeplugSettings } from '../../src/providers/smeplug/settings.ts';
import { airtime, type ProductCase } from './products.ts';
import type { ProviderBench } from './provider-suite.ts';
import { openSimulatorBench, type SimulatorBench } from './simulator-bench.ts';

export const KEY = 'simulator-smeplug-key';

const DEADLINE_MS = 3_000;

export type SmeplugBench = Omit<ProviderBench, keyof SimulatorBench | 'provider'> &
  SimulatorBench & { readonly provider: Provider };

export async function openSmeplugBench(
  settings: Partial<SmeplugSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = airtime,
): Promise<SmeplugBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await smeplug
    .configure({
      baseUrl: `${simulator.url}/smeplug`,
      secretKey: KEY,
      connectionsMax: 4,
      deadlineMs: DEADLINE_MS,
      // A busy machine sends later. That is no answer of the provider.
      waitMs: 10 * DEADLINE_MS,
      notFoundGraceMs: 0,
      // These tests make failures on purpose. The breaker has its own tests.
      breaker: { window: 1_000, probeAfterMs: 100 },
      ...settings,
    })
    .open();
  return {
    ...simulator,
    provider,
    tellsNoCost: true,
    secrets: [KEY],
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

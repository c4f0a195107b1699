/** The connector to Flutterwave's bills wired to a simulator in this process. */
import { flutterwaveBills } from '../../src/providers/flutterwave-bills/index.ts';
import type { FlutterwaveBillsSettings } from '../../src/providers/flutterwave-bills/settings.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { airtime, type ProductCase, postpaid } from './products.ts';
import type { ProviderBench } from './provider-suite.ts';
import { openSimulatorBench, type SimulatorBench } from './simulator-bench.ts';

const SECRET_KEY = 'FLWSECK_TEST-simulator';

const DEADLINE_MS = 3_000;

export type FlutterwaveBillsBench = Omit<ProviderBench, keyof SimulatorBench | 'provider'> &
  SimulatorBench & { readonly provider: Provider };

export async function openFlutterwaveBillsBench(
  settings: Partial<FlutterwaveBillsSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = airtime,
): Promise<FlutterwaveBillsBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await flutterwaveBills
    .configure({
      baseUrl: `${simulator.url}/flutterwave-bills/v3`,
      secretKey: SECRET_KEY,
      secretHash: 'simulator-secret-hash',
      airtime: new Map([['MTN', { billerCode: 'BIL099', itemCode: 'AT099' }]]),
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
    // A bill of electricity without a token counts only by its status.
    acceptsFirst: product === postpaid,
    tellsNoUnits: true,
    tellsNoCost: true,
    secrets: [SECRET_KEY, 'simulator-secret-hash'],
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

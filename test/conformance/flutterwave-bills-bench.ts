/** The connector to Flutterwave's bills wired to a simulator in this process. */
import { flutterwaveBills } from '../../src/providers/flutterwave-bills/index.ts';
import type { FlutterwaveBillsSettings } from '../../src/providers/flutterwave-bills/settings.ts';
import { airtime, type ProductCase, postpaid } from './products.ts';
import { benchLimits, type ConnectorBench, openSimulatorBench, wire } from './simulator-bench.ts';

const SECRET_KEY = 'FLWSECK_TEST-simulator';

export async function openFlutterwaveBillsBench(
  settings: Partial<FlutterwaveBillsSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = airtime,
): Promise<ConnectorBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await flutterwaveBills
    .configure({
      baseUrl: `${simulator.url}/flutterwave-bills/v3`,
      secretKey: SECRET_KEY,
      secretHash: 'simulator-secret-hash',
      airtime: new Map([['MTN', { billerCode: 'BIL099', itemCode: 'AT099' }]]),
      ...benchLimits,
      notFoundGraceMs: 1_000,
      ...settings,
    })
    .open();
  return wire(simulator, provider, {
    // A bill of electricity without a token counts only by its status.
    acceptsFirst: product === postpaid,
    tellsNoUnits: true,
    tellsNoCost: true,
    secrets: [SECRET_KEY, 'simulator-secret-hash'],
  });
}

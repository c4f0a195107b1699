/** The BuyPower connector wired to a simulator in this process. */
import { buypower } from '../../src/providers/buypower/index.ts';
import type { BuypowerSettings } from '../../src/providers/buypower/settings.ts';
import { type ProductCase, prepaid } from './products.ts';
import { benchLimits, type ConnectorBench, openSimulatorBench, wire } from './simulator-bench.ts';

const TOKEN = 'simulator-buypower-token';

export async function openBuypowerBench(
  settings: Partial<BuypowerSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = prepaid,
): Promise<ConnectorBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await buypower
    .configure({
      baseUrl: `${simulator.url}/buypower/v2`,
      token: TOKEN,
      contactEmail: 'bills@example.com',
      contactPhone: '08030000000',
      businessName: 'Oja',
      queryPath: 'vend',
      ...benchLimits,
      notFoundGraceMs: 1_000,
      ...settings,
    })
    .open();
  return wire(simulator, provider, {
    tellsNoCost: true,
    secrets: [TOKEN],
  });
}

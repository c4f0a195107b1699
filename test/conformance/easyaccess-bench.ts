/** The EasyAccess connector wired to a simulator in this process. */

import { easyAccess } from '../../src/providers/easyaccess/index.ts';
import type { EasyAccessSettings } from '../../src/providers/easyaccess/settings.ts';
import { data, type ProductCase } from './products.ts';
import { benchLimits, type ConnectorBench, openSimulatorBench, wire } from './simulator-bench.ts';

const TOKEN = 'simulator-easyaccess-token';

export async function openEasyAccessBench(
  product: ProductCase = data,
  settings: Partial<EasyAccessSettings> = {},
): Promise<ConnectorBench> {
  const simulator = await openSimulatorBench(product);
  const provider = await easyAccess
    .configure({
      baseUrl: `${simulator.url}/easyaccess/api`,
      token: TOKEN,
      ...benchLimits,
      notFoundGraceMs: 1_000,
      ...settings,
    })
    .open();
  const isAirtime = product.wanted.product === 'airtime';
  return wire(simulator, provider, {
    ...(isAirtime ? { cannotQuery: true, tellsNoCost: true } : { findsByOwnIdOnly: true }),
    secrets: [TOKEN],
  });
}

/** The SMEPlug connector wired to a simulator in this process. */
import { smeplug } from '../../src/providers/smeplug/index.ts';
import type { SmeplugSettings } from '../../src/providers/smeplug/settings.ts';
import { airtime, type ProductCase } from './products.ts';
import { benchLimits, type ConnectorBench, openSimulatorBench, wire } from './simulator-bench.ts';

export const KEY = 'simulator-smeplug-key';

export async function openSmeplugBench(
  settings: Partial<SmeplugSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = airtime,
): Promise<ConnectorBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await smeplug
    .configure({
      baseUrl: `${simulator.url}/smeplug`,
      secretKey: KEY,
      ...benchLimits,
      notFoundGraceMs: 0,
      ...settings,
    })
    .open();
  return wire(simulator, provider, {
    tellsNoCost: true,
    secrets: [KEY],
  });
}

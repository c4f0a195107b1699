/** The VTpass connector wired to a simulator in this process. */

import { vtpass } from '../../src/providers/vtpass/index.ts';
import type { VtpassSettings } from '../../src/providers/vtpass/settings.ts';
import { airtime, type ProductCase } from './products.ts';
import { benchLimits, type ConnectorBench, openSimulatorBench, wire } from './simulator-bench.ts';

export const KEYS = {
  apiKey: 'simulator-api-key',
  publicKey: 'PK_simulator',
  secretKey: 'SK_simulator',
} as const;

export async function openVtpassBench(
  settings: Partial<VtpassSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = airtime,
): Promise<ConnectorBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await vtpass
    .configure({
      baseUrl: `${simulator.url}/vtpass/api`,
      ...KEYS,
      ...benchLimits,
      notFoundGraceMs: 1_000,
      ...settings,
    })
    .open();
  return wire(simulator, provider, {
    secrets: Object.values(KEYS),
  });
}

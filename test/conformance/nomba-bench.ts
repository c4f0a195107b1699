/** The Nomba connector wired to a simulator in this process. */

import { nomba } from '../../src/providers/nomba/index.ts';
import type { NombaSettings } from '../../src/providers/nomba/settings.ts';
import { airtime, type ProductCase } from './products.ts';
import { benchLimits, type ConnectorBench, openSimulatorBench, wire } from './simulator-bench.ts';

export const ACCOUNT = {
  accountId: '00000000-0000-4000-8000-00000000a001',
  clientId: '00000000-0000-4000-8000-00000000c001',
  clientSecret: 'simulator-client-secret-0123456789abcdefghij',
} as const;

export async function openNombaBench(
  settings: Partial<NombaSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = airtime,
): Promise<ConnectorBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await nomba
    .configure({
      baseUrl: `${simulator.url}/nomba`,
      ...ACCOUNT,
      businessName: 'Oja',
      perSecond: 0,
      ...benchLimits,
      notFoundGraceMs: 1_000,
      ...settings,
    })
    .open();
  return wire(simulator, provider, {
    acceptsFirst: product.wanted.product === 'airtime' || product.wanted.product === 'data',
    tellsGoodsOnce: true,
    secrets: [ACCOUNT.clientSecret],
  });
}

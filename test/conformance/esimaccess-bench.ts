/**
 * The eSIM Access connector with a simulator in this process that allocates profiles at once by
 * default.
 */

import { esimAccess } from '../../src/providers/esimaccess/index.ts';
import type { EsimAccessSettings } from '../../src/providers/esimaccess/settings.ts';
import type { Provider, ProviderOrder } from '../../src/providers/provider.ts';
import { eSim, orderOf } from './products.ts';
import { benchLimits, type ConnectorBench, openSimulatorBench, wire } from './simulator-bench.ts';

export const ACCOUNT = {
  accessCode: 'simulator-access-code',
  secretKey: 'simulator-esimaccess-secret-0123456789abcdefghij',
} as const;

export async function openEsimAccessBench(
  settings: Partial<EsimAccessSettings> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<ConnectorBench> {
  const simulator = await openSimulatorBench(eSim, { OJA_SIMULATOR_ALLOCATE_MS: '0', ...env });
  const provider = await esimAccess
    .configure({
      ...unreachable(),
      baseUrl: `${simulator.url}/esimaccess`,
      ...settings,
    })
    .open();
  return wire(simulator, provider, {
    acceptsFirst: true,
    tellsNoCost: true,
    secrets: [ACCOUNT.secretKey],
  });
}

export function unreachable(): EsimAccessSettings {
  return {
    // Port 1 of the loopback: nothing listens there.
    baseUrl: 'http://127.0.0.1:1/esimaccess',
    ...ACCOUNT,
    perSecond: 0,
    ...benchLimits,
    notFoundGraceMs: 1_000,
  };
}

/** An order of a package without faults, or of the given one. */
export function eSimOrder(provider: Provider, slug = 'XX_90000'): ProviderOrder {
  return orderOf(provider, eSim, slug);
}

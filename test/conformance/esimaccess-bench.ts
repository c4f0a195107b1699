/**
 * The eSIM Access connector with a simulator in this process that allocates profiles at once by
 * default.
 */

import { esimAccess } from '../../src/providers/esimaccess/index.ts';
import type { EsimAccessSettings } from '../../src/providers/esimaccess/settings.ts';
import type { Provider, ProviderOrder } from '../../src/providers/provider.ts';
import { eSim, orderOf } from './products.ts';
import type { ProviderBench } from './provider-suite.ts';
import { openSimulatorBench, type SimulatorBench } from './simulator-bench.ts';

export const ACCOUNT = {
  accessCode: 'simulator-access-code',
  secretKey: 'simulator-esimaccess-secret-0123456789abcdefghij',
} as const;

export type EsimAccessBench = Omit<ProviderBench, keyof SimulatorBench | 'provider'> &
  SimulatorBench & { readonly provider: Provider };

export async function openEsimAccessBench(
  settings: Partial<EsimAccessSettings> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<EsimAccessBench> {
  const simulator = await openSimulatorBench(eSim, { OJA_SIMULATOR_ALLOCATE_MS: '0', ...env });
  const provider = await esimAccess
    .configure({
      ...unreachable(),
      baseUrl: `${simulator.url}/esimaccess`,
      ...settings,
    })
    .open();
  return {
    ...simulator,
    provider,
    acceptsFirst: true,
    tellsNoCost: true,
    secrets: [ACCOUNT.secretKey],
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

export function unreachable(): EsimAccessSettings {
  return {
    // Port 1 of the loopback: nothing listens there.
    baseUrl: 'http://127.0.0.1:1/esimaccess',
    ...ACCOUNT,
    perSecond: 0,
    connectionsMax: 4,
    deadlineMs: 3_000,
    // A busy machine sends later. That is no answer of the provider.
    waitMs: 30_000,
    notFoundGraceMs: 1_000,
    // These tests make failures on purpose. The breaker has its own tests.
    breaker: { window: 1_000, probeAfterMs: 100 },
  };
}

/** An order of a package without faults, or of the given one. */
export function eSimOrder(provider: Provider, slug = 'XX_90000'): ProviderOrder {
  return orderOf(provider, eSim, slug);
}

/** The VTU.ng connector wired to a simulator in this process. */

import type { SharedTokens } from '../../src/providers/http/shared-tokens.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { vtung } from '../../src/providers/vtung/index.ts';
import type { VtungSettings } from '../../src/providers/vtung/settings.ts';
import { airtime, type ProductCase } from './products.ts';
import type { ProviderBench } from './provider-suite.ts';
import { openSimulatorBench, type SimulatorBench } from './simulator-bench.ts';

const ACCOUNT = {
  username: 'simulator',
  password: 'simulator-vtung-password',
  pin: '12345',
} as const;

const DEADLINE_MS = 3_000;

/** The settings of a connector to the simulator at `url`. */
export function settingsAt(url: string): VtungSettings {
  return {
    baseUrl: `${url}/vtung`,
    ...ACCOUNT,
    connectionsMax: 4,
    deadlineMs: DEADLINE_MS,
    // Longer than the pause after a 429.
    waitMs: 10 * DEADLINE_MS,
    notFoundGraceMs: 1_000,
    refusalGraceMs: 30_000,
    // These tests make failures on purpose. The breaker has its own tests.
    breaker: { window: 1_000, probeAfterMs: 100 },
  };
}

export type VtungBench = Omit<ProviderBench, keyof SimulatorBench | 'provider'> &
  SimulatorBench & {
    readonly provider: Provider;
    /** Another process with the same account. */
    openOther(tokens?: SharedTokens): Promise<Provider>;
  };

export async function openVtungBench(
  product: ProductCase = airtime,
  env: Readonly<Record<string, string>> = {},
  tokens?: SharedTokens,
): Promise<VtungBench> {
  const simulator = await openSimulatorBench(product, env);
  const settings = settingsAt(simulator.url);
  const provider = await vtung.configure(settings).open(tokens);
  return {
    ...simulator,
    provider,
    openOther: (shared) => vtung.configure(settings).open(shared),
    secrets: [ACCOUNT.password, ACCOUNT.pin],
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

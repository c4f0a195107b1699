/** The VTU.ng connector wired to a simulator in this process. */

import type { SharedTokens } from '../../src/providers/http/shared-tokens.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { vtung } from '../../src/providers/vtung/index.ts';
import type { VtungSettings } from '../../src/providers/vtung/settings.ts';
import { airtime, type ProductCase } from './products.ts';
import { benchLimits, type ConnectorBench, openSimulatorBench, wire } from './simulator-bench.ts';

const ACCOUNT = {
  username: 'simulator',
  password: 'simulator-vtung-password',
  pin: '12345',
} as const;

/** The settings of a connector to the simulator at `url`. */
export function settingsAt(url: string): VtungSettings {
  return {
    baseUrl: `${url}/vtung`,
    ...ACCOUNT,
    ...benchLimits,
    notFoundGraceMs: 1_000,
    refusalGraceMs: 30_000,
  };
}

export type VtungBench = ConnectorBench & {
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
  return wire(simulator, provider, {
    openOther: (shared?: SharedTokens) => vtung.configure(settings).open(shared),
    secrets: [ACCOUNT.password, ACCOUNT.pin],
  });
}

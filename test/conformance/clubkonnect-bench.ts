/** The ClubKonnect connector wired to a simulator in this process. */
import { clubkonnect } from '../../src/providers/clubkonnect/index.ts';
import type { ClubkonnectSettings } from '../../src/providers/clubkonnect/settings.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { airtime, type ProductCase } from './products.ts';
import type { ProviderBench } from './provider-suite.ts';
import { openSimulatorBench, type SimulatorBench } from './simulator-bench.ts';

export const ACCOUNT = { userId: 'CK0000001', apiKey: 'simulator-clubkonnect-key' } as const;

const DEADLINE_MS = 3_000;

/** The products whose purchases are final at once. */
const FINAL_AT_ONCE: ReadonlySet<string> = new Set(['ELECTRICITY', 'EDUCATION']);

export type ClubkonnectBench = Omit<ProviderBench, keyof SimulatorBench | 'provider'> &
  SimulatorBench & { readonly provider: Provider };

export async function openClubkonnectBench(
  settings: Partial<ClubkonnectSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = airtime,
): Promise<ClubkonnectBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await clubkonnect
    .configure({
      baseUrl: `${simulator.url}/clubkonnect`,
      ...ACCOUNT,
      connectionsMax: 4,
      deadlineMs: DEADLINE_MS,
      // A busy machine sends later. That is no answer of the provider.
      waitMs: 10 * DEADLINE_MS,
      notFoundGraceMs: 0,
      // These tests cause failures on purpose. The breaker has its own tests.
      breaker: { window: 1_000, probeAfterMs: 100 },
      ...settings,
    })
    .open();
  return {
    ...simulator,
    provider,
    acceptsFirst: !FINAL_AT_ONCE.has(product.wanted.product),
    tellsCostWhenQueried: true,
    tellsNoUnits: true,
    secrets: Object.values(ACCOUNT),
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

/** The ClubKonnect connector wired to a simulator in this process. */
import { clubkonnect } from '../../src/providers/clubkonnect/index.ts';
import type { ClubkonnectSettings } from '../../src/providers/clubkonnect/settings.ts';
import { airtime, type ProductCase } from './products.ts';
import { benchLimits, type ConnectorBench, openSimulatorBench, wire } from './simulator-bench.ts';

export const ACCOUNT = { userId: 'CK0000001', apiKey: 'simulator-clubkonnect-key' } as const;

/** The products whose purchases are final at once. */
const FINAL_AT_ONCE: ReadonlySet<string> = new Set(['ELECTRICITY', 'EDUCATION']);

export async function openClubkonnectBench(
  settings: Partial<ClubkonnectSettings> = {},
  env: Readonly<Record<string, string>> = {},
  product: ProductCase = airtime,
): Promise<ConnectorBench> {
  const simulator = await openSimulatorBench(product, env);
  const provider = await clubkonnect
    .configure({
      baseUrl: `${simulator.url}/clubkonnect`,
      ...ACCOUNT,
      ...benchLimits,
      notFoundGraceMs: 0,
      ...settings,
    })
    .open();
  return wire(simulator, provider, {
    acceptsFirst: !FINAL_AT_ONCE.has(product.wanted.product),
    tellsCostWhenQueried: true,
    tellsNoUnits: true,
    secrets: Object.values(ACCOUNT),
  });
}

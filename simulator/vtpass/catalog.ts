/**
 * What the simulated VTpass sells: airtime of the four networks, and the data plans of the demo catalog under their
 * VTpass codes and at the same prices.
 */
import { readdir, readFile } from 'node:fs/promises';
import { parseNaira } from '../naira.ts';

export type Service = {
  readonly serviceId: string;
  readonly name: string;
  readonly product: 'airtime' | 'data';
  readonly type: string;
  /** By variation code; empty for airtime. */
  readonly variations: ReadonlyMap<string, Variation>;
};

export type Variation = { readonly code: string; readonly name: string; readonly price: bigint };

export type Catalog = ReadonlyMap<string, Service>;

const AIRTIME = [
  ['mtn', 'MTN Airtime VTU'],
  ['glo', 'GLO Airtime VTU'],
  ['airtel', 'Airtel Airtime VTU'],
  ['etisalat', '9mobile Airtime VTU'],
] as const;

const DATA = [
  ['mtn-data', 'MTN Data'],
  ['glo-data', 'GLO Data'],
  ['glo-sme-data', 'GLO Data (SME)'],
  ['airtel-data', 'Airtel Data'],
  ['etisalat-data', '9mobile Data'],
  ['9mobile-sme-data', '9mobile Data (SME)'],
] as const;

/** Smallest and largest airtime purchase, in kobo. */
export const AIRTIME_MIN = 5_00n;
export const AIRTIME_MAX = 1_000_000_00n;

const PLANS_FOLDER = new URL('../../catalog/demo/data-plans/', import.meta.url);

export async function loadCatalog(): Promise<Catalog> {
  const variations = await readVariations();
  const airtime = AIRTIME.map(([serviceId, name]): Service => {
    return { serviceId, name, product: 'airtime', type: 'Airtime Recharge', variations: new Map() };
  });
  const data = DATA.map(([serviceId, name]): Service => {
    const own = variations.get(serviceId) ?? new Map<string, Variation>();
    return { serviceId, name, product: 'data', type: 'Data Services', variations: own };
  });
  return new Map([...airtime, ...data].map((service) => [service.serviceId, service]));
}

/** The part of a demo plan that concerns VTpass. */
type DemoPlan = {
  readonly name: string;
  readonly price: string;
  readonly provider_codes: {
    readonly vtpass?: { readonly service_id: string; readonly variation_code: string };
  };
};

async function readVariations(): Promise<Map<string, Map<string, Variation>>> {
  const services = new Map<string, Map<string, Variation>>();
  for (const file of await readdir(PLANS_FOLDER)) {
    const plans = JSON.parse(await readFile(new URL(file, PLANS_FOLDER), 'utf8')) as readonly DemoPlan[];
    for (const { name, price, provider_codes } of plans) {
      const codes = provider_codes.vtpass;
      if (codes === undefined) continue;
      const service = services.get(codes.service_id) ?? new Map<string, Variation>();
      const code = codes.variation_code;
      service.set(code, { code, name, price: parseNaira(price) ?? 0n });
      services.set(codes.service_id, service);
    }
  }
  return services;
}

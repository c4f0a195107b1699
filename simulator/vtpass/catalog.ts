/**
 * The catalog of the simulated VTpass: airtime of the four networks, the bill products of
 * `bills.ts`, and the plans of the demo catalog under their VTpass codes and at the same prices.
 */
import { readDemoPlans } from '../catalog.ts';
import type { SimulatedBill } from './bill.ts';
import { bills } from './bills.ts';

export type Service = {
  readonly serviceId: string;
  readonly name: string;
  readonly product: string;
  /** Absent for airtime and data. */
  readonly bill?: SimulatedBill;
  /** Its category at VTpass. */
  readonly category: string;
  readonly type: string;
  /** Smallest and largest purchase where the customer sets the amount, in kobo. */
  readonly bounds: SimulatedBill['bounds'];
  /** By variation code; empty for airtime. */
  readonly variations: ReadonlyMap<string, Variation>;
};

/** `price` 0 where the customer sets the amount. */
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

/** Smallest and largest purchase of airtime, in kobo. */
const BOUNDS = { min: 5_00n, max: 1_000_000_00n } as const;

export async function loadCatalog(): Promise<Catalog> {
  const variations = await readVariations();
  const none: ReadonlyMap<string, Variation> = new Map();
  const listed = (serviceId: string): ReadonlyMap<string, Variation> => variations.get(serviceId) ?? none;
  const services: readonly Service[] = [
    ...AIRTIME.map(([serviceId, name]) => {
      const common = { serviceId, name, product: 'airtime', category: 'airtime', bounds: BOUNDS } as const;
      return { ...common, type: 'Airtime Recharge', variations: none };
    }),
    ...DATA.map(([serviceId, name]) => {
      const common = { serviceId, name, product: 'data', category: 'data', bounds: BOUNDS } as const;
      return { ...common, type: 'Data Services', variations: listed(serviceId) };
    }),
    ...bills.flatMap((bill) =>
      bill.services.map(([serviceId, name]) => {
        const { product, category, type, bounds } = bill;
        const own = bill.variations ?? listed(serviceId);
        return { serviceId, name, product, bill, category, type, bounds, variations: own };
      }),
    ),
  ];
  return new Map(services.map((service) => [service.serviceId, service]));
}

/** By service. Electricity's are not plans of ours: every disco has both kinds of meter. */
async function readVariations(): Promise<Map<string, Map<string, Variation>>> {
  const services = new Map<string, Map<string, Variation>>();
  for (const { name, price, codes } of await readDemoPlans()) {
    const { service_id, variation_code } = codes.vtpass ?? {};
    if (service_id === undefined || variation_code === undefined || price === undefined) continue;
    const service = services.get(service_id) ?? new Map<string, Variation>();
    service.set(variation_code, { code: variation_code, name, price });
    services.set(service_id, service);
  }
  return services;
}

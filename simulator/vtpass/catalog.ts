/**
 * What the simulated VTpass sells: airtime of the four networks, electricity of twelve discos, and
 * the data plans and bouquets of the demo catalog under their VTpass codes and at the same prices.
 */
import { readDemoPlans } from '../catalog.ts';

export type Service = {
  readonly serviceId: string;
  readonly name: string;
  readonly product: 'airtime' | 'data' | 'ELECTRICITY' | 'CABLE';
  /** What VTpass lists it under. */
  readonly category: string;
  readonly type: string;
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

const ELECTRICITY = [
  ['ikeja-electric', 'Ikeja Electric Payment - IKEDC'],
  ['eko-electric', 'Eko Electric Payment - EKEDC'],
  ['abuja-electric', 'Abuja Electricity Distribution Company- AEDC'],
  ['kano-electric', 'KEDCO - Kano Electric'],
  ['portharcourt-electric', 'PHED - Port Harcourt Electric'],
  ['jos-electric', 'Jos Electric - JED'],
  ['kaduna-electric', 'Kaduna Electric - KAEDCO'],
  ['enugu-electric', 'Enugu Electric - EEDC'],
  ['ibadan-electric', 'IBEDC - Ibadan Electricity Distribution Company'],
  ['benin-electric', 'Benin Electricity - BEDC'],
  ['aba-electric', 'Aba Electric Payment - ABEDC'],
  ['yola-electric', 'Yola Electric Disco Payment - YEDC'],
] as const;

const CABLE = [
  ['dstv', 'DSTV Subscription'],
  ['gotv', 'Gotv Payment'],
  ['startimes', 'Startimes Subscription'],
] as const;

const METER_KINDS: ReadonlyMap<string, Variation> = new Map([
  ['prepaid', { code: 'prepaid', name: 'Prepaid Meter', price: 0n }],
  ['postpaid', { code: 'postpaid', name: 'Postpaid Meter', price: 0n }],
]);

/** Smallest and largest purchase where the customer sets the amount, in kobo. */
export const BOUNDS: Readonly<Record<Service['product'], { readonly min: bigint; readonly max: bigint }>> = {
  airtime: { min: 5_00n, max: 1_000_000_00n },
  data: { min: 5_00n, max: 1_000_000_00n },
  ELECTRICITY: { min: 100_00n, max: 10_000_000_00n },
  CABLE: { min: 100_00n, max: 1_000_000_00n },
};

export async function loadCatalog(): Promise<Catalog> {
  const variations = await readVariations();
  const none: ReadonlyMap<string, Variation> = new Map();
  const listed = (serviceId: string): ReadonlyMap<string, Variation> => variations.get(serviceId) ?? none;
  const services: readonly Service[] = [
    ...AIRTIME.map(([serviceId, name]) => {
      const common = { serviceId, name, product: 'airtime', category: 'airtime' } as const;
      return { ...common, type: 'Airtime Recharge', variations: none };
    }),
    ...DATA.map(([serviceId, name]) => {
      const common = { serviceId, name, product: 'data', category: 'data' } as const;
      return { ...common, type: 'Data Services', variations: listed(serviceId) };
    }),
    ...ELECTRICITY.map(([serviceId, name]) => {
      const common = { serviceId, name, product: 'ELECTRICITY', category: 'electricity-bill' } as const;
      return { ...common, type: 'Electricity Bill', variations: METER_KINDS };
    }),
    ...CABLE.map(([serviceId, name]) => {
      const common = { serviceId, name, product: 'CABLE', category: 'tv-subscription' } as const;
      return { ...common, type: 'TV Subscription', variations: listed(serviceId) };
    }),
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

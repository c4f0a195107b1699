/** The products that a simulated merchant buys: airtime, a data plan, a prepaid meter's token. */
import { type BillPlan, billPlanCode } from '../../src/catalog/bill-plan.ts';
import { storeThings } from '../../src/catalog/catalog-store.ts';
import type { DataPlan } from '../../src/catalog/data-plan-index.ts';
import type { Tx } from '../../src/db/database.ts';
import type { PurchaseRequest } from '../../src/purchases/state/purchase.ts';
import type { Seeded } from '../support/seeded.ts';

export const products = ['airtime', 'data', 'ELECTRICITY'] as const;

export type Product = (typeof products)[number];

const dataPlanNaira = 300;

const providerCodes = { north: { code: 'N1' }, south: { code: 'S1' } };

export const dataPlan: DataPlan = {
  planCode: 'MTN-1',
  id: 1,
  network: 'MTN',
  name: '1 GB',
  description: '1 GB',
  price: BigInt(dataPlanNaira) * 100n,
  tariffTypeId: '1',
  legacyProductId: undefined,
  validity: '30 days',
  size: '1 GB',
  group: 'Monthly',
  planKind: 'direct',
  shortCode: 'MTN-1GB-30D',
  providerCodes,
  active: true,
};

export const billPlan: BillPlan = {
  id: 2,
  product: 'ELECTRICITY',
  network: 'Ikeja Electric',
  name: 'Prepaid',
  amountType: 'variable',
  price: undefined,
  minAmount: 10_00n,
  maxAmount: 1_000_000_00n,
  meterKind: 'prepaid',
  serviceId: undefined,
  tariffTypeId: undefined,
  legacyProductId: undefined,
  providerCodes,
  active: true,
};

export async function storePlans(tx: Tx): Promise<void> {
  const { product, network } = billPlan;
  await storeThings(tx, 'data', [dataPlan]);
  await storeThings(tx, 'biller', [{ product, network, name: network, aliases: [], active: true }]);
  await storeThings(tx, 'bill', [billPlan]);
}

type Named = Pick<PurchaseRequest, 'product' | 'network' | 'planCode' | 'msisdn' | 'recipient' | 'phone'>;

/** The network whose airtime the panel sells, and that of the panel that cannot be queried. */
export const panelNetwork = 'GLO';
export const silentPanelNetwork = 'AIRTEL';
/** Purchases from this reference on are of the first: four, so that pairs of them are alike. */
const PANEL_FROM = 5;
/** Those from this one on are of the second: two of one amount, so that a debit can be either's. */
const SILENT_FROM = 9;
const REFERENCES = 10;

export const allReferences = span(1, REFERENCES);
export const providerReferences = span(1, PANEL_FROM - 1);

/**
 * The references from which a seed draws most of its purchases: all, those of the providers, or
 * those of one panel. Without such a choice, rare failures of one kind would be lost among the
 * others.
 */
export const referenceGroups: readonly (readonly number[])[] = [
  allReferences,
  providerReferences,
  span(PANEL_FROM, SILENT_FROM - 1),
  span(SILENT_FROM, REFERENCES),
];

function span(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const airtimeNaira = [50, 100, 100, 250, 700];
/** Few, so that orders are equal. */
const panelNaira = [100, 100, 100, 250];
const silentNaira = [100];

/** Whether a panel sells it. Panels take no sync purchases. */
export function isOfPanels(reference: number): boolean {
  return reference >= PANEL_FROM;
}

/** Draws the product and amount in naira of a purchase. */
export function drawGoods(seeded: Seeded, reference: number): { product: Product; amount: number } {
  const isAirtime = seeded.happens(0.6) || isOfPanels(reference);
  const product = isAirtime ? 'airtime' : seeded.pick(products);
  const panels = reference >= SILENT_FROM ? silentNaira : panelNaira;
  const amounts = reference >= PANEL_FROM ? panels : airtimeNaira;
  return { product, amount: product === 'data' ? dataPlanNaira : seeded.pick(amounts) };
}

/** The fields of a request for it. `reference` is the number of the purchase. */
export function requestOf(product: Product, merchantId: number, reference: number): Named {
  const mobile = { msisdn: '08031234567', recipient: '2348031234567', phone: undefined };
  switch (product) {
    case 'airtime': {
      if (reference < PANEL_FROM) return { product, network: 'MTN', planCode: undefined, ...mobile };
      const isSilent = reference >= SILENT_FROM;
      // One number at the first panel, and one for each purchase at the second.
      const digits = `80${isSilent ? reference - 2 : 5}${String(merchantId).padStart(7, '0')}`;
      const own = { msisdn: `0${digits}`, recipient: `234${digits}`, phone: undefined };
      const network = isSilent ? silentPanelNetwork : panelNetwork;
      return { product, network, planCode: undefined, ...own };
    }
    case 'data':
      return { product, network: 'MTN', planCode: dataPlan.planCode, ...mobile };
    case 'ELECTRICITY': {
      const planCode = billPlanCode(billPlan);
      const meter = meterOf(merchantId, reference);
      const named = { msisdn: meter, recipient: meter, phone: undefined };
      return { product, network: billPlan.network, planCode, ...named };
    }
  }
}

/** The meter of a merchant's customer, by the number of the purchase. */
export function meterOf(merchantId: number, reference: number): string {
  return `${40_000_000_000 + merchantId * 1_000 + reference}`;
}

/**
 * The purchases of the suite at every provider: one case per product, with the plan's codes at each
 * provider.
 */
import type { Provider, ProviderOrder } from '../../src/providers/provider.ts';
import { aPurchase, isBought } from '../support/a-purchase.ts';

type Codes = Readonly<Record<string, string>>;

export type ProductCase = {
  readonly name: string;
  readonly wanted: Omit<ProviderOrder, 'reference' | 'recipient' | 'planCodes'>;
  readonly codes: Readonly<Record<string, Codes>>;
  /**
   * The n-th of many customers whose orders succeed at the simulator. For goods without a
   * recipient, the n-th plan, which sets the plan's codes under `arrangedBy`.
   */
  readonly customer: (n: number) => string;
  /**
   * For goods without a recipient: the code of the plan, at each provider, by which a test sets the
   * upstream's behaviour.
   */
  readonly arrangedBy?: Readonly<Record<string, string>>;
  /** An unknown customer of the biller; only bills have one. */
  readonly nobody?: string;
  readonly owesToken?: boolean;
  /** The goods that complete a success, if not a token. */
  readonly owes?: 'cards' | 'pins' | 'iccid';
};

const numbered =
  (prefix: string) =>
  (n: number): string =>
    `${prefix}${n.toString().padStart(5, '0')}`;

export const airtime: ProductCase = {
  name: 'airtime',
  wanted: { product: 'airtime', network: 'MTN', amount: 100_00n, currency: 'NGN' },
  codes: {},
  customer: numbered('23480300'),
};

export const data: ProductCase = {
  name: 'data',
  wanted: { product: 'data', network: 'MTN', amount: 100_00n, currency: 'NGN' },
  codes: {
    vtpass: { service_id: 'mtn-data', variation_code: 'mtn-110mb-100' },
    nomba: { productId: 'mtn1' },
    clubkonnect: { service_id: 'MTN', variation_code: '1.01' },
    smeplug: { service_id: '1', variation_code: '101' },
    'flutterwave-bills': { biller_code: 'BIL108', item_code: 'mtn-110mb-100' },
    vtung: { service_id: 'mtn', variation_code: 'mtn-110mb-100' },
    easyaccess: { service_id: 'mtn-data', variation_code: 'mtn-110mb-100' },
    ogdams: { service_id: 'MTN', variation_code: 'mtn-110mb-100' },
    panel: { service_id: 'MTN', variation_code: '100' },
  },
  customer: numbered('23480310'),
};

export const prepaid: ProductCase = {
  name: 'prepaid electricity',
  wanted: {
    product: 'ELECTRICITY',
    network: 'Ikeja Electric',
    amount: 2_000_00n,
    currency: 'NGN',
    phone: '2348031234567',
  },
  codes: {
    sandbox: { meter_type: 'prepaid' },
    vtpass: { service_id: 'ikeja-electric', variation_code: 'prepaid' },
    nomba: { disco: 'ikedc', meter_type: 'prepaid' },
    clubkonnect: { electric_company: '02', meter_type: 'prepaid' },
    buypower: { disco: 'IKEJA', vend_type: 'PREPAID' },
    'flutterwave-bills': { biller_code: 'BILSIM', item_code: 'prepaid', meter_type: 'prepaid' },
    vtung: { service_id: 'ikeja-electric', variation_code: 'prepaid' },
    panel: { variation_code: 'prepaid' },
  },
  customer: numbered('450020'),
  nobody: '45002099000',
  owesToken: true,
};

export const postpaid: ProductCase = {
  ...prepaid,
  name: 'postpaid electricity',
  codes: {
    sandbox: { meter_type: 'postpaid' },
    vtpass: { service_id: 'ikeja-electric', variation_code: 'postpaid' },
    nomba: { disco: 'ikedc', meter_type: 'postpaid' },
    clubkonnect: { electric_company: '02', meter_type: 'postpaid' },
    buypower: { disco: 'IKEJA', vend_type: 'POSTPAID' },
    'flutterwave-bills': { biller_code: 'BILSIM', item_code: 'postpaid', meter_type: 'postpaid' },
    vtung: { service_id: 'ikeja-electric', variation_code: 'postpaid' },
    panel: { variation_code: 'postpaid' },
  },
  owesToken: false,
};

export const cable: ProductCase = {
  name: 'cable',
  wanted: {
    product: 'CABLE',
    network: 'DSTV',
    amount: 4_400_00n,
    currency: 'NGN',
    phone: '2348031234567',
  },
  codes: {
    sandbox: { bouquet: 'DStv Padi' },
    vtpass: { service_id: 'dstv', variation_code: 'dstv-padi' },
    nomba: { cable_type: 'dstv' },
    clubkonnect: { cable_tv: 'dstv', package: 'dstv-padi' },
    buypower: { disco: 'DSTV', tariff_class: 'dstv-padi' },
    'flutterwave-bills': { biller_code: 'BIL119', item_code: 'dstv-padi' },
    vtung: { service_id: 'dstv', variation_code: 'dstv-padi' },
    panel: { variation_code: '4400' },
  },
  customer: numbered('70020'),
  nobody: '7002099000',
};

export const betting: ProductCase = {
  name: 'betting',
  wanted: {
    product: 'BETTING',
    network: 'BET9JA',
    amount: 500_00n,
    currency: 'NGN',
    phone: '2348031234567',
  },
  codes: {
    sandbox: {},
    nomba: { betting_provider: 'bet9ja' },
    clubkonnect: { betting_company: 'product-bet-king' },
  },
  customer: numbered('PUNTER'),
  nobody: 'PUNTER99000',
};

export const jamb: ProductCase = {
  name: 'JAMB PINs',
  wanted: {
    product: 'EDUCATION',
    network: 'JAMB',
    amount: 7_700_00n,
    currency: 'NGN',
    phone: '2348031234567',
  },
  codes: {
    sandbox: {},
    vtpass: { service_id: 'jamb', variation_code: 'utme-mock' },
    clubkonnect: { exam_type: 'utme-mock' },
  },
  customer: numbered('70000'),
  nobody: '7000099000',
  owes: 'pins',
};

/** For a network without customers: the recipient is a phone, and no customer is verified. */
export const waec: ProductCase = {
  name: 'WAEC result checkers',
  wanted: { product: 'EDUCATION', network: 'WAEC', amount: 5_350_00n, currency: 'NGN' },
  codes: {
    sandbox: {},
    vtpass: { service_id: 'waec', variation_code: 'waecdirect' },
    panel: {},
    clubkonnect: { exam_type: 'waecdirect' },
  },
  customer: numbered('23480320'),
  owes: 'pins',
};

/** The provider does not get the number. */
export const rechargeCard: ProductCase = {
  name: 'recharge cards',
  wanted: { product: 'EDUCATION', network: 'MTN', amount: 100_00n, currency: 'NGN' },
  codes: { clubkonnect: { mobile_network: '01', value: '100' } },
  customer: numbered('23480320'),
  owes: 'pins',
};

export const waecRegistration: ProductCase = {
  ...waec,
  name: 'WAEC registrations',
  wanted: { ...waec.wanted, amount: 37_500_00n },
  codes: {
    sandbox: {},
    vtpass: { service_id: 'waec-registration', variation_code: 'waec-registraion' },
    clubkonnect: { exam_type: 'waec-registraion' },
  },
};

export const giftCard: ProductCase = {
  name: 'gift cards',
  wanted: {
    product: 'GIFTCARD',
    network: 'GIFTCARD',
    amount: 80_000_00n,
    currency: 'NGN',
    item: { quantity: 2, unitPrice: 25_00n, currency: 'USD' },
  },
  codes: {},
  customer: numbered('92'),
  arrangedBy: { reloadly: 'product_id', sandbox: 'scenario' },
  owes: 'cards',
};

export const eSim: ProductCase = {
  name: 'eSIMs',
  wanted: {
    product: 'ESIM',
    network: 'ESIM',
    amount: 2_500_00n,
    currency: 'NGN',
    item: { quantity: 1, unitPrice: 1_50n, currency: 'USD' },
  },
  codes: { esimaccess: { price: '15000' } },
  customer: numbered('XX_'),
  arrangedBy: { esimaccess: 'slug', sandbox: 'scenario' },
  owes: 'iccid',
};

/** An order as the gateway's purchase path creates it. */
export function orderOf(provider: Provider, product: ProductCase, recipient: string): ProviderOrder {
  const reference = provider.mintReference(new Date(), aPurchase, isBought);
  const code = product.arrangedBy?.[provider.name];
  const planCodes = product.codes[provider.name];
  return code === undefined
    ? { ...product.wanted, ...(planCodes && { planCodes }), reference, recipient }
    : { ...product.wanted, planCodes: { ...planCodes, [code]: recipient }, reference, recipient: '' };
}

export function airtimeOrder(provider: Provider, recipient: string): ProviderOrder {
  return orderOf(provider, airtime, recipient);
}

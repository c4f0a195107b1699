/**
 * Purchases for the examples of the document, one for each product. The routes format them as they
 * format real ones, so an example is exactly what is sent. Pure.
 */
import { isOrderProduct, type OrderProduct, type ProductName } from '../../../core/products/product.ts';
import type { Order } from '../../../purchases/orders/order.ts';
import type { Purchase, PurchaseStatus } from '../../../purchases/state/purchase.ts';
import type { Examples } from './annotations.ts';

type Sample = Pick<Purchase, 'network' | 'msisdn' | 'planCode' | 'faceValue' | 'goods'> & {
  /** The texts of the network or the biller for a success and a failure. */
  readonly said?: string;
  readonly refusal?: string;
};

const samples: Readonly<Record<ProductName, Sample>> = {
  airtime: {
    network: 'MTN',
    msisdn: '08031234567',
    planCode: undefined,
    faceValue: 100_00n,
    goods: {},
    said: 'MTN payment for 2348031234567 successful',
    refusal: '2348031234567 could not be served, the network refused the request',
  },
  data: {
    network: 'MTN',
    msisdn: '08031234567',
    planCode: 'MTN-1',
    faceValue: 100_00n,
    goods: {},
    said: 'MTN payment for 2348031234567 successful',
    refusal: '2348031234567 could not be served, the network refused the request',
  },
  ELECTRICITY: {
    network: 'Ikeja Electric',
    msisdn: '10000000001',
    planCode: '2001',
    faceValue: 5_000_00n,
    goods: { token: '12345678901234567890', units: '23.8', customer_name: 'TEST CUSTOMER' },
    refusal: 'The meter number is not known',
  },
  CABLE: {
    network: 'DSTV',
    msisdn: '10000000010',
    planCode: '2101',
    faceValue: 4_400_00n,
    goods: { customer_name: 'TEST CUSTOMER' },
    refusal: 'The smartcard number is not known',
  },
  BETTING: {
    network: 'BET9JA',
    msisdn: 'TESTBET001',
    planCode: '2201',
    faceValue: 500_00n,
    goods: { customer_name: 'TEST CUSTOMER' },
    refusal: 'The account is not known',
  },
  EDUCATION: {
    network: 'JAMB',
    msisdn: '1000000001',
    planCode: '2303',
    faceValue: 7_700_00n,
    goods: { pins: [{ pin: '123456789012' }], customer_name: 'TEST CUSTOMER' },
    refusal: 'The profile code is not known',
  },
  GIFTCARD: {
    network: 'GIFTCARD',
    msisdn: '',
    planCode: '300002',
    faceValue: 39_783_75n,
    goods: {
      reference_code: 'SBX-2F61D90A77',
      cards: [{ card_number: 'TEST-1234-5678-9012', pin: '123456' }],
    },
  },
  ESIM: {
    network: 'ESIM',
    msisdn: '',
    planCode: 'NG-1GB-7D',
    faceValue: 3_469_15n,
    goods: {
      reference_code: 'SBX-7A10C3D5E2',
      iccid: '8923400123456789012',
      activation_code: '3C5D1B0A99F24E77A610',
      smdp_address: 'smdp.esim.example',
      lpa: 'LPA:1$smdp.esim.example$3C5D1B0A99F24E77A610',
      redemption_instructions: 'Scan the QR code under Settings, Mobile Data, Add eSIM.',
    },
  },
};

const titles: Readonly<Record<OrderProduct, string>> = {
  GIFTCARD: 'Amazon US USD 25',
  ESIM: 'Nigeria 1 GB 7 days',
};

export function samplePurchase(product: ProductName, status: PurchaseStatus): Purchase {
  const { said, refusal, ...sample } = samples[product];
  return {
    ...sample,
    id: '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10',
    merchantId: 1,
    merchantName: 'Demo merchant',
    environment: 'test',
    reference: isOrderProduct(product) ? `${product.toLowerCase()}-20261121-0001` : 'order-20261121-0001',
    product,
    ...(isOrderProduct(product) && { title: titles[product], quantity: 1 }),
    charge: sample.faceValue,
    status,
    reason: { success: 'delivered', failed: 'refused', pending: undefined }[status] as Purchase['reason'],
    telcoMessage: { success: said, failed: refusal, pending: undefined }[status],
    goods: status === 'success' ? sample.goods : {},
    createdAt: new Date('2026-11-21T12:05:09.120Z'),
    updatedAt: new Date('2026-11-21T12:05:10.480Z'),
  };
}

/** A purchase that the balance does not cover: stored as failed and never sent. */
export function unpaid(purchase: Purchase): Purchase {
  return { ...purchase, status: 'failed', reason: 'insufficient_funds', telcoMessage: undefined, goods: {} };
}

/** A success with other goods, such as postpaid electricity. */
export function bringing(
  purchase: Purchase,
  change: Partial<Pick<Purchase, 'msisdn' | 'planCode' | 'goods'>>,
): Purchase {
  return { ...purchase, ...change };
}

export function sampleOrder(product: OrderProduct, status: PurchaseStatus): Order {
  return { ...samplePurchase(product, status), title: titles[product], quantity: 1 };
}

/** Each product in each state, formatted by `write`: `data_pending`, `cable_success` … */
export function eachOutcome(
  products: readonly ProductName[],
  statuses: readonly PurchaseStatus[],
  write: (purchase: Purchase) => unknown,
): Examples {
  return Object.fromEntries(
    products.flatMap((product) =>
      statuses.map((status) => [
        `${product.toLowerCase()}_${status}`,
        write(samplePurchase(product, status)),
      ]),
    ),
  );
}

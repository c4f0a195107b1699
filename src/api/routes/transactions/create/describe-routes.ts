/**
 * The five routes that create a purchase, as the document describes them. They share one answer,
 * each with the outcomes that it can have.
 */
import { listWords } from '../../../../core/list-words.ts';
import { billProducts, type DirectProduct, directProducts } from '../../../../core/products/product.ts';
import { recordOf } from '../../../../core/products/registry.ts';
import type { RequestFault } from '../../../../core/request-fault.ts';
import type { Purchase, PurchaseMode } from '../../../../purchases/state/purchase.ts';
import { bringing, eachOutcome, samplePurchase, unpaid } from '../../../plumbing/openapi/sample-purchases.ts';
import { merchantRefusals } from '../own-merchant.ts';
import { createEnvelope } from './envelope.ts';
import { createAnswer } from './schema.ts';

const common = { tags: ['Transactions'], response: { 200: createAnswer } };

/** A product's own route, answered with the outcome. */
export function syncRoute(product: DirectProduct) {
  return {
    ...common,
    operationId: `${product}Sync`,
    summary: `Buy ${product} and wait for the outcome`,
    description:
      'Answers 00 or 01. A 500 that names the purchase means that the outcome is not known yet: query it.',
    answerExamples: {
      ...eachOutcome([product], ['success', 'failed'], tellBy('sync')),
      insufficient_funds: tellBy('sync')(unpaid(samplePurchase(product, 'failed'))),
    },
    refusals: [...merchantRefusals, ...faultsOf(product)],
  };
}

/** A product's own route, answered as soon as the purchase is stored. */
export function asyncRoute(product: DirectProduct) {
  return {
    ...common,
    operationId: `${product}Async`,
    summary: `Buy ${product}, answered at once`,
    description:
      'Answers 02: query the status until it is 00 or 01. A purchase that the wallet cannot pay is 01 at once.',
    answerExamples: pendingOrUnpaid([product]),
    refusals: [...merchantRefusals, ...faultsOf(product)],
  };
}

export function anyProductRoute() {
  const direct = listWords(directProducts, 'and');
  return {
    ...common,
    operationId: 'createTransaction',
    summary: `Buy any product: ${direct} are answered at once, bills with their outcome`,
    description:
      `The product decides which other fields there are. Purchases of ${direct} are answered 02: query their ` +
      'status. Bills are answered 00 or 01.',
    answerExamples: {
      ...pendingOrUnpaid(directProducts),
      ...eachOutcome(billProducts, ['success', 'failed'], tellBy('sync')),
      ...electricityOutcomes(),
    },
    refusals: [
      ...merchantRefusals,
      ...faultsOf('data'),
      ...billFaults,
      { code: 'product_not_enabled', product: 'ELECTRICITY' },
    ] as const,
  };
}

function pendingOrUnpaid(products: readonly DirectProduct[]) {
  return {
    ...eachOutcome(products, ['pending'], tellBy('async')),
    ...eachOutcome(products, ['failed'], (purchase) => tellBy('async')(unpaid(purchase))),
  };
}

function tellBy(mode: PurchaseMode): (purchase: Purchase) => unknown {
  return (purchase) => createEnvelope(purchase, mode);
}

/** The goods of electricity besides a token. */
function electricityOutcomes() {
  const paid = samplePurchase('ELECTRICITY', 'success');
  const { customer_name = '' } = paid.goods;
  const tell = tellBy('sync');
  const keys = { kct1: '11112222333344445555', kct2: '66667777888899990000' };
  return {
    electricity_key_change: tell(
      bringing(paid, { msisdn: '10000000003', goods: { ...paid.goods, ...keys } }),
    ),
    electricity_bonus_token: tell(
      bringing(paid, { goods: { ...paid.goods, bonus_token: '99998888777766665555' } }),
    ),
    electricity_debt_cleared: tell(
      bringing(paid, { msisdn: '10000000004', goods: { customer_name, payment_spent_on: 'debt' } }),
    ),
    electricity_postpaid: tell(
      bringing(paid, { msisdn: '10000000002', planCode: '2002', goods: { customer_name } }),
    ),
  };
}

function faultsOf(product: DirectProduct): readonly RequestFault[] {
  return [
    { code: 'product_not_enabled', product },
    { code: 'no_provider', product, network: 'MTN' },
    { code: 'selling_paused', product, network: 'MTN' },
    { code: 'purchases_locked' },
    ...(recordOf(product).plans === 'none' ? [] : dataFaults),
  ];
}

const dataFaults: readonly RequestFault[] = [
  { code: 'data_plan_unknown', role: 'plan', network: 'MTN' },
  { code: 'data_plan_of_other_network', role: 'plan', network: 'MTN', planNetwork: 'GLO' },
  { code: 'amount_not_price', plan: 'MTN-1', price: 100_00n },
  { code: 'amount_of_no_plan', network: '9MOBILE' },
];

const billFaults: readonly RequestFault[] = [
  { code: 'bill_plan_unknown', role: 'plan', product: 'CABLE', network: 'DSTV' },
  {
    code: 'bill_plan_of_other_network',
    role: 'plan',
    product: 'CABLE',
    network: 'DSTV',
    planNetwork: 'GOTV',
  },
  { code: 'amount_not_whole_naira' },
  { code: 'amount_below', plan: 'Ikeja Electric Prepaid', min: 500_00n },
  { code: 'amount_above', plan: 'Ikeja Electric Prepaid', max: 1_000_000_00n },
  { code: 'customer_malformed', form: recordOf('ELECTRICITY').customer.customerIdText },
  { code: 'phone_missing', product: 'BETTING' },
  { code: 'phone_malformed' },
];

/** The bodies of a verification, and envelope C of the interface. */
import { type Static, Type } from 'typebox';
import { listWords } from '../../../../core/list-words.ts';
import { type BillProduct, billProducts } from '../../../../core/products/product.ts';
import { recordOf } from '../../../../core/products/registry.ts';
import type { RequestFault } from '../../../../core/request-fault.ts';
import type { Purchase } from '../../../../purchases/state/purchase.ts';
import { answer } from '../../../plumbing/answer.ts';
import { billNetwork, bodyOptions, text, words } from '../../../plumbing/fields.ts';
import type { Examples } from '../../../plumbing/openapi/annotations.ts';
import { samplePurchase } from '../../../plumbing/openapi/sample-purchases.ts';
import { billCustomer, billPlanCode, customerAliases, merchant, planAlias } from '../fields.ts';
import { factFields } from './customer-facts.ts';

const customerNouns = billProducts.map((product) => recordOf(product).customer.noun);
const networkExamples = billProducts.map((product) => `"${recordOf(product).networkExample}"`);

/** One for each bill product, by its name. */
function eachBill(write: (purchase: Purchase) => unknown): Examples {
  return Object.fromEntries(
    billProducts.map((product) => [product.toLowerCase(), write(samplePurchase(product, 'success'))]),
  );
}

/** Exactly one of the two ids of a plan. The route counts them. */
export const verifyBody = Type.Object(
  {
    merchant,
    msisdn: billCustomer(`the ${listWords(customerNouns, 'or')} number`),
    network: billNetwork(
      `a network of the product, such as ${listWords(networkExamples, 'or')}`,
      'Ikeja Electric',
    ),
    product: words(billProducts, {
      description: `one of ${billProducts.join(', ')}, in any letter case`,
      'x-any-case': true,
    }),
    plan_code: Type.Optional(billPlanCode),
    service_id: Type.Optional(
      text(
        'the legacy id of a plan, as a string such as "ikeja-electric-prepaid", sent in place of plan_code',
        { format: 'clean-text', 'x-or-integer': true },
      ),
    ),
    ...customerAliases,
    ...planAlias,
  },
  {
    ...bodyOptions,
    title: 'VerifyBody',
    'x-any-of': ['plan_code', 'service_id'],
    'x-examples': eachBill((purchase) => ({
      merchant: 'DEMO',
      product: purchase.product,
      network: purchase.network,
      msisdn: purchase.msisdn,
      plan_code: purchase.planCode,
    })),
  },
);

export type VerifyBody = Static<typeof verifyBody>;

export const verifyAnswer = answer(
  'VerifyAnswer',
  'The customer, as the biller reports it. Facts that the biller does not report are left out.',
  {
    state: Type.Literal('ok'),
    code: Type.Literal('00'),
    message: Type.String(),
    result: Type.Object({
      product: words(billProducts),
      network: Type.String({ description: 'in its canonical spelling' }),
      msisdn: Type.String({ description: 'as it was sent' }),
      customer_name: Type.String(),
      ...factFields,
    }),
  },
  eachBill(({ product, network, msisdn }) => ({
    state: 'ok',
    code: '00',
    message: 'Customer verified',
    result: {
      product,
      network,
      msisdn,
      customer_name: 'TEST CUSTOMER',
      ...recordOf(product as BillProduct).sample.facts,
    },
  })),
);

/** The errors of the core for a verification. */
export const faultExamples: readonly RequestFault[] = [
  { code: 'bill_plan_unknown', role: 'plan', product: 'ELECTRICITY', network: 'Ikeja Electric' },
  { code: 'product_not_enabled', product: 'ELECTRICITY' },
  { code: 'no_provider', product: 'ELECTRICITY', network: 'Ikeja Electric' },
  { code: 'selling_paused', product: 'ELECTRICITY', network: 'Ikeja Electric' },
  { code: 'provider_look_ups_full' },
];

export type VerifyAnswer = Static<typeof verifyAnswer>;

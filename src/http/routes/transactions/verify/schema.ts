/** What a verification carries, and envelope C of the interface: who the customer of a bill is. */
import { type Static, Type } from 'typebox';
import { listWords } from '../../../../kernel/list-words.ts';
import { billProducts } from '../../../../products/product.ts';
import { recordOf } from '../../../../products/registry.ts';
import { answer } from '../../../plumbing/answer.ts';
import { billNetwork, bodyOptions, text, words } from '../../../plumbing/fields.ts';
import { billCustomer, billPlanCode, customerAliases, merchant, planAlias } from '../fields.ts';
import { factFields } from './customer-facts.ts';

const customerNouns = billProducts.map((product) => recordOf(product).customer.noun);
const networkExamples = billProducts.map((product) => `"${recordOf(product).networkExample}"`);

/** Exactly one of the two ids of a plan: the route counts them. */
export const verifyBody = Type.Object(
  {
    merchant,
    msisdn: billCustomer(`the ${listWords(customerNouns, 'or')} number`),
    network: billNetwork(
      `a network of the product, such as ${listWords(networkExamples, 'or')}`,
      'Ikeja Electric',
    ),
    product: words(billProducts, { description: `one of ${billProducts.join(', ')}` }),
    plan_code: Type.Optional(billPlanCode),
    service_id: Type.Optional(
      text(
        'the legacy id of a plan, as a string such as "ikeja-electric-prepaid", sent in place of plan_code',
        { format: 'clean-text' },
      ),
    ),
    ...customerAliases,
    ...planAlias,
  },
  {
    ...bodyOptions,
    title: 'VerifyBody',
    examples: [
      {
        merchant: 'DEMO',
        product: 'ELECTRICITY',
        network: 'Ikeja Electric',
        msisdn: '10000000001',
        plan_code: '2001',
      },
    ],
  },
);

export type VerifyBody = Static<typeof verifyBody>;

export const verifyAnswer = answer(
  'VerifyAnswer',
  'The customer, as the biller knows him. What the biller does not tell is left out.',
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
  {
    state: 'ok',
    code: '00',
    message: 'Customer verified',
    result: {
      product: 'ELECTRICITY',
      network: 'Ikeja Electric',
      msisdn: '10000000001',
      customer_name: 'TEST CUSTOMER',
      customer_address: '1 Test Close, Ikeja, Lagos',
      min_amount: '100.00',
      max_amount: '1000000.00',
      meter_number: '10000000001',
    },
  },
);

export type VerifyAnswer = Static<typeof verifyAnswer>;

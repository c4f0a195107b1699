// The answers of the wire that only bills have, as schemas: their plans, and who a customer is.
import { type TProperties, Type } from 'typebox';
import { listWords } from '../../kernel/list-words.ts';
import type { CustomerFact } from '../../products/customer.ts';
import { type BillProduct, billProducts } from '../../products/product.ts';
import { recordOf } from '../../products/registry.ts';
import { answer, optionalText } from './answers.ts';
import { words } from './schemas.ts';
import { factNames } from './verify-envelope.ts';

const product = words(billProducts);

export const billPlansAnswer = answer(
  'BillPlansAnswer',
  'The plans on sale.',
  {
    status: Type.Literal('2000'),
    description: Type.String(),
    data: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'what to send as plan_code' }),
        name: Type.String(),
        network: Type.String(),
        product,
        amount_type: words(['variable', 'fixed'], {
          description: 'fixed: the amount to send is the price; variable: you set it',
        }),
        price: optionalText('naira; of fixed plans only'),
      }),
    ),
  },
  {
    status: '2000',
    description: 'Plans of DSTV CABLE',
    data: [
      {
        id: 2101,
        name: 'DStv Padi',
        network: 'DSTV',
        product: 'CABLE',
        amount_type: 'fixed',
        price: '4400.00',
      },
    ],
  },
);

const factTexts: Readonly<Partial<Record<CustomerFact, string>>> = {
  minAmount: 'the least that can be paid now, in naira',
  maxAmount: 'the most that can be paid now, in naira',
  arrears: 'what is owed, in naira; no limit of a purchase',
  renewalAmount: 'what the biller takes to renew the current bouquet, in naira',
  dueDate: 'until when the current bouquet is paid',
};

/** Each fact with the products that tell it. */
const factProperties: TProperties = Object.fromEntries(
  billProducts.flatMap(toldOf).map((fact) => {
    const tellers = billProducts.filter((name) => toldOf(name).includes(fact));
    const text = factTexts[fact];
    const named = listWords(tellers, 'and').toLowerCase();
    return [factNames[fact], optionalText(text === undefined ? named : `${named}: ${text}`)];
  }),
);

function toldOf(name: BillProduct): readonly CustomerFact[] {
  return recordOf(name).customer.facts;
}

/** Envelope C of the interface. */
export const verifyAnswer = answer(
  'VerifyAnswer',
  'The customer, as the biller knows him. What the biller does not tell is left out.',
  {
    state: Type.Literal('ok'),
    code: Type.Literal('00'),
    message: Type.String(),
    result: Type.Object({
      product,
      network: Type.String({ description: 'in its canonical spelling' }),
      msisdn: Type.String({ description: 'as it was sent' }),
      customer_name: Type.String(),
      ...factProperties,
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

// The answers of the wire that only bills have, as schemas: their plans, and who a customer is.
import { Type } from 'typebox';
import { answer, optionalText } from './answers.ts';
import { words } from './schemas.ts';

const product = words(['ELECTRICITY', 'CABLE', 'BETTING']);

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
      customer_address: optionalText('electricity'),
      min_amount: optionalText('electricity: the least that can be paid now, in naira'),
      max_amount: optionalText('electricity: the most that can be paid now, in naira'),
      meter_number: optionalText('electricity'),
      arrears: optionalText('electricity: what is owed, in naira; no limit of a purchase'),
      account_type: optionalText('electricity'),
      meter_type: optionalText('electricity'),
      district: optionalText('electricity'),
      business_unit: optionalText('electricity'),
      district_reference: optionalText('electricity'),
      tariff: optionalText('electricity'),
      customer_username: optionalText('betting'),
      current_bouquet: optionalText('cable'),
      renewal_amount: optionalText('cable: what the biller takes to renew the current bouquet, in naira'),
      due_date: optionalText('cable: until when the current bouquet is paid'),
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

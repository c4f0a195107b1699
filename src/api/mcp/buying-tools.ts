/** The tools that spend money. Each needs a reference, which makes a repeat harmless. */
import { type TString, Type } from 'typebox';
import { plain } from '../plumbing/openapi/json.ts';
import { orderBody as esimOrder } from '../routes/esim/orders/schema.ts';
import { orderBody as giftCardOrder } from '../routes/giftcards/orders/schema.ts';
import { airtimeBody, dataBody, phone } from '../routes/transactions/create/schema.ts';
import { verifyBody } from '../routes/transactions/verify/schema.ts';
import { argumentsOf, post, type Tool } from './tool.ts';

const buys = { buys: true } as const;

const keep =
  'Choose a new reference for each purchase, and write it down before you call. After a timeout, an error ' +
  'or an unknown outcome, call get_purchase with it, or repeat the call with the same reference: it never buys twice. ' +
  'Never buy again under another reference while the outcome is not known.';

/** The field of the reference, with what an agent must know about it. */
function kept(field: TString): TString {
  const description = `${plain(field).description}. New for each purchase, the same on every retry`;
  return Object.assign({ ...field }, { description });
}

const request_ref = kept(airtimeBody.properties.request_ref);
const { amount, plan_code } = dataBody.properties;
const bill = verifyBody.properties;

export const buyingTools: readonly Tool[] = [
  {
    ...buys,
    name: 'buy_airtime',
    title: 'Buy airtime',
    description: `Recharges a Nigerian mobile number from the wallet. This spends money. ${keep}`,
    input: argumentsOf({
      request_ref,
      msisdn: airtimeBody.properties.msisdn,
      network: airtimeBody.properties.network,
      amount: airtimeBody.properties.amount,
    }),
    request: (sent, merchant) => post('/v1/transactions/airtime/sync', { ...sent, merchant }),
  },
  {
    ...buys,
    name: 'buy_data',
    title: 'Buy data',
    description: `Buys a data plan of list_data_plans for a number; the amount is the plan's price. This spends money. ${keep}`,
    input: argumentsOf({
      request_ref,
      msisdn: dataBody.properties.msisdn,
      network: dataBody.properties.network,
      plan_code,
      amount,
    }),
    request: (sent, merchant) => post('/v1/transactions/data/sync', { ...sent, merchant }),
  },
  {
    ...buys,
    name: 'buy_bill',
    title: 'Pay a bill',
    description: `Pays electricity, cable, betting or education for the customer that verify_customer returned. This spends money. ${keep}`,
    input: argumentsOf({
      request_ref,
      product: bill.product,
      network: bill.network,
      msisdn: bill.msisdn,
      plan_code,
      amount,
      phone: Type.Optional(phone),
    }),
    request: (sent, merchant) => post('/v1/transactions', { ...sent, merchant }),
  },
  {
    ...buys,
    name: 'buy_gift_card',
    title: 'Buy a gift card',
    description: `Buys gift cards by plan_id. With send_via and destination the customer gets them directly. This spends money. ${keep}`,
    input: argumentsOf({
      ...giftCardOrder.properties,
      request_id: kept(giftCardOrder.properties.request_id),
    }),
    request: (sent) => post('/v1/giftcards/orders', sent),
  },
  {
    ...buys,
    name: 'buy_esim',
    title: 'Buy an eSIM',
    description: `Buys a travel eSIM by plan_id. Pending is normal for a while. This spends money. ${keep}`,
    input: argumentsOf({
      ...esimOrder.properties,
      request_id: kept(esimOrder.properties.request_id),
    }),
    request: (sent) => post('/v1/esim/orders', sent),
  },
];

export function referenceOf(sent: Readonly<Record<string, unknown>>): string {
  return String(sent.request_ref ?? sent.request_id ?? '');
}

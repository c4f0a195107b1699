/** The tools that look up: goods on sale, prices, customers, and the state of purchases. */
import { Type } from 'typebox';
import { billProducts } from '../../core/products/product.ts';
import { esimPlanId } from '../plumbing/esim-fields.ts';
import { words } from '../plumbing/fields.ts';
import { catalogQuery as esimQuery } from '../routes/esim/catalog/schema.ts';
import { availabilityQuery } from '../routes/giftcards/availability/schema.ts';
import { planId } from '../routes/giftcards/card.ts';
import { catalogQuery as giftCardQuery } from '../routes/giftcards/catalog/schema.ts';
import { quoteBody } from '../routes/giftcards/quote/schema.ts';
import { plansQuery } from '../routes/plans/bills/schema.ts';
import { plansParams } from '../routes/plans/data/schema.ts';
import { listQuery } from '../routes/transactions/list/schema.ts';
import { verifyBody } from '../routes/transactions/verify/schema.ts';
import { type Arguments, argumentsOf, get, partFields, post, segment, type Tool } from './tool.ts';

const lookUp = { buys: false } as const;
const list = { buys: false, lists: true } as const;

/** Without the fields that select a part of the list, which is done here. */
function queryOf({ limit: _limit, skip: _skip, ...query }: Arguments): Arguments {
  return query;
}

const { msisdn, network, plan_code, product } = verifyBody.properties;
const { page, status } = listQuery.properties;

const reference = Type.String({
  description: 'the request_ref or request_id of the purchase, 1 to 100 characters',
  minLength: 1,
  maxLength: 100,
});

const kinds = ['airtime_data_bill', 'gift_card', 'esim'] as const;

const statusPaths = {
  airtime_data_bill: (reference: string) => get('/v1/transactions/status', { request_ref: reference }),
  gift_card: (reference: string) => get(`/v1/giftcards/orders/${segment(reference)}`),
  esim: (reference: string) => get(`/v1/esim/orders/${segment(reference)}`),
};

export const lookUpTools: readonly Tool[] = [
  {
    ...lookUp,
    name: 'get_balance',
    title: 'Wallet balance',
    description: 'The naira balance of the wallet, and the amount held for pending purchases.',
    input: argumentsOf({}),
    request: () => get('/v1/wallet/balance'),
  },
  {
    ...list,
    name: 'list_data_plans',
    title: 'Data plans',
    description: 'Data plans of a mobile network, with the plan_code and the amount that buy_data takes.',
    input: argumentsOf({ ...plansParams.properties, ...partFields }),
    request: ({ network }) => get(`/v1/plans/${segment(network)}`),
  },
  {
    ...list,
    name: 'list_bill_plans',
    title: 'Bill plans',
    description:
      'Plans of a bill product (electricity, cable, betting, education), for verify_customer and buy_bill.',
    input: argumentsOf({ product, ...plansQuery.properties, ...partFields }),
    request: ({ product, ...sent }) =>
      get(`/v1/plans/bills/${segment(String(product).toLowerCase())}`, queryOf(sent)),
  },
  {
    ...list,
    name: 'search_gift_cards',
    title: 'Gift cards',
    description: 'Gift cards on sale, with the plan_id for quote_gift_card and buy_gift_card.',
    input: argumentsOf({ ...giftCardQuery.properties, ...partFields }),
    request: (sent) => get('/v1/giftcards/catalog', queryOf(sent)),
  },
  {
    ...list,
    name: 'search_esims',
    title: 'eSIMs',
    description: 'Data eSIMs for travel, with the plan_id for quote_esim and buy_esim.',
    input: argumentsOf({ ...esimQuery.properties, ...partFields }),
    request: (sent) => get('/v1/esim/catalog', queryOf(sent)),
  },
  {
    ...lookUp,
    name: 'quote_gift_card',
    title: 'Quote a gift card',
    description: 'The current price of one card in naira. Nothing is bought.',
    input: argumentsOf(quoteBody.properties),
    request: (sent) => post('/v1/giftcards/quote', sent),
  },
  {
    ...lookUp,
    name: 'check_gift_card',
    title: 'Gift card availability',
    description: 'Whether this number of cards is available now. Nothing is bought.',
    input: argumentsOf({ plan_id: planId, ...availabilityQuery.properties }),
    request: ({ plan_id, ...sent }) => get(`/v1/giftcards/plans/${segment(plan_id)}/availability`, sent),
  },
  {
    ...lookUp,
    name: 'quote_esim',
    title: 'Quote an eSIM',
    description: 'The current price of an eSIM in naira. Nothing is bought.',
    input: argumentsOf({ plan_id: esimPlanId }),
    request: ({ plan_id }) => get(`/v1/esim/plans/${segment(plan_id)}/quote`),
  },
  {
    ...lookUp,
    name: 'verify_customer',
    title: 'Verify a customer',
    description: `Looks up the customer of a bill: a meter, smartcard or account of ${billProducts.join(', ')}. Ask the user whether the name is right before you buy.`,
    input: argumentsOf({ product, network, msisdn, plan_code }),
    request: (sent, merchant) => post('/v1/transactions/verify', { ...sent, merchant }),
  },
  {
    ...lookUp,
    name: 'list_purchases',
    title: 'Purchases',
    description: 'Purchases of airtime, data and bills, newest first, ten per page.',
    input: argumentsOf({
      page,
      msisdn: listQuery.properties.msisdn,
      network: listQuery.properties.network,
      product: listQuery.properties.product,
      status,
    }),
    request: (sent) => get('/v1/transactions', sent),
  },
  {
    ...lookUp,
    name: 'get_purchase',
    title: 'Look up a purchase',
    description:
      'A purchase by its reference: pending, success or failed, and its goods. Query it when an outcome is unknown, before you buy again.',
    input: argumentsOf({
      reference,
      kind: Type.Optional(
        words(kinds, { description: `what was bought: ${kinds.join(', ')} (default: airtime_data_bill)` }),
      ),
      reveal: Type.Optional(
        Type.Boolean({
          description:
            'true to show card numbers, PINs and activation codes, which can be spent like money: only if the user asks for them',
        }),
      ),
    }),
    request: ({ reference, kind = 'airtime_data_bill' }) =>
      statusPaths[kinds.find((one) => one === kind) ?? 'airtime_data_bill'](String(reference)),
  },
];

/**
 * Maps VTU.ng's replies to answers. Pure. `purchase.ts` has the requests, `customer.ts` the
 * verification. Sources: VTU.ng's and eBills.africa's pages on their API.
 *
 * Guarantees: success comes only from a listed status of our own order, failure only from a listed
 * status of it or from a listed code with its listed HTTP status. Every other reply is `unknown`,
 * and a success of another amount too.
 */
import { formatAmount, type Money } from '../../core/money.ts';
import {
  type Failed,
  notQueried,
  notSent,
  otherOrder,
  type Unknown,
  unconfirmed,
  unknown,
} from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, fieldFinder, isBody, meterGoods, naira, unitCount, word } from '../http/reply-fields.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import { planFacts, unreadablePlan } from '../plan-facts.ts';
import type { Goods, ProviderAnswer, ProviderOrder, ProviderPlan } from '../provider.ts';
import { meterKindOf } from './purchase.ts';

/** The statuses of an order, in lower case. Any other is `unknown`. */
const STATUSES: ReadonlyMap<string, 'success' | 'failed' | 'accepted'> = new Map([
  ['completed-api', 'success'],
  ['order completed', 'success'],
  ['refunded', 'failed'],
  ['failed', 'failed'],
  ['cancelled', 'failed'],
  ['initiated-api', 'accepted'],
  ['processing-api', 'accepted'],
  ['queued-api', 'accepted'],
  ['pending', 'accepted'],
  ['on-hold', 'accepted'],
]);

type Refusal = {
  readonly http: number;
  readonly meaning: string;
} & (
  | { readonly kind: 'failed' | 'unconfirmed'; readonly fault: 'order' | 'provider' }
  /** Refused before it was read. */
  | { readonly kind: 'not_sent' }
);

/** The codes that refuse a purchase. Any other code, or another HTTP status, is `unknown`. */
const REFUSALS: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
  ['missing_fields', { http: 400, kind: 'failed', fault: 'order', meaning: 'not acceptable' }],
  ['invalid_field', { http: 400, kind: 'failed', fault: 'order', meaning: 'not acceptable' }],
  [
    'insufficient_funds',
    { http: 402, kind: 'failed', fault: 'provider', meaning: 'our wallet at the provider is too low' },
  ],
  // VTU.ng refuses an order like another one of the last three minutes. It does not document that
  // it has not taken this one, so a look-up must confirm it.
  [
    'duplicate_order',
    { http: 409, kind: 'unconfirmed', fault: 'provider', meaning: 'too soon after a similar order' },
  ],
  ['wallet_busy', { http: 429, kind: 'not_sent', meaning: 'our wallet is busy' }],
  ['rate_limit_exceeded', { http: 429, kind: 'not_sent', meaning: 'too many calls' }],
  ...['jwt_auth_failed', 'jwt_auth_invalid_token', 'rest_forbidden'].map((code): [string, Refusal] => [
    code,
    { http: 403, kind: 'not_sent', meaning: 'our token was refused' },
  ]),
]);

const OK = 'success';
const NOT_FOUND = 'order_not_found';

/** Tells whether VTU.ng refused the token, and so did not execute the call. */
export function isTokenRefused(result: CallResult): boolean {
  if (result.kind !== 'reply' || result.status !== 403 || !isBody(result.body)) return false;
  return REFUSALS.get(word(result.body.code) ?? '')?.http === 403;
}

/** Reads the answer to a purchase. */
export function answerToPurchase(order: ProviderOrder, result: TokenedResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  if (result.kind === 'no_access') {
    return { kind: 'failed', code: 'no_access', message: result.reason, fault: 'provider' };
  }
  const reply = readReply(result);
  if ('kind' in reply) return reply;
  return reply.code === OK ? byStatus(order, reply) : refusal(reply);
}

/** Reads the answer to a requery. A refused requery proves nothing about the purchase. */
export function answerToQuery(order: ProviderOrder, result: TokenedResult): ProviderAnswer {
  if (result.kind === 'not_sent' || result.kind === 'no_access') return notQueried(result);
  const reply = readReply(result);
  if ('kind' in reply) return reply;
  if (reply.code === NOT_FOUND && reply.http === 404 && reply.status === undefined) {
    return { ...evidenceOf(reply), kind: 'not_found' };
  }
  return reply.code === OK ? byStatus(order, reply) : { ...evidenceOf(reply), kind: 'unknown' };
}

/** A readable reply. */
type Reply = {
  readonly http: number;
  readonly code: string;
  readonly text: string;
  readonly data: Body;
  /** The order's status in lower case. */
  readonly status: string | undefined;
};

function readReply(result: Extract<TokenedResult, { kind: 'reply' | 'lost' }>): Reply | Unknown {
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { status: http, body } = result;
  const code = isBody(body) ? word(body.code) : undefined;
  if (http >= 500 || !isBody(body) || code === undefined) {
    return unknown(`http_${http}`, `HTTP ${http}, no usable body`);
  }
  const data = isBody(body.data) ? body.data : {};
  // An error has the HTTP status as a number in this place.
  const status = typeof data.status === 'string' ? word(data.status)?.toLowerCase() : undefined;
  return { http, code, text: word(body.message) ?? '', data, status };
}

function refusal(reply: Reply): ProviderAnswer {
  const evidence = evidenceOf(reply);
  const refused = REFUSALS.get(reply.code);
  // An order in the reply contradicts its refusal.
  if (refused === undefined || refused.http !== reply.http || reply.status !== undefined) {
    return { ...evidence, kind: 'unknown' };
  }
  const message = `${refused.meaning}: ${reply.text}`;
  if (refused.kind === 'not_sent') return { ...evidence, message, kind: 'not_sent' };
  const forMerchant = refused.fault === 'order' && reply.text !== '' ? { telcoMessage: reply.text } : {};
  const failed: Failed = { ...evidence, ...forMerchant, message, kind: 'failed', fault: refused.fault };
  return refused.kind === 'failed' ? failed : unconfirmed(failed);
}

/** Reads an order. It must be ours: the reply to each call names it. */
function byStatus(order: ProviderOrder, reply: Reply): ProviderAnswer {
  const { data, http, status = '', text } = reply;
  if (word(data.request_id) !== order.reference) return otherOrder();
  const evidence = evidenceOf(reply);
  const kind = http < 300 ? STATUSES.get(status) : undefined;
  const forMerchant = text === '' ? {} : { telcoMessage: text };
  switch (kind) {
    case 'success':
      return delivered(order, reply, { ...evidence, ...forMerchant });
    case 'failed':
      return { ...evidence, ...forMerchant, kind: 'failed', fault: 'order' };
    case 'accepted':
      return { ...evidence, kind: 'accepted' };
    case undefined:
      return { ...evidence, kind: 'unknown' };
  }
}

type Evidence = Pick<ProviderAnswer, 'code' | 'message' | 'providerId' | 'telcoMessage'>;

function delivered(order: ProviderOrder, { data }: Reply, evidence: Evidence): ProviderAnswer {
  if (setsAmount(order) && data.amount !== undefined) {
    const amount = naira(data.amount);
    if (amount === undefined) return unknown('other_amount', 'the order has an unreadable amount');
    if (amount !== order.amount) {
      const message = `delivered, but ${formatAmount(amount)} instead of ${formatAmount(order.amount)}`;
      return { ...unknown('other_amount', message), delivered: true };
    }
  }
  const cost = naira(data.amount_charged);
  const goods = readGoods(order, data);
  return { ...evidence, ...(cost !== undefined && { cost }), ...(goods && { goods }), kind: 'success' };
}

/** Tells whether the order sets the amount. Plans are bought at VTU.ng's price. */
function setsAmount({ product }: ProviderOrder): boolean {
  return product !== 'data' && product !== 'CABLE';
}

/**
 * Reads the token of a prepaid meter. Whether a requery repeats it is not documented, so both
 * places are read. Without a token the success stands, and the goods are queried again.
 */
function readGoods(order: ProviderOrder, data: Body): Goods | undefined {
  if (order.product !== 'ELECTRICITY' || meterKindOf(order) !== 'prepaid') return undefined;
  for (const place of [data, isBody(data.meta_data) ? data.meta_data : {}]) {
    const find = fieldFinder(place);
    const goods = meterGoods(find('token'));
    if (goods === undefined) continue;
    const units = unitCount(find('units'));
    return { ...goods, ...(units && { units }) };
  }
  return undefined;
}

function evidenceOf({
  code,
  status,
  text,
  data,
}: Reply): Pick<ProviderAnswer, 'code' | 'message' | 'providerId'> {
  const providerId = word(data.order_id);
  return {
    code: status ?? code,
    message: `${code} ${status ?? 'no status'}: ${text}${balanceWords(data)}`,
    ...(providerId !== undefined && { providerId }),
  };
}

/** Returns our balance before and after the order in words, for the timeline. */
function balanceWords({ initial_balance, final_balance }: Body): string {
  const [before, after] = [naira(initial_balance), naira(final_balance)];
  if (before === undefined || after === undefined) return '';
  return `; balance ${formatAmount(before)} to ${formatAmount(after)}`;
}

/** Returns the data of a successful reply. Undefined for any other. */
function okData(result: TokenedResult): unknown {
  if (result.kind !== 'reply' || result.status >= 300 || !isBody(result.body)) return undefined;
  return result.body.code === OK ? result.body.data : undefined;
}

/** Reads our balance, which is in naira. */
export function readBalance(result: TokenedResult): Money | undefined {
  const data = okData(result);
  if (!isBody(data)) return undefined;
  const amount = naira(data.balance);
  const isNaira = (word(data.currency)?.toUpperCase() ?? 'NGN') === 'NGN';
  return amount === undefined || !isNaira ? undefined : { amount, currency: 'NGN' };
}

/** Reads the available plans. Undefined without a list. */
export function readPlans(result: TokenedResult): readonly ProviderPlan[] | undefined {
  const data = okData(result);
  return Array.isArray(data) ? data.flatMap(readPlan) : undefined;
}

/** `price` is the public price, `reseller_price` the price of the account. */
function readPlan(item: unknown): readonly ProviderPlan[] {
  if (isBody(item) && word(item.availability)?.toLowerCase() === 'unavailable') return [];
  const code = isBody(item) ? word(item.variation_id) : undefined;
  if (!isBody(item) || code === undefined) return [unreadablePlan];
  const name = word(item.data_plan) ?? word(item.package_bouquet) ?? code;
  const cost = naira(item.reseller_price);
  return [
    {
      code,
      name,
      price: naira(item.price),
      fixed: true,
      ...(cost !== undefined && { cost }),
      ...planFacts(word(item.data_plan) ?? ''),
    },
  ];
}

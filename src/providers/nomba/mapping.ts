/**
 * Maps Nomba's replies to answers. Pure. Sources: Nomba's OpenAPI document, its pages on error
 * codes and on verifying transactions.
 *
 * Guarantees: success and failure come only from the statuses SUCCESS and REFUND, and from listed
 * refusals, which the connector confirms by a look-up. CANCELLED, PAYMENT_FAILED and
 * REVERSED_BY_VENDOR are pending, as Nomba documents. A look-up counts only if its record names our
 * reference, because Nomba has returned other customers' records. A success of another amount is
 * `unknown`.
 */
import { formatAmount, type Money } from '../../core/money.ts';
import { type Failed, notQueried, notSent, otherOrder, type Unknown, unknown } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import {
  type Body,
  fieldFinder,
  isBody,
  meterGoods,
  minorUnits,
  unitCount,
  word,
} from '../http/reply-fields.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import { unreadablePlan } from '../plan-facts.ts';
import type { CustomerAnswer, Goods, ProviderAnswer, ProviderOrder, ProviderPlan } from '../provider.ts';

/** The codes that refuse a purchase without a status. Any other code is `unknown`. */
const REFUSALS: ReadonlyMap<string, { readonly fault: 'order' | 'provider'; readonly meaning: string }> =
  new Map([
    ['02', { fault: 'order', meaning: 'not acceptable' }],
    ['400', { fault: 'order', meaning: 'not acceptable' }],
    ['404', { fault: 'order', meaning: 'no such product or customer' }],
    ['422', { fault: 'order', meaning: 'not acceptable' }],
    ['05', { fault: 'provider', meaning: 'not permitted to our account' }],
    ['403', { fault: 'provider', meaning: 'not permitted to our account' }],
    ['401', { fault: 'provider', meaning: 'our credentials were refused' }],
  ]);

const OK = '00';
const ACCEPTED = '202';
const NOT_FOUND = '404';
const UNAUTHORISED = '401';
const TOO_MANY = '429';

const IN_PROGRESS: ReadonlySet<string> = new Set([
  'PENDING_BILLING',
  'NEW',
  'PENDING_PAYMENT',
  'PAYMENT_SUCCESSFUL',
  'PROCESSING',
  'PROCESSING...',
  'CANCELLED',
  'PAYMENT_FAILED',
  'REVERSED_BY_VENDOR',
]);

// The answer to a used reference is not documented. A refusal with these words may be about a
// purchase that succeeded earlier.
const MEANS_DUPLICATE = /duplicat|already|idempoten|merchantTxRef/i;
const MEANS_OUR_FLOAT = /insufficient[ _]?(?:wallet[ _]?)?(?:balance|funds)/i;

/** Reads the answer to a purchase. */
export function answerToPurchase(order: ProviderOrder, result: TokenedResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  if (result.kind === 'no_access') {
    return { kind: 'failed', code: 'no_access', message: result.reason, fault: 'provider' };
  }
  const reply = readReply(result);
  if ('kind' in reply) return reply;
  if (reply.reference !== undefined && reply.reference !== order.reference) return otherOrder();
  if (reply.code === OK && reply.state !== undefined) return byState(order, reply);
  const evidence = evidenceOf(reply);
  if (reply.code === ACCEPTED) return { ...evidence, kind: 'accepted' };
  return reply.state === undefined ? refusal(reply) : { ...evidence, kind: 'unknown' };
}

/**
 * Reads the answer to a look-up. A look-up that did not leave proves nothing about the purchase.
 */
export function answerToQuery(order: ProviderOrder, result: TokenedResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notQueried(result);
  if (result.kind === 'no_access') return notQueried(result);
  const reply = readReply(result);
  if ('kind' in reply) return reply;
  if (reply.code === NOT_FOUND && reply.data === undefined) {
    return { ...evidenceOf(reply), kind: 'not_found' };
  }
  if (reply.code !== OK || reply.data === undefined) return { ...evidenceOf(reply), kind: 'unknown' };
  if (reply.reference !== order.reference) return otherOrder();
  const isReadable = reply.amount !== undefined || reply.data.amount === undefined;
  return isReadable || order.product === 'data'
    ? byState(order, reply)
    : unknown('other_amount', 'the record has an unreadable amount');
}

/**
 * Tells whether an order failed by a code without a status. Nomba documents the same words for
 * errors of any kind, so the code proves nothing. A refused token does: its call was not executed.
 */
export function needsConfirmation(answer: ProviderAnswer): answer is Failed {
  return answer.kind === 'failed' && answer.code !== UNAUTHORISED && REFUSALS.has(answer.code);
}

/** A readable reply. */
type Reply = {
  /** The envelope's code, or the HTTP status if that is more specific. */
  readonly code: string;
  readonly text: string;
  readonly data: Body | undefined;
  /** `data.status` in upper case. */
  readonly state: string | undefined;
  /** The `merchantTxRef` that the reply names. */
  readonly reference: string | undefined;
  readonly amount: bigint | undefined;
};

function readReply(result: Exclude<CallResult, { kind: 'not_sent' }>): Reply | Unknown {
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { body } = result;
  const code = codeOf(result);
  if (code === undefined || !isBody(body))
    return unknown(`http_${result.status}`, `HTTP ${result.status}, no usable body`);
  const data = isBody(body.data) && Object.keys(body.data).length > 0 ? body.data : undefined;
  const meta = isBody(data?.meta) ? data.meta : {};
  return {
    code,
    text: word(data?.gatewayMessage) ?? word(body.message) ?? word(body.description) ?? '',
    data,
    state: word(data?.status)?.toUpperCase(),
    reference: word(data?.merchantTxRef) ?? word(meta.merchantTxRef),
    amount: minorUnits(data?.amount),
  };
}

/**
 * Undefined for replies that are not Nomba's: 3xx, 5xx, and a missing or contradictory envelope.
 */
function codeOf({ status, body }: Extract<CallResult, { kind: 'reply' }>): string | undefined {
  if (status >= 500 || (status >= 300 && status < 400) || !isBody(body)) return undefined;
  if (status === 401 || status === 429) return String(status);
  const code = word(body.code);
  return status >= 400 && (code === OK || code === ACCEPTED) ? undefined : code;
}

/** Tells whether Nomba refused the token, and so did not execute the call. */
export function isUnauthorised(result: CallResult): boolean {
  if (result.kind !== 'reply' || codeOf(result) !== UNAUTHORISED) return false;
  const reply = readReply(result);
  return !('kind' in reply) && reply.state === undefined;
}

function refusal(reply: Reply): ProviderAnswer {
  const evidence = evidenceOf(reply);
  if (reply.code === TOO_MANY) return { ...evidence, kind: 'not_sent' };
  const refused = REFUSALS.get(reply.code);
  if (refused === undefined || MEANS_DUPLICATE.test(reply.text)) return { ...evidence, kind: 'unknown' };
  if (MEANS_OUR_FLOAT.test(reply.text)) {
    return {
      ...evidence,
      message: `our wallet at the provider is too low: ${reply.text}`,
      kind: 'failed',
      fault: 'provider',
    };
  }
  const forMerchant = refused.fault === 'order' && reply.text !== '' ? { telcoMessage: reply.text } : {};
  return {
    ...evidence,
    ...forMerchant,
    message: `${refused.meaning}: ${reply.text}`,
    kind: 'failed',
    fault: refused.fault,
  };
}

function byState(order: ProviderOrder, reply: Reply): ProviderAnswer {
  const evidence = evidenceOf(reply);
  if (isOtherAmount(order, reply)) return otherAmount(order, reply);
  const forMerchant = reply.text === '' ? {} : { telcoMessage: reply.text };
  const { state = '' } = reply;
  if (state === 'SUCCESS') {
    const cost = costOf(reply);
    const paid = {
      ...evidence,
      ...forMerchant,
      ...(cost !== undefined && { cost }),
      kind: 'success',
    } as const;
    if (!owesToken(order)) return paid;
    const goods = readGoods(reply);
    return goods === undefined
      ? {
          ...paid,
          message: `${evidence.message}; without a token, which Nomba returns in the purchase reply only`,
        }
      : { ...paid, goods };
  }
  if (state === 'REFUND') return { ...evidence, ...forMerchant, kind: 'failed', fault: 'order' };
  return { ...evidence, kind: IN_PROGRESS.has(state) ? 'accepted' : 'unknown' };
}

/** Compares the amounts. A data plan is bought at Nomba's price, which may differ from ours. */
function isOtherAmount({ product, amount }: ProviderOrder, reply: Reply): boolean {
  return product !== 'data' && reply.amount !== undefined && reply.amount !== amount;
}

function otherAmount({ amount }: ProviderOrder, { state, amount: other = 0n }: Reply): ProviderAnswer {
  const message = `${state}, but of ${formatAmount(other)} instead of ${formatAmount(amount)}`;
  const answer = unknown('other_amount', message);
  return state === 'SUCCESS' ? { ...answer, delivered: true } : answer;
}

function owesToken({ product, planCodes }: ProviderOrder): boolean {
  return product === 'ELECTRICITY' && planCodes?.meter_type?.toLowerCase() === 'prepaid';
}

function readGoods({ data }: Reply): Goods | undefined {
  const find = fieldFinder(isBody(data?.meta) ? data.meta : {});
  const goods = meterGoods(find('phcnVendToken'));
  const units = unitCount(find('phcnVendUnits'));
  return goods && { ...goods, ...(units && { units }) };
}

/** Adds the fee to the amount. Purchases and look-ups name the fee differently. */
function costOf({ data, amount }: Reply): bigint | undefined {
  const fee = minorUnits(data?.fee ?? data?.fixedCharge ?? 0);
  return amount === undefined || fee === undefined ? undefined : amount + fee;
}

function evidenceOf({
  code,
  state,
  text,
  data,
}: Reply): Pick<ProviderAnswer, 'code' | 'message' | 'providerId'> {
  const meta = isBody(data?.meta) ? data.meta : {};
  const providerId = word(data?.id) ?? word(meta.rrn);
  return {
    code: state ?? code,
    message: `${code} ${state ?? 'no status'}: ${text}`,
    ...(providerId !== undefined && { providerId }),
  };
}

/** Reads the answer to the look-up of a customer: a name or a refusal. */
export function answerToLookup(result: TokenedResult): CustomerAnswer {
  if (result.kind !== 'reply') return { kind: 'unavailable', code: 'no_answer', message: result.reason };
  const code = codeOf(result);
  const body = isBody(result.body) ? result.body : {};
  const text = word(body.description) ?? word(body.message) ?? 'no such customer';
  if (code === undefined) {
    return { kind: 'unavailable', code: `http_${result.status}`, message: `HTTP ${result.status}: ${text}` };
  }
  const name = typeof body.data === 'string' ? word(body.data) : undefined;
  if (code === OK && name !== undefined) return { kind: 'verified', customer: { name } };
  const isRefused = REFUSALS.get(code)?.fault === 'order';
  return { kind: isRefused ? 'rejected' : 'unavailable', code, message: text };
}

/** Reads our balance, which is in naira. */
export function readBalance(result: TokenedResult): Money | undefined {
  const data = okData(result);
  const amount = isBody(data) ? minorUnits(data.amount) : undefined;
  return amount === undefined ? undefined : { amount, currency: 'NGN' };
}

/** Reads the data plans of a network. Undefined when the reply has no list. */
export function readPlans(result: TokenedResult): readonly ProviderPlan[] | undefined {
  const data = okData(result);
  return Array.isArray(data) ? data.flatMap(readPlan) : undefined;
}

function readPlan(item: unknown): readonly ProviderPlan[] {
  const code = isBody(item) ? word(item.productId) : undefined;
  if (!isBody(item) || code === undefined) return [unreadablePlan];
  return [{ code, name: word(item.plan) ?? code, price: minorUnits(item.amount), fixed: true }];
}

/** Returns the data of a successful reply. Undefined for any other. */
export function okData(result: TokenedResult): unknown {
  if (result.kind !== 'reply' || codeOf(result) !== OK || !isBody(result.body)) return undefined;
  return result.body.data;
}

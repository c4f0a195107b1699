/**
 * Maps ClubKonnect's replies to answers. Pure. `purchase.ts` has the requests, `customer.ts` the
 * verification. ClubKonnect's own pages were not available: the codes are those of its status
 * guide as a client with a live account quotes it, and the fields those of recorded answers.
 *
 * Guarantees: success and failure come only from a listed code in a reply with HTTP 2xx. Every
 * other reply, a contradictory one and one about another order is `unknown`. There is no
 * `not_found`: `INVALID_REQUESTID` is known from one client's test double only, so an order that
 * is not found stays `unknown` until a person decides.
 */
import { formatAmount, type Money } from '../../core/money.ts';
import { notQueried, notSent, otherOrder, type Unknown, unknown } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, naira, word } from '../http/reply-fields.ts';
import { planFacts, unreadablePlan } from '../plan-facts.ts';
import type { ProviderAnswer, ProviderOrder, ProviderPlan } from '../provider.ts';
import { hasCards, readGoods } from './goods.ts';

type Verdict =
  | { readonly kind: 'success' }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'failed'; readonly fault: 'order' | 'provider'; readonly meaning: string };

const accepted: Verdict = { kind: 'accepted' };
const ours = (meaning: string): Verdict => ({ kind: 'failed', fault: 'provider', meaning });
const theirs = (meaning: string): Verdict => ({ kind: 'failed', fault: 'order', meaning });

const CREDENTIALS = ours('our credentials were refused');
const API_ACCESS = ours('our access to the API was refused');
const NO_NETWORK = theirs('The network is not available');
const BAD_AMOUNT = theirs('The amount is not acceptable');
const CANCELLED = theirs('The order was cancelled');

/**
 * The codes of orders. Any other code is `unknown`, and so are 299 (completed, unspecified) and 521
 * (already completed, cancelled or refunded), which may mean either outcome.
 */
const CODES: ReadonlyMap<string, Verdict> = new Map([
  ['100', accepted],
  ['199', accepted],
  ['200', { kind: 'success' }],
  // Completed, but the network did not respond: ClubKonnect tries again for an hour.
  ['201', accepted],
  ['300', accepted],
  ['399', accepted],
  ['400', CREDENTIALS],
  ['401', CREDENTIALS],
  ['402', CREDENTIALS],
  ['403', CREDENTIALS],
  ['404', NO_NETWORK],
  ['405', BAD_AMOUNT],
  ['406', BAD_AMOUNT],
  ['407', BAD_AMOUNT],
  ['408', BAD_AMOUNT],
  ['409', theirs('The recipient is not acceptable')],
  ['410', API_ACCESS],
  ['411', API_ACCESS],
  ['412', ours('the amount for the API is used up')],
  ['413', API_ACCESS],
  ['414', API_ACCESS],
  ['415', API_ACCESS],
  ['416', API_ACCESS],
  ['417', ours('our wallet at the provider is too low')],
  ['418', NO_NETWORK],
  ['499', theirs('The order was refused')],
  // ClubKonnect may have called the network, so another provider must not get the order.
  ...Array.from({ length: 21 }, (_, index): [string, Verdict] => [String(500 + index), CANCELLED]),
  ['506', theirs('The network is busy')],
  ['509', theirs('The order was cancelled and credited back')],
  ['516', theirs('The number is not of MTN')],
  ['517', theirs('The number is not eligible for this plan')],
  ['518', theirs('The number is not eligible for this plan')],
  ['519', theirs('The plan is not active')],
  ['520', theirs('The number is not of Glo')],
  ['599', CANCELLED],
  ['600', accepted],
  ['601', accepted],
  ['602', theirs('The order was credited back')],
  ['603', accepted],
  ['604', accepted],
  ['605', accepted],
  ['606', accepted],
  ['699', accepted],
]);

/** The statuses of a purchase that was refused before it became an order. They have no code. */
const REFUSALS: ReadonlyMap<string, Verdict> = new Map([
  ['INSUFFICIENT_BALANCE', ours('our wallet at the provider is too low')],
  ['INVALID_CREDENTIALS', CREDENTIALS],
  ['INVALID_DATAPLAN', theirs('The data plan is not available')],
  ['MINIMUM_50', BAD_AMOUNT],
  ['QUANTITY_NOT_AVAILABLE', theirs('No such recharge card is in stock')],
  ['VALUE_ALLOWED_100_200_500', BAD_AMOUNT],
]);

const MISSING = /^MISSING_[A-Z_]{1,40}$/;

/** Reads the answer to a purchase. */
export function answerToPurchase(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  const reply = readReply(order, result);
  if ('kind' in reply) return reply;
  const { code, status, body } = reply;
  if (code !== undefined) return decide(order, reply, CODES.get(code));
  const hasPin = order.product === 'EDUCATION' && (readGoods(order, body) !== undefined || hasCards(body));
  const isCompleted = status === '' || status === COMPLETED;
  // The documented answer with a PIN has no code. Only here is the PIN certain to be shown.
  if (hasPin) {
    return decide(order, { ...reply, status: COMPLETED }, isCompleted ? { kind: 'success' } : undefined);
  }
  const refused = MISSING.test(status) ? ours('a field of our order is missing') : REFUSALS.get(status);
  // An answer with an id means that an order exists.
  return decide(order, reply, reply.orderId === undefined ? refused : undefined);
}

/**
 * Reads the answer to `APIQueryV1`. A refused query proves nothing about the order, and may quote
 * our id with a code of our credentials. So a code counts only in an answer that names the order,
 * and a failure only beside a status of orders.
 */
export function answerToQuery(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notQueried(result);
  const reply = readReply(order, result);
  if ('kind' in reply) return reply;
  const isNamed = reply.isOurs || (order.providerId !== undefined && reply.orderId === order.providerId);
  const verdict = isNamed ? CODES.get(reply.code ?? '') : undefined;
  const isRefusedQuery = verdict?.kind === 'failed' && !reply.status.startsWith('ORDER_');
  return decide(order, reply, isRefusedQuery ? undefined : verdict);
}

type Reply = {
  /** Three digits. */
  readonly code: string | undefined;
  /** Empty without one. */
  readonly status: string;
  readonly orderId: string | undefined;
  /** Whether the reply has our own id. */
  readonly isOurs: boolean;
  readonly body: Body;
};

function readReply(
  { reference, providerId, recipient, product }: ProviderOrder,
  result: Exclude<CallResult, { kind: 'not_sent' }>,
): Reply | Unknown {
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { status, body } = result;
  if (status < 200 || status > 299 || !isBody(body)) {
    return unknown(`http_${status}`, `HTTP ${status}, no usable body`);
  }
  const requestId = word(body.requestid);
  const orderId = word(body.orderid);
  const phone = product === 'airtime' || product === 'data' ? word(body.mobilenumber) : undefined;
  const isOther =
    (requestId !== undefined && requestId !== reference) ||
    (providerId !== undefined && orderId !== undefined && orderId !== providerId) ||
    (phone !== undefined && phone.slice(-10) !== recipient.slice(-10));
  if (isOther) return otherOrder();
  const code = word(body.statuscode);
  return {
    code: code !== undefined && /^\d{3}$/.test(code) ? code : undefined,
    status: word(body.status) ?? '',
    orderId,
    isOurs: requestId !== undefined,
    body,
  };
}

const COMPLETED = 'ORDER_COMPLETED';
const WORD = /^[A-Z0-9_]{1,60}$/;

function decide(order: ProviderOrder, reply: Reply, verdict: Verdict | undefined): ProviderAnswer {
  const { code, status, orderId, body } = reply;
  const balance = naira(body.walletbalance);
  const evidence = {
    code: code ?? (WORD.test(status) ? status : 'no_code'),
    message: [
      `${status || 'no status'}: ${word(body.remark) ?? ''}`,
      ...(balance === undefined ? [] : [`balance ${formatAmount(balance)}`]),
    ].join('; '),
    ...(orderId !== undefined && { providerId: orderId }),
  };
  switch (verdict?.kind) {
    case 'accepted':
      return { ...evidence, kind: 'accepted' };
    case 'failed': {
      if (contradicts(code, status)) return { ...evidence, kind: 'unknown' };
      const { fault, meaning } = verdict;
      const message = `${meaning}: ${evidence.message}`;
      // The remark may speak about our account, so the customer gets the documented meaning.
      const forMerchant = fault === 'order' ? { telcoMessage: meaning } : {};
      return { ...evidence, ...forMerchant, message, kind: 'failed', fault };
    }
    case 'success':
      return status === COMPLETED ? delivered(order, reply, evidence) : { ...evidence, kind: 'unknown' };
    default:
      return { ...evidence, kind: 'unknown' };
  }
}

/**
 * Tells whether the status contradicts a failure. 602 is an order on hold that was credited back.
 */
function contradicts(code: string | undefined, status: string): boolean {
  if (!status.startsWith('ORDER_')) return false;
  if (code === '602' && status === 'ORDER_ONHOLD') return false;
  return status !== 'ORDER_ERROR' && status !== 'ORDER_CANCELLED';
}

function delivered(
  order: ProviderOrder,
  { body }: Reply,
  evidence: Pick<ProviderAnswer, 'code' | 'message' | 'providerId'>,
): ProviderAnswer {
  const amount = order.product === 'airtime' ? creditOf(body.ordertype) : undefined;
  if (amount !== undefined && amount !== order.amount) {
    const message = `delivered, but ${formatAmount(amount)} instead of ${formatAmount(order.amount)}`;
    return { ...evidence, kind: 'unknown', code: 'other_amount', message, delivered: true };
  }
  const cost = naira(body.amountcharged);
  const goods = readGoods(order, body);
  if (goods === undefined && hasCards(body)) {
    const message = 'delivered, but not the one card that was ordered';
    return { ...evidence, kind: 'unknown', code: 'other_card', message, delivered: true };
  }
  return {
    ...evidence,
    telcoMessage: COMPLETED,
    ...(cost !== undefined && { cost }),
    ...(goods && { goods }),
    kind: 'success',
  };
}

/** Reads the amount in `1000 Credit`, the order type of airtime. */
function creditOf(value: unknown): bigint | undefined {
  return naira(/^([\d,.]+) Credit$/i.exec(word(value) ?? '')?.[1]);
}

/** Reads our balance from the reply of `APIWalletBalanceV1`. */
export function readBalance(result: CallResult): Money | undefined {
  if (result.kind !== 'reply' || result.status > 299 || !isBody(result.body)) return undefined;
  const amount = naira(result.body.balance);
  return amount === undefined ? undefined : { amount, currency: 'NGN' };
}

/**
 * Reads the data plans of a network (`MTN`, `Glo`, `m_9mobile`, `Airtel`) from the reply of
 * `APIDatabundlePlansV2`. The plans are listed flat, or below `PRODUCT`. Undefined without a list.
 */
export function readPlans(network: string, result: CallResult): readonly ProviderPlan[] | undefined {
  if (result.kind !== 'reply' || result.status > 299 || !isBody(result.body)) return undefined;
  const networks = result.body.MOBILE_NETWORK;
  const listed = isBody(networks) && Object.hasOwn(networks, network) ? networks[network] : undefined;
  return Array.isArray(listed) ? listed.flatMap(readPlan) : undefined;
}

function readPlan(item: unknown): readonly ProviderPlan[] {
  if (isBody(item) && Array.isArray(item.PRODUCT)) return item.PRODUCT.flatMap(readPlan);
  const code = isBody(item) ? word(item.PRODUCT_ID) : undefined;
  if (!isBody(item) || code === undefined) return [unreadablePlan];
  const price = naira(item.PRODUCT_AMOUNT);
  const name = word(item.PRODUCT_NAME) ?? code;
  return [
    { code, name, price, fixed: true, ...(price !== undefined && { cost: price }), ...planFacts(name) },
  ];
}

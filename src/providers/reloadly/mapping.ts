/**
 * Maps Reloadly's orders and replies. Pure. Source: Reloadly's documentation of gift cards,
 * "Orders" and "Reports", and its list of error codes.
 *
 * Guarantees: success and failure come only from the statuses SUCCESSFUL, REFUNDED and FAILED, from
 * listed refusals, and from refusals without a code, which the connector confirms by a search. A
 * record counts only if it names our identifier exactly (Reloadly's search ignores case) and the
 * ordered item.
 */
import { formatAmount } from '../../core/money.ts';
import { type Failed, notQueried, notSent, otherOrder, unknown } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, minorUnits, word } from '../http/reply-fields.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import type { ProviderAnswer, ProviderOrder } from '../provider.ts';
import type { Request } from './client.ts';

type Refusal = { readonly fault: 'order' | 'provider'; readonly meaning: string };

/** The values of `errorCode` under HTTP 4xx that refuse an order. Any other is `unknown`. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  INVALID_INPUT_PROVIDED: { fault: 'order', meaning: 'not acceptable' },
  WRONG_PRODUCT_PRICE: { fault: 'order', meaning: 'not a value of this card' },
  INVALID_AMOUNT: { fault: 'order', meaning: 'not acceptable' },
  IMPOSSIBLE_AMOUNT: { fault: 'order', meaning: 'not acceptable' },
  INVALID_PRODUCT: { fault: 'order', meaning: 'no such product' },
  COUNTRY_NOT_SUPPORTED: { fault: 'order', meaning: 'not sold there' },
  TRANSACTION_CANNOT_BE_PROCESSED: { fault: 'order', meaning: 'not available' },
  TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT: { fault: 'order', meaning: 'not available now' },
  INSUFFICIENT_BALANCE: { fault: 'provider', meaning: 'our wallet at the provider is too low' },
  INSUFFICIENT_WALLET_BALANCE: { fault: 'provider', meaning: 'our wallet at the provider is too low' },
  INACTIVE_ACCOUNT: { fault: 'provider', meaning: 'our account is not active' },
  ACCOUNT_NOT_FOUND: { fault: 'provider', meaning: 'our account is not known' },
  INVALID_CREDENTIALS: { fault: 'provider', meaning: 'our credentials were refused' },
  INVALID_TOKEN: { fault: 'provider', meaning: 'our credentials were refused' },
  MISSING_TOKEN: { fault: 'provider', meaning: 'our credentials were refused' },
  TOKEN_EXPIRED: { fault: 'provider', meaning: 'our credentials were refused' },
};

const SUCCESSFUL = 'SUCCESSFUL';
const FAILURES: ReadonlySet<string> = new Set(['REFUNDED', 'FAILED']);
const IN_PROGRESS: ReadonlySet<string> = new Set(['PROCESSING', 'PENDING']);
const NOT_FOUND = 'TRANSACTION_NOT_FOUND';

const UNAUTHORISED = 401;
const TOO_MANY = 429;

/** More records than this mean that Reloadly did not search by the identifier. */
const RECORDS_MAX = 50;

const PRODUCT_ID = /^[1-9]\d{0,9}$/;

/** Builds the order. Undefined when the plan has no product id or the order names no card. */
export function toOrder(order: ProviderOrder, senderName: string): Request | undefined {
  const productId = productIdOf(order.planCodes);
  if (order.product !== 'GIFTCARD' || order.item === undefined || productId === undefined) return undefined;
  const { quantity, unitPrice } = order.item;
  return {
    operation: 'purchase',
    method: 'POST',
    path: '/orders',
    body: {
      productId,
      quantity,
      // Two decimals at most and far below 2^53: exact as a JSON number.
      unitPrice: Number(formatAmount(unitPrice)),
      customIdentifier: order.reference,
      senderName,
      // A pre-ordered card is delivered later, but would be sold as immediate.
      preOrder: false,
    },
  };
}

export function productIdOf(planCodes: ProviderOrder['planCodes']): number | undefined {
  const id = planCodes?.product_id;
  return id !== undefined && PRODUCT_ID.test(id) ? Number(id) : undefined;
}

/** Builds the search for the order by our identifier. */
export function toSearch({ reference }: ProviderOrder): Request {
  const query = new URLSearchParams({
    customIdentifier: reference,
    size: String(RECORDS_MAX),
    page: '1',
  });
  return { operation: 'query', method: 'GET', path: `/reports/transactions?${query}` };
}

/** Reads the answer to an order. Another call reads the cards of a success. */
export function answerToPurchase(order: ProviderOrder, result: TokenedResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  if (result.kind === 'no_access') {
    return { kind: 'failed', code: 'no_access', message: result.reason, fault: 'provider' };
  }
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { status, body } = result;
  if (status >= 500 || (status >= 300 && status < 400) || !isBody(body)) return unreadable(result);
  if (status >= 400) return refusal(status, body);
  // A reply to our order may omit the identifier. A reply with another identifier is not ours.
  const isNamed = body.customIdentifier !== undefined && body.customIdentifier !== null;
  if (isNamed && body.customIdentifier !== order.reference) return otherOrder();
  return ofOurs(order, body);
}

const MEANS_OUR_FLOAT = /\bbalance\b|\bfunds\b/i;
const MEANS_USED = /duplicat|already|identifier/i;

/**
 * Reads a refusal without a code, as many of Reloadly's are. Its message does not prove that
 * nothing was executed. Undefined for anything else.
 */
export function uncodedRefusal(result: TokenedResult): Failed | undefined {
  if (result.kind !== 'reply' || !UNCODED_STATUSES.has(result.status) || !isBody(result.body))
    return undefined;
  const { body, status } = result;
  const text = word(body.message) ?? '';
  const isUncoded = 'errorCode' in body && word(body.errorCode) === undefined;
  if (!isUncoded || text === '' || namesOrder(body) || MEANS_USED.test(text)) return undefined;
  const evidence = { kind: 'failed', code: `http_${status}`, message: `HTTP ${status}: ${text}` } as const;
  return MEANS_OUR_FLOAT.test(text)
    ? { ...evidence, fault: 'provider' }
    : { ...evidence, fault: 'order', telcoMessage: text };
}

const UNCODED_STATUSES: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/**
 * Reads the answer to the search for the order. A search that did not leave proves nothing about
 * the order.
 */
export function answerToQuery(order: ProviderOrder, result: TokenedResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notQueried(result);
  if (result.kind === 'no_access') return notQueried(result);
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { status, body } = result;
  if (status === 404 && isBody(body) && body.errorCode === NOT_FOUND) return notFound(NOT_FOUND);
  const records = status < 300 ? listOf(body) : undefined;
  if (records === undefined) return unreadable(result);
  const others = records.filter((record) => !sameButForCase(record.customIdentifier, order.reference));
  if (others.length > 0 || records.length >= RECORDS_MAX) return otherOrder();
  const ours = records.filter((record) => record.customIdentifier === order.reference);
  if (ours.length === 0) return notFound('none');
  return ofAll(ours.map((record) => ofOurs(order, record)));
}

const BEST_FIRST: readonly ProviderAnswer['kind'][] = ['success', 'accepted', 'unknown', 'failed'];

/** Combines the answers. Reloadly may accept an identifier twice; then a success counts. */
function ofAll(answers: readonly ProviderAnswer[]): ProviderAnswer {
  const rank = ({ kind }: ProviderAnswer): number => BEST_FIRST.indexOf(kind);
  const [first] = answers.toSorted((one, other) => rank(one) - rank(other));
  if (first === undefined) return notFound('none');
  if (answers.length === 1) return first;
  return {
    ...first,
    message: `${first.message}; ${answers.length} orders under one identifier: needs a check by a person`,
  };
}

/** Reads the list in a page, or the bare list of the older interface. */
export function listOf(body: unknown): readonly Body[] | undefined {
  const list = isBody(body) ? body.content : body;
  if (!Array.isArray(list) || !list.every(isBody)) return undefined;
  // An empty page that counts records proves nothing.
  const total = isBody(body) ? body.totalElements : undefined;
  return list.length === 0 && typeof total === 'number' && total > 0 ? undefined : list;
}

/**
 * Reads a record under our identifier. A record of another card, value or quantity does not answer
 * our order, but a delivery under our identifier is kept as evidence.
 */
function ofOurs(order: ProviderOrder, record: Body): ProviderAnswer {
  const answer = byStatus(record);
  if (isWhatWasOrdered(order, record)) return answer;
  return answer.kind === 'success' ? { ...otherOrder(), delivered: true } : otherOrder();
}

function isWhatWasOrdered(order: ProviderOrder, record: Body): boolean {
  const product = isBody(record.product) ? record.product : {};
  const agrees = (stated: unknown, ours: string | undefined): boolean =>
    stated === undefined || stated === null || word(stated) === ours;
  const price = product.unitPrice ?? undefined;
  return (
    agrees(product.productId, order.planCodes?.product_id) &&
    agrees(product.quantity, order.item?.quantity.toString()) &&
    (price === undefined || minorUnits(price) === order.item?.unitPrice)
  );
}

function byStatus(record: Body): ProviderAnswer {
  const status = word(record.status)?.toUpperCase() ?? '';
  const providerId = word(record.transactionId);
  const evidence = {
    code: status === '' ? 'no_status' : status,
    message: `${status === '' ? 'no status' : status}, transaction ${providerId ?? 'without an id'}`,
    ...(providerId !== undefined && { providerId }),
  };
  if (status === SUCCESSFUL) {
    const cost = costOf(record);
    return { ...evidence, kind: 'success', ...(cost !== undefined && { cost }) };
  }
  if (FAILURES.has(status)) return { ...evidence, kind: 'failed', fault: 'order' };
  return { ...evidence, kind: IN_PROGRESS.has(status) ? 'accepted' : 'unknown' };
}

/** Reads our cost of the order, with fees. Only an account in naira states it in kobo. */
function costOf({ amount, currencyCode }: Body): bigint | undefined {
  return currencyCode === 'NGN' ? minorUnits(amount) : undefined;
}

function refusal(status: number, body: Body): ProviderAnswer {
  const text = word(body.message) ?? '';
  const code = word(body.errorCode) ?? `http_${status}`;
  const evidence = { code, message: `HTTP ${status} ${code}: ${text}` };
  // A refusal together with an order is unclear.
  if (namesOrder(body)) return { ...evidence, kind: 'unknown' };
  if (status === TOO_MANY) return { ...evidence, kind: 'not_sent' };
  if (status === UNAUTHORISED) return { ...evidence, kind: 'failed', fault: 'provider' };
  const refused = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  if (refused === undefined) return { ...evidence, kind: 'unknown' };
  const { fault, meaning } = refused;
  return {
    ...evidence,
    message: `${code}, ${meaning}: ${text}`,
    kind: 'failed',
    fault,
    ...(fault === 'order' && text !== '' && { telcoMessage: text }),
  };
}

/** Tells whether a body names an order. A numeric `status` only repeats that of HTTP. */
function namesOrder(body: Body): boolean {
  return 'transactionId' in body || typeof body.status === 'string';
}

/** Tells whether Reloadly refused the token, and so did not execute the call. */
export function isUnauthorised(result: CallResult): boolean {
  return (
    result.kind === 'reply' &&
    result.status === UNAUTHORISED &&
    !(isBody(result.body) && namesOrder(result.body))
  );
}

function sameButForCase(stated: unknown, reference: string): boolean {
  return typeof stated === 'string' && stated.toLowerCase() === reference.toLowerCase();
}

function unreadable({ status, body }: Extract<TokenedResult, { kind: 'reply' }>): ProviderAnswer {
  const code = isBody(body) ? word(body.errorCode) : undefined;
  return unknown(
    code ?? `http_${status}`,
    `HTTP ${status}${code === undefined ? ', no usable body' : ` ${code}`}`,
  );
}

function notFound(code: string): ProviderAnswer {
  return { kind: 'not_found', code, message: 'no order under our identifier' };
}

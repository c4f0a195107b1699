/**
 * Maps BuyPower's replies to answers. Pure. Source: the sample answers that BuyPower publishes for
 * each code.
 *
 * One `responseCode` means different things: 202 is "in progress" with HTTP 202, "insufficient
 * balance" with 422 and "failed" with 400. So the call, the HTTP status and the code decide
 * together, and every combination that is not listed is `unknown`.
 */
import { formatAmount, type Money } from '../../core/money.ts';
import { type Failed, notQueried, notSent, otherOrder, type Unknown, unknown } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import {
  type Body,
  isBody,
  meterGoods,
  meterToken,
  meterTokens,
  naira,
  unitCount,
  word,
} from '../http/reply-fields.ts';
import { unreadablePlan } from '../plan-facts.ts';
import type {
  CustomerAnswer,
  CustomerQuery,
  Goods,
  ProviderAnswer,
  ProviderOrder,
  ProviderPlan,
} from '../provider.ts';
import { owesToken } from './purchase.ts';

type Verdict =
  | { readonly kind: 'delivered' | 'accepted' | 'not_found' }
  /** `when`: the text that the refusal must contain. Other texts are unknown. */
  | {
      readonly kind: 'failed';
      readonly fault: 'order' | 'provider';
      readonly meaning: string;
      readonly when?: RegExp;
    }
  /** It counts as a failure only when it is answered twice. */
  | { readonly kind: 'refused'; readonly meaning: string };

/** The answers to `POST /vend`, by HTTP status and `responseCode`. */
const VEND: ReadonlyMap<string, Verdict> = new Map<string, Verdict>([
  ['200/200', { kind: 'delivered' }],
  ['202/202', { kind: 'accepted' }],
  // A missing field. The same code is "still processing" to a query.
  ['400/201', { kind: 'failed', fault: 'provider', meaning: 'a field is missing', when: /is required/i }],
  ['422/202', { kind: 'failed', fault: 'provider', meaning: 'our wallet at the provider is too low' }],
]);

/**
 * The answers to a query. A refusal of the query itself proves nothing about the order, and 501/501
 * ("the account is being migrated") may be one: an order can be delivered before a migration.
 */
const QUERY: ReadonlyMap<string, Verdict> = new Map<string, Verdict>([
  ['200/200', { kind: 'delivered' }],
  ['202/202', { kind: 'accepted' }],
  ['400/203', { kind: 'not_found' }],
  ['404/20', { kind: 'not_found' }],
]);

/** The answers to a query that are decided by their text: the code has several meanings. */
const QUERY_WORDS: readonly (readonly [key: string, words: RegExp, Verdict])[] = [
  ['400/201', /still processing/i, { kind: 'accepted' }],
  ['400/202', /^transaction failed\b/i, { kind: 'failed', fault: 'order', meaning: 'failed' }],
  ['400/202', /not successful.*retry/i, { kind: 'refused', meaning: 'not successful' }],
];

/** Prefixes the code of a refusal that must be answered twice. */
const ONCE = 'once_';

export function answerToVend(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  // The token and the rate are checked before an order is read.
  if (result.kind === 'reply' && result.status === 401) return refusedKey();
  if (statusOf(result) === 429) return { kind: 'not_sent', code: '429', message: 'too many calls' };
  const reply = readReply(result);
  return 'kind' in reply ? reply : answer(order, reply, VEND.get(reply.key), false);
}

export function answerToQuery(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notQueried(result);
  const reply = readReply(result);
  if ('kind' in reply) return reply;
  const said = QUERY_WORDS.find(([key, words]) => key === reply.key && words.test(reply.text));
  return answer(order, reply, said?.[2] ?? QUERY.get(reply.key), true);
}

/** Tells whether an answer is a refusal that counts only when it is answered twice. */
export function isRefusedOnce({ kind, code }: ProviderAnswer): boolean {
  return kind === 'unknown' && code.startsWith(ONCE);
}

/** Turns a refusal that was answered twice into a failure. */
export function refusedTwice({ code, message }: ProviderAnswer): Failed {
  const words = message.slice(message.indexOf(': ') + 2);
  return { kind: 'failed', fault: 'order', code: code.slice(ONCE.length), message, telcoMessage: words };
}

function statusOf(result: CallResult): number | undefined {
  return result.kind === 'not_sent' ? undefined : result.status;
}

function refusedKey(): ProviderAnswer {
  return { kind: 'failed', fault: 'provider', code: '401', message: 'our credentials were refused' };
}

/** A readable reply. */
type Reply = {
  /** The HTTP status and the `responseCode`: `422/202`. */
  readonly key: string;
  readonly text: string;
  readonly isTrue: boolean;
  readonly data: Body | undefined;
};

function readReply(result: Exclude<CallResult, { kind: 'not_sent' }>): Reply | Unknown {
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { status } = result;
  const outer = isBody(result.body) ? result.body : {};
  // Queries wrap a success, but not a failure.
  const body = isBody(outer.result) ? outer.result : outer;
  const code = word(body.responseCode);
  if (code === undefined || !/^\d{1,3}$/.test(code)) {
    return unknown(`http_${status}`, `HTTP ${status} without a code`);
  }
  return {
    key: `${status}/${code}`,
    text: word(body.message) ?? '',
    isTrue: body.status === true || body.status === 'true',
    data: isBody(body.data) ? body.data : undefined,
  };
}

/** `mustName`: a success counts only if the record names our order, which all records do. */
function answer(
  order: ProviderOrder,
  reply: Reply,
  verdict: Verdict | undefined,
  mustName: boolean,
): ProviderAnswer {
  const { data, text } = reply;
  const named = word(data?.orderId);
  if (named !== undefined && named !== order.reference) return otherOrder();
  const providerId = word(data?.vendRef) ?? word(data?.id);
  const evidence = {
    code: reply.key,
    message: text === '' ? 'no words' : text,
    ...(providerId !== undefined && { providerId }),
  };
  switch (verdict?.kind) {
    case 'delivered':
      if (mustName && named === undefined) return { ...evidence, kind: 'unknown' };
      return delivered(order, reply, evidence);
    case 'failed': {
      const { fault, meaning, when } = verdict;
      if (isContradicted(reply) || (when !== undefined && !when.test(text))) {
        return { ...evidence, kind: 'unknown' };
      }
      const forMerchant = fault === 'order' && text !== '' ? { telcoMessage: text } : {};
      return { ...evidence, ...forMerchant, message: `${meaning}: ${text}`, kind: 'failed', fault };
    }
    case 'refused':
      if (isContradicted(reply)) return { ...evidence, kind: 'unknown' };
      return unknown(`${ONCE}${reply.key}`, `${verdict.meaning}: ${evidence.message}`);
    case 'not_found':
      return { ...evidence, kind: isContradicted(reply) ? 'unknown' : 'not_found' };
    case 'accepted':
      return { ...evidence, kind: 'accepted' };
    case undefined:
      return { ...evidence, kind: 'unknown' };
  }
}

/** A refusal with `status: true`, or with goods that report success. */
function isContradicted({ isTrue, data }: Reply): boolean {
  return isTrue || word(data?.responseCode) === SUCCESS;
}

/** The inner code of a success. The outer one, 200, only means that the call was answered. */
const SUCCESS = '100';

type Evidence = Pick<ProviderAnswer, 'code' | 'message' | 'providerId'>;

function delivered(order: ProviderOrder, reply: Reply, evidence: Evidence): ProviderAnswer {
  const { data, isTrue, text } = reply;
  if (!isTrue || data === undefined || word(data.responseCode) !== SUCCESS) {
    return { ...evidence, kind: 'unknown' };
  }
  const amounts = possibleAmounts(data);
  // Without an amount, the order is identified by its reference.
  if (amounts.length > 0 && !amounts.includes(order.amount)) {
    const message = `delivered, but of ${amounts.map(formatAmount).join(' or ')} instead of ${formatAmount(order.amount)}`;
    return { ...evidence, code: 'other_amount', message, kind: 'unknown', delivered: true };
  }
  const goods = owesToken(order) ? readGoods(data) : undefined;
  const words = word(data.responseMessage) ?? text;
  return {
    ...evidence,
    ...(words !== '' && { telcoMessage: words }),
    // BuyPower's charge to us is not documented: `totalAmountPaid` is the customer's payment.
    kind: 'success',
    ...(goods !== undefined && { goods }),
  };
}

/**
 * Returns the customer's possible payment. A debt of the meter is deducted, and charges may be
 * added.
 */
function possibleAmounts(data: Body): readonly bigint[] {
  const [vended, debt = 0n] = [naira(data.vendAmount), naira(data.debtAmount)];
  const [paid, charges = 0n] = [naira(data.totalAmountPaid), naira(data.charges)];
  const ofVended = vended === undefined ? [] : [vended, vended + debt];
  return [...new Set([...ofVended, ...(paid === undefined ? [] : [paid, paid - charges])])];
}

/**
 * Reads the token with its key change tokens, which the customer must enter first, and its bonus
 * token. A second token counts as the bonus. The goods are complete or absent. They are absent
 * while a token cannot be read, or there are more tokens than the goods have fields for.
 */
function readGoods(data: Body): Goods | undefined {
  const parcels = Array.isArray(data.parcels) ? data.parcels.filter(isBody) : [];
  const typed = parcels.map(({ type, content }) => ({ type: word(type)?.toUpperCase() ?? '', content }));
  const read = <T>(type: string, from: (value: unknown) => T | undefined): T | undefined =>
    typed
      .filter((one) => one.type === type)
      .map(({ content }) => from(content))
      .find((one) => one !== undefined);
  const texts = [...typed.filter(({ type }) => type === 'TOKEN').map(({ content }) => content), data.token];
  // A text may name key change tokens too.
  const named = texts.flatMap((text) => meterTokens(text).keyChange);
  const [kct1, kct2] = [read('KCT1', meterToken), read('KCT2', meterToken)];
  const keyChanges = new Set(typed.filter(({ type }) => type.startsWith('KCT')).map(({ type }) => type));
  if (keyChanges.size !== [kct1, kct2].filter((one) => one !== undefined).length) return undefined;
  const isKeyChange = (one: string): boolean => [kct1, kct2, ...named].includes(one);
  const goods = texts.map(meterGoods).find((one) => one !== undefined && !isKeyChange(one.token));
  if (goods === undefined) return undefined;
  const parts = typed.filter(({ type }) => type === 'TOKEN' || type === 'BONUS');
  const isUnread = (content: unknown): boolean =>
    meterGoods(content) === undefined && meterTokens(content).keyChange.length === 0;
  const others = new Set(
    parts
      .flatMap(({ content }) => [meterGoods(content)?.token, meterGoods(content)?.bonus_token])
      .filter((one) => one !== undefined && one !== goods.token && !isKeyChange(one)),
  );
  if (others.size > 1 || parts.some(({ content }) => isUnread(content))) return undefined;
  const units = unitCount(data.units);
  const bonus = [...others][0] ?? goods.bonus_token;
  const keys = { kct1: kct1 ?? named[0], kct2: kct2 ?? named.find((one) => one !== named[0]) };
  return {
    token: goods.token,
    ...(units && { units }),
    ...(bonus && !isKeyChange(bonus) && { bonus_token: bonus }),
    ...(keys.kct1 && { kct1: keys.kct1 }),
    ...(keys.kct2 && { kct2: keys.kct2 }),
  };
}

/**
 * Reads the answer to `GET /check/meter`. No answer for an unknown customer is documented, so
 * `error: true` with HTTP 4xx rejects, and everything else is unavailable. Neither moves money.
 */
export function answerToCheck(query: CustomerQuery, result: CallResult): CustomerAnswer {
  if (result.kind !== 'reply') return unavailable('no_answer', result.reason);
  const { status } = result;
  const body = isBody(result.body) ? result.body : {};
  const code = word(body.responseCode) ?? `http_${status}`;
  const text = word(body.message) ?? `HTTP ${status}`;
  if (body.error === true && REJECTING.has(status)) return { kind: 'rejected', code, message: text };
  const name = word(body.name);
  if (status !== 200 || body.error !== false || code !== SUCCESS || name === undefined) {
    return unavailable(code, text);
  }
  const kind = word(body.vendType)?.toUpperCase();
  const wanted = query.planCodes?.vend_type;
  if (wanted !== undefined && kind !== undefined && kind !== wanted) {
    return { kind: 'rejected', code, message: `The meter is ${kind}, the plan is ${wanted}` };
  }
  const fields = {
    address: word(body.address),
    minAmount: naira(body.minVendAmount) || undefined,
    maxAmount: naira(body.maxVendAmount) || undefined,
    meterNumber: word(body.meterNo),
    arrears: naira(body.outstanding),
    meterType: kind,
    tariff: word(body.tariff),
  };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { kind: 'verified', customer: { name, ...Object.fromEntries(present) } };
}

const REJECTING: ReadonlySet<number> = new Set([400, 404, 422]);

function unavailable(code: string, message: string): CustomerAnswer {
  return { kind: 'unavailable', code, message };
}

/** Reads our balance, which is in naira. */
export function readBalance(result: CallResult): Money | undefined {
  const body = okBody(result);
  const amount = naira(body?.balance);
  return amount === undefined ? undefined : { amount, currency: 'NGN' };
}

/** Reads the bouquets of a cable network. Undefined without a list. */
export function readPlans(result: CallResult): readonly ProviderPlan[] | undefined {
  const data = okBody(result)?.data;
  return Array.isArray(data) ? data.flatMap(readPlan) : undefined;
}

function readPlan(item: unknown): readonly ProviderPlan[] {
  const code = isBody(item) ? word(item.code) : undefined;
  if (!isBody(item) || code === undefined) return [unreadablePlan];
  return [{ code, name: word(item.name) ?? code, price: naira(item.price), fixed: true }];
}

function okBody(result: CallResult): Body | undefined {
  return result.kind === 'reply' && result.status === 200 && isBody(result.body) ? result.body : undefined;
}

/**
 * Maps Flutterwave's replies about bills to answers. Pure. Source: its pages on bill payments (v3).
 *
 * Guarantees: a success comes only from the code of a delivered bill, from a token, or from a
 * documented status of success. No status for a failure after acceptance is documented, nor an
 * answer for an unknown order: such orders stay unknown until a person decides.
 */
import { formatAmount, type Money } from '../../core/money.ts';
import { notQueried, notSent, otherOrder, type Unknown, unknown } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, meterGoods, minorUnits, word } from '../http/reply-fields.ts';
import { planFacts, unreadablePlan } from '../plan-facts.ts';
import type { CustomerAnswer, ProviderAnswer, ProviderOrder, ProviderPlan } from '../provider.ts';

/** The code of a delivered bill in the reply to an order. The list of codes is not published. */
const DELIVERED = '200';

/** The words for success: of the status and the webhook, and of the history. */
const SUCCESSFUL: ReadonlySet<string> = new Set(['success', 'successful']);

/**
 * The refusals of an order, by the text of HTTP 400. The first that matches decides; other texts
 * are unknown. A repeated reference may be about an order that was delivered.
 */
const REFUSALS: readonly (readonly [words: RegExp, decision: 'unknown' | 'order' | 'provider'])[] = [
  [/duplicat|already|reference/i, 'unknown'],
  [/insufficient/i, 'provider'],
  [/validation|is required|invalid (?:customer|phone|amount|biller|item|country)/i, 'order'],
];

export function answerToPayment(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  const { status } = result;
  // The key and the rate are checked before an order is read.
  if (result.kind === 'reply' && status === 401) {
    return { kind: 'failed', fault: 'provider', code: '401', message: 'our credentials were refused' };
  }
  if (status === 429) return { kind: 'not_sent', code: '429', message: 'too many calls' };
  const reply = readReply(result);
  if ('kind' in reply) return reply;
  if (reply.data === undefined) return refusal(reply);
  const { data } = reply;
  const evidence = evidenceOf(reply, data);
  const named = word(data.customer_reference);
  if (named !== undefined && named !== order.reference) return otherOrder();
  if (word(data.code) !== DELIVERED) return { ...evidence, kind: 'accepted' };
  const answer = delivered(order, reply, data, data.recharge_token);
  // A bill of electricity without its token is not done yet.
  return isPower(order) && answer.kind === 'success' && answer.goods === undefined
    ? { ...evidence, kind: 'accepted' }
    : answer;
}

/** Reads the status of a bill that was queried by `id`: ours, or Flutterwave's `tx_ref`. */
export function answerToStatus(order: ProviderOrder, id: string, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notQueried(result);
  const reply = readReply(result);
  if ('kind' in reply) return reply;
  const { data } = reply;
  if (data === undefined) return { ...evidenceOf(reply, {}), kind: 'unknown' };
  return isOurs(order, id, data) ? answerToRecord(order, reply, data) : otherOrder();
}

/**
 * Finds the order in a page of the history. Undefined when the page does not have it as successful,
 * which proves nothing.
 */
export function findInHistory(
  order: ProviderOrder,
  id: string,
  result: CallResult,
): ProviderAnswer | undefined {
  const rows = listOf(result);
  const row = rows?.find((one) => isOurs(order, id, one));
  if (row === undefined || !isSuccessful(row)) return undefined;
  return delivered(order, { status: 200, text: 'found in the history', data: row, meta: {} }, row, row.extra);
}

/** Tells whether another page of the history follows. */
export function hasNextPage(page: number, result: CallResult): boolean {
  const body = result.kind === 'reply' && isBody(result.body) ? result.body : {};
  const info = isBody(body.meta) && isBody(body.meta.page_info) ? body.meta.page_info : {};
  return page < Number(word(info.total_pages) ?? 0);
}

/** A record names our reference, or the queried `tx_ref`. */
function isOurs({ reference }: ProviderOrder, id: string, record: Body): boolean {
  const named = word(record.customer_reference) ?? word(record.reference);
  if (named === reference) return true;
  const isForeign = word(record.customer_reference) !== undefined;
  return !isForeign && id !== reference && word(record.tx_ref) === id;
}

/** A record may have no status. Then only a token proves that it was delivered. */
function answerToRecord(order: ProviderOrder, reply: Reply, record: Body): ProviderAnswer {
  const hasStatus = word(record.status) !== undefined;
  const hasToken = owesToken(order) && meterGoods(record.extra) !== undefined;
  if (isSuccessful(record) || (!hasStatus && hasToken)) {
    return delivered(order, reply, record, record.extra);
  }
  return { ...evidenceOf(reply, record), kind: hasStatus ? 'unknown' : 'accepted' };
}

function isSuccessful(record: Body): boolean {
  return SUCCESSFUL.has(word(record.status)?.toLowerCase() ?? '');
}

/** A readable reply. */
type Reply = {
  readonly status: number;
  readonly text: string;
  /** Absent in a refusal. */
  readonly data: Body | undefined;
  readonly meta: unknown;
};

function readReply(result: Exclude<CallResult, { kind: 'not_sent' }>): Reply | Unknown {
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { status, body } = result;
  const text = isBody(body) ? (word(body.message) ?? '') : '';
  const lacks = unknown(`http_${status}`, `HTTP ${status}: ${text || 'no usable body'}`);
  if (!isBody(body)) return lacks;
  if (status < 300 && body.status === 'success' && isBody(body.data)) {
    return { status, text, data: body.data, meta: body.meta };
  }
  const isRefusal = body.status === 'error' && status >= 400 && status < 500;
  return isRefusal ? { status, text, data: undefined, meta: undefined } : lacks;
}

function refusal(reply: Reply): ProviderAnswer {
  const { status, text } = reply;
  const evidence = evidenceOf(reply, {});
  const decision = status === 400 ? REFUSALS.find(([words]) => words.test(text))?.[1] : undefined;
  switch (decision) {
    case 'order':
      return { ...evidence, telcoMessage: text, kind: 'failed', fault: 'order' };
    case 'provider': {
      const message = `our balance at the provider is too low: ${text}`;
      return { ...evidence, message, kind: 'failed', fault: 'provider' };
    }
    case 'unknown':
    case undefined:
      return { ...evidence, kind: 'unknown' };
  }
}

type Evidence = Pick<ProviderAnswer, 'code' | 'message' | 'providerId'>;

function evidenceOf({ status, text }: Reply, record: Body): Evidence {
  const providerId = word(record.tx_ref);
  return {
    code: word(record.status) ?? word(record.code) ?? String(status),
    message: text === '' ? `HTTP ${status}` : text,
    ...(providerId !== undefined && { providerId }),
  };
}

/** `token` is the field with the token of electricity. Flutterwave does not state its charge. */
function delivered(order: ProviderOrder, reply: Reply, record: Body, token: unknown): ProviderAnswer {
  const evidence = evidenceOf(reply, record);
  const amount = minorUnits(record.amount);
  // Without an amount, the order is identified by its reference.
  if (amount !== order.amount && record.amount !== undefined && record.amount !== null) {
    const other = amount === undefined ? 'an unreadable amount' : formatAmount(amount);
    const message = `delivered, but of ${other} instead of ${formatAmount(order.amount)}`;
    return { ...evidence, code: 'other_amount', message, kind: 'unknown', delivered: true };
  }
  const goods = owesToken(order) ? meterGoods(token) : undefined;
  return {
    ...evidence,
    telcoMessage: evidence.message,
    kind: 'success',
    ...(goods !== undefined && { goods }),
  };
}

function isPower({ product }: ProviderOrder): boolean {
  return product === 'ELECTRICITY';
}

function owesToken({ product, planCodes }: ProviderOrder): boolean {
  return product === 'ELECTRICITY' && planCodes?.meter_type === 'prepaid';
}

/**
 * Reads a validation. No answer for an unknown customer is documented, so HTTP 400 with
 * `status: "error"` rejects, and everything else is unavailable. Neither moves money.
 */
export function answerToValidation(result: CallResult): CustomerAnswer {
  if (result.kind !== 'reply') return { kind: 'unavailable', code: 'no_answer', message: result.reason };
  const reply = readReply(result);
  if ('kind' in reply) return { kind: 'unavailable', code: reply.code, message: reply.message };
  const { status, text, data } = reply;
  if (data === undefined) {
    const kind = status === 400 ? 'rejected' : 'unavailable';
    return { kind, code: String(status), message: text === '' ? `HTTP ${status}` : text };
  }
  const code = word(data.response_code) ?? 'no_code';
  const name = word(data.name);
  if (code !== '00' || name === undefined) {
    return { kind: 'unavailable', code, message: word(data.response_message) ?? 'no customer was named' };
  }
  const address = word(data.address);
  // 0 is no limit.
  const minAmount = minorUnits(data.minimum) || undefined;
  const maxAmount = minorUnits(data.maximum) || undefined;
  return {
    kind: 'verified',
    customer: {
      name,
      ...(address !== undefined && { address }),
      ...(minAmount !== undefined && { minAmount }),
      ...(maxAmount !== undefined && { maxAmount }),
    },
  };
}

/** Reads our naira balance from the list of balances. */
export function readBalance(result: CallResult): Money | undefined {
  const naira = listOf(result)?.find(({ currency }) => currency === 'NGN');
  const amount = minorUnits(naira?.available_balance);
  return amount === undefined ? undefined : { amount, currency: 'NGN' };
}

/** Reads the items of a biller. Undefined without a list. */
export function readPlans(result: CallResult): readonly ProviderPlan[] | undefined {
  return listOf(result)?.flatMap((item) => {
    const code = word(item.item_code);
    if (code === undefined) return [unreadablePlan];
    const price = minorUnits(item.amount);
    const name = word(item.name) ?? word(item.short_name) ?? code;
    // An amount of 0 is the customer's choice.
    return [{ code, name, price, fixed: price !== undefined && price > 0n, ...planFacts(name) }];
  });
}

function listOf(result: CallResult): readonly Body[] | undefined {
  if (result.kind !== 'reply' || result.status >= 300 || !isBody(result.body)) return undefined;
  const { status, data } = result.body;
  return status === 'success' && Array.isArray(data) ? data.filter(isBody) : undefined;
}

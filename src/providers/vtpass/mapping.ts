/**
 * Maps VTpass's replies to answers. Pure. `purchase.ts` has the requests, `customer.ts` the
 * verification, and each product its own goods. Sources: VTpass's documentation of buying services,
 * requery and response codes.
 *
 * Guarantees: success and failure come only from a code and status that VTpass lists as final.
 * Every other reply, a contradictory one and one about another order or amount is `unknown`. VTpass
 * sends numbers as text and text as numbers, so both are read.
 */
import { formatAmount, type Money } from '../../core/money.ts';
import { notQueried, notSent, otherOrder, type Unknown, unknown } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, minorUnits, word } from '../http/reply-fields.ts';
import { unreadablePlan } from '../plan-facts.ts';
import type { ProviderAnswer, ProviderOrder, ProviderPlan } from '../provider.ts';
import { bills } from './bills.ts';
import { meterKindOf } from './electricity.ts';

/** The codes of `POST /pay`. Any other code is `unknown`. */
const PAY_CODES: Readonly<Record<string, Verdict>> = {
  '000': { kind: 'by_status' },
  '001': { kind: 'by_status' },
  '089': { kind: 'accepted' },
  '099': { kind: 'accepted' },
  '016': { kind: 'failed', fault: 'order', meaning: 'transaction failed' },
  '040': { kind: 'failed', fault: 'order', meaning: 'reversed to the wallet' },
  '091': { kind: 'failed', fault: 'order', meaning: 'not processed, not charged' },
  '010': { kind: 'failed', fault: 'order', meaning: 'no such variation' },
  '011': { kind: 'failed', fault: 'order', meaning: 'bad arguments' },
  '012': { kind: 'failed', fault: 'order', meaning: 'no such product' },
  '013': { kind: 'failed', fault: 'order', meaning: 'below the minimum amount' },
  '017': { kind: 'failed', fault: 'order', meaning: 'above the maximum amount' },
  '031': { kind: 'failed', fault: 'order', meaning: 'quantity too small' },
  '032': { kind: 'failed', fault: 'order', meaning: 'quantity too large' },
  // VTpass had already called the biller, so another provider must not get the order.
  '030': { kind: 'failed', fault: 'order', meaning: 'biller unreachable' },
  '018': { kind: 'failed', fault: 'provider', meaning: 'our wallet at the provider is too low' },
  '021': { kind: 'failed', fault: 'provider', meaning: 'our account is locked' },
  '022': { kind: 'failed', fault: 'provider', meaning: 'our account is suspended' },
  '023': { kind: 'failed', fault: 'provider', meaning: 'API access is not enabled' },
  '024': { kind: 'failed', fault: 'provider', meaning: 'our account is inactive' },
  '027': { kind: 'failed', fault: 'provider', meaning: 'our IP address is not on the allow list' },
  '028': { kind: 'failed', fault: 'provider', meaning: 'the product is not enabled for our account' },
  '034': { kind: 'failed', fault: 'provider', meaning: 'service suspended' },
  '035': { kind: 'failed', fault: 'provider', meaning: 'service inactive' },
  // The id is malformed, or of another day by VTpass's clock. The order was refused unread and may
  // be sent again under a new id.
  '085': { kind: 'not_sent', meaning: 'improper request id' },
  '087': { kind: 'failed', fault: 'provider', meaning: 'our credentials were refused' },
};

/**
 * The codes of `POST /requery`. There are fewer, because a refusal such as bad credentials refuses
 * the query and proves nothing about the purchase.
 */
const QUERY_CODES: Readonly<Record<string, Verdict>> = {
  ...Object.fromEntries(
    ['000', '001', '089', '099', '016', '040', '091'].flatMap((code) => {
      const verdict = PAY_CODES[code];
      return verdict === undefined ? [] : [[code, verdict]];
    }),
  ),
  // VTpass remembers an order that it refused with 019, and did not execute it. Another provider
  // may serve it at once. No other refusal has been seen here.
  '019': { kind: 'failed', fault: 'provider', meaning: 'too soon after a similar order' },
};

const NEVER_RECEIVED = '015';

type Verdict =
  | { readonly kind: 'by_status' }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'not_sent'; readonly meaning: string }
  | { readonly kind: 'failed'; readonly fault: 'order' | 'provider'; readonly meaning: string };

/** Reads the answer to `POST /pay`. */
export function answerToPay(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  const reply = readReply(order.reference, result);
  return 'kind' in reply ? reply : answer(order, reply, PAY_CODES[reply.code]);
}

/**
 * Reads the answer to `POST /requery`. A query that was not sent proves nothing about the purchase:
 * `unknown`.
 */
export function answerToQuery(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notQueried(result);
  const reply = readReply(order.reference, result);
  if ('kind' in reply) return reply;
  if (reply.code === NEVER_RECEIVED && reply.status === undefined) {
    return { kind: 'not_found', code: reply.code, message: `unknown request id: ${reply.text}` };
  }
  return answer(order, reply, QUERY_CODES[reply.code]);
}

/** A readable reply to our own order. */
type Reply = {
  /** Three digits. */
  readonly code: string;
  /** `content.transactions.status` in lower case. */
  readonly status: string | undefined;
  /** VTpass's description; empty without one. */
  readonly text: string;
  readonly providerId: string | undefined;
  readonly cost: bigint | undefined;
  /** The amounts in the reply, in kobo. One of them may include a fee. */
  readonly amounts: readonly bigint[];
  /** Whether the reply names our order. Refusals name none. */
  readonly isOurs: boolean;
  /** Whether the HTTP status is 2xx. */
  readonly isOk: boolean;
  /** The whole body, which has the goods at its top level. */
  readonly body: Body;
};

function readReply(reference: string, result: Exclude<CallResult, { kind: 'not_sent' }>): Reply | Unknown {
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { status, body } = result;
  if (status >= 500 || !isBody(body)) return unknown(`http_${status}`, `HTTP ${status}, no usable body`);
  const requestId = word(body.requestId);
  if (requestId !== undefined && requestId !== reference) {
    return otherOrder();
  }
  const code = threeDigits(body.code);
  // Proxies in between number their errors too, without VTpass's other fields.
  const { response_description: text, content: sent } = body;
  const isForeign =
    typeof body.code === 'number' && [requestId, text, sent].every((one) => one === undefined);
  if (code === undefined || isForeign) return unknown(`http_${status}`, `HTTP ${status} without a code`);
  const content = isBody(sent) ? sent : {};
  // Old airtime replies are flat: they have the fields of `content.transactions` at the top.
  const transaction = isBody(content.transactions) ? content.transactions : body;
  return {
    code,
    status: word(transaction.status)?.toLowerCase(),
    text: word(text) ?? '',
    providerId: word(transaction.transactionId) ?? word(body.transactionId),
    cost: minorUnits(transaction.total_amount),
    amounts: [transaction.amount, transaction.unit_price, body.amount]
      .map(minorUnits)
      .filter((amount) => amount !== undefined),
    isOurs: requestId !== undefined,
    isOk: status < 300,
    body,
  };
}

function answer(order: ProviderOrder, reply: Reply, verdict: Verdict | undefined): ProviderAnswer {
  const { code, status, text } = reply;
  const providerId = reply.providerId === undefined ? {} : { providerId: reply.providerId };
  const evidence = { code, message: `${status ?? 'no status'}: ${text}`, ...providerId };
  if (verdict === undefined) return { ...evidence, kind: 'unknown' };
  switch (verdict.kind) {
    case 'accepted':
      return { ...evidence, kind: 'accepted' };
    case 'not_sent':
    case 'failed': {
      // A refusal whose status contradicts it is unclear.
      if (status !== undefined && status !== 'failed' && status !== 'reversed') {
        return { ...evidence, kind: 'unknown' };
      }
      const message = `${verdict.meaning}: ${text}`;
      if (verdict.kind === 'not_sent') return { ...evidence, message, kind: 'not_sent' };
      const forMerchant = verdict.fault === 'order' && text !== '' ? { telcoMessage: text } : {};
      return { ...evidence, ...forMerchant, message, kind: 'failed', fault: verdict.fault };
    }
    case 'by_status':
      return byStatus(order, reply, evidence);
  }
}

type Evidence = Pick<ProviderAnswer, 'code' | 'message' | 'providerId'>;

/** Reads `content.transactions.status`. `resolved`, in old documents, may mean either outcome. */
function byStatus(order: ProviderOrder, reply: Reply, evidence: Evidence): ProviderAnswer {
  const forMerchant = reply.text === '' ? {} : { telcoMessage: reply.text };
  switch (reply.status) {
    case 'delivered':
      return delivered(order, reply, { ...evidence, ...forMerchant });
    case 'failed':
    case 'reversed':
      return { ...evidence, ...forMerchant, kind: 'failed', fault: 'order' };
    case 'initiated':
    case 'pending':
      return { ...evidence, kind: 'accepted' };
    default:
      return { ...evidence, kind: 'unknown' };
  }
}

function delivered(
  order: ProviderOrder,
  reply: Reply,
  evidence: Evidence & Pick<ProviderAnswer, 'telcoMessage'>,
): ProviderAnswer {
  const { amounts, cost, body } = reply;
  const [other] = amounts;
  const isOther = other !== undefined && !amounts.includes(order.amount) && setsAmount(order);
  // An HTTP error, or another amount without our id, is not the answer to our order.
  if (!reply.isOk || (isOther && !reply.isOurs)) return { ...evidence, kind: 'unknown' };
  if (isOther) {
    const message = `delivered, but ${formatAmount(other)} instead of ${formatAmount(order.amount)}`;
    return { ...evidence, kind: 'unknown', code: 'other_amount', message, delivered: true };
  }
  const goods = bills.get(order.product)?.readGoods?.(order, body);
  return { ...evidence, ...(cost !== undefined && { cost }), ...(goods && { goods }), kind: 'success' };
}

/** Tells whether the order sets the amount. A plan is bought by its code, at VTpass's price. */
function setsAmount(order: ProviderOrder): boolean {
  return order.planCodes?.variation_code === undefined || meterKindOf(order) !== undefined;
}

/** Reads our balance, which is in naira, from the reply to `GET /balance`. */
export function readBalance(result: CallResult): Money | undefined {
  if (result.kind !== 'reply' || result.status >= 400 || !isBody(result.body)) return undefined;
  // VTpass writes the plural. Read the singular too, in case VTpass corrects it.
  const contents = result.body.contents ?? result.body.content;
  const amount = isBody(contents) ? minorUnits(contents.balance) : undefined;
  return amount === undefined ? undefined : { amount, currency: 'NGN' };
}

/** Reads the plans from the reply to `GET /service-variations`. Undefined without a list. */
export function readPlans(result: CallResult): readonly ProviderPlan[] | undefined {
  if (result.kind !== 'reply' || result.status >= 400 || !isBody(result.body)) return undefined;
  const content = result.body.content;
  if (threeDigits(result.body.response_description) !== '000' || !isBody(content)) return undefined;
  // VTpass uses either spelling, or both.
  const listed = [content.variations, content.varations].find(
    (list) => Array.isArray(list) && list.length > 0,
  );
  return Array.isArray(listed) ? listed.flatMap(readPlan) : undefined;
}

function readPlan(item: unknown): readonly ProviderPlan[] {
  const code = isBody(item) ? word(item.variation_code) : undefined;
  if (!isBody(item) || code === undefined) return [unreadablePlan];
  const price = minorUnits(item.variation_amount);
  const fixed = word(item.fixedPrice)?.toLowerCase() === 'yes';
  return [{ code, name: word(item.name) ?? code, price, fixed }];
}

function threeDigits(value: unknown): string | undefined {
  const text = word(value);
  return text !== undefined && /^\d{1,3}$/.test(text) ? text.padStart(3, '0') : undefined;
}

/**
 * VTpass's interface as pure functions: a reply becomes an answer. What is sent is in
 * `purchase.ts`, what verification says in `customer.ts`, what a product delivers in its own file.
 * Sources: VTpass's documentation of buying services, requery and response codes.
 *
 * What it guarantees: success and failure come only from a code and status that VTpass lists as
 * final. Every other reply, a contradictory one and one about another order or amount is `unknown`.
 * VTpass sends numbers as text and text as numbers, so both are read.
 */
import { formatAmount, type Money } from '../../core/money.ts';
import { notQueried, notSent, otherOrder, type Unknown, unknown } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, minorUnits, word } from '../http/reply-fields.ts';
import type { ProviderAnswer, ProviderOrder, ProviderPlan } from '../provider.ts';
import { bills } from './bills.ts';
import { meterKindOf } from './electricity.ts';

/**
 * What a code of `POST /pay` says about the purchase. A code that is not here says nothing:
 * `unknown`.
 */
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
  // Nothing was bought, but VTpass was already calling the biller, so the order is not sent to
  // another provider.
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
  // Our id was of another day by their clock, or malformed. The order was refused unread: it may be
  // sent again, under a new id.
  '085': { kind: 'not_sent', meaning: 'improper request id' },
  '087': { kind: 'failed', fault: 'provider', meaning: 'our credentials were refused' },
};

/**
 * What a code of `POST /requery` says about the purchase. Far fewer than above: a refusal such as
 * bad credentials refuses the query, and says nothing of the purchase.
 */
const QUERY_CODES: Readonly<Record<string, Verdict>> = {
  ...Object.fromEntries(
    ['000', '001', '089', '099', '016', '040', '091'].flatMap((code) => {
      const verdict = PAY_CODES[code];
      return verdict === undefined ? [] : [[code, verdict]];
    }),
  ),
  // An order that was refused with 019 is remembered as that, and was not executed: its customer
  // may buy again, elsewhere at once. Seen of no other refusal.
  '019': { kind: 'failed', fault: 'provider', meaning: 'too soon after one like it' },
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
 * Reads the answer to `POST /requery`. A query that was not sent says nothing of the purchase:
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
  /** VTpass's description; empty where there is none. */
  readonly text: string;
  readonly providerId: string | undefined;
  readonly cost: bigint | undefined;
  /** What it was bought for, in kobo: in each place that says it. One may have a fee in it. */
  readonly amounts: readonly bigint[];
  /** It names our order. Refusals name none. */
  readonly isOurs: boolean;
  /** HTTP 2xx. */
  readonly isOk: boolean;
  /** The whole body: goods are at its top level. */
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
  // What stands between us and VTpass numbers its errors too, without VTpass's other fields.
  const { response_description: text, content: told } = body;
  const isForeign =
    typeof body.code === 'number' && [requestId, text, told].every((one) => one === undefined);
  if (code === undefined || isForeign) return unknown(`http_${status}`, `HTTP ${status} without a code`);
  const content = isBody(told) ? told : {};
  // Old airtime replies are flat: what later moved into `content.transactions` stands at the top.
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
      // A refusal with a status that says otherwise is not clear.
      if (status !== undefined && status !== 'failed' && status !== 'reversed') {
        return { ...evidence, kind: 'unknown' };
      }
      const message = `${verdict.meaning}: ${text}`;
      if (verdict.kind === 'not_sent') return { ...evidence, message, kind: 'not_sent' };
      const told = verdict.fault === 'order' && text !== '' ? { telcoMessage: text } : {};
      return { ...evidence, ...told, message, kind: 'failed', fault: verdict.fault };
    }
    case 'by_status':
      return byStatus(order, reply, evidence);
  }
}

type Evidence = Pick<ProviderAnswer, 'code' | 'message' | 'providerId'>;

/**
 * The words of `content.transactions.status`. `resolved`, in old documents, may mean either
 * outcome: not listed.
 */
function byStatus(order: ProviderOrder, reply: Reply, evidence: Evidence): ProviderAnswer {
  const told = reply.text === '' ? {} : { telcoMessage: reply.text };
  switch (reply.status) {
    case 'delivered':
      return delivered(order, reply, { ...evidence, ...told });
    case 'failed':
    case 'reversed':
      return { ...evidence, ...told, kind: 'failed', fault: 'order' };
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
  // An error, or what names no order and is of another amount, is not the word on ours.
  if (!reply.isOk || (isOther && !reply.isOurs)) return { ...evidence, kind: 'unknown' };
  if (isOther) {
    const message = `delivered, but ${formatAmount(other)} instead of ${formatAmount(order.amount)}`;
    return { ...evidence, kind: 'unknown', code: 'other_amount', message, delivered: true };
  }
  const goods = bills.get(order.product)?.readGoods?.(order, body);
  return { ...evidence, ...(cost !== undefined && { cost }), ...(goods && { goods }), kind: 'success' };
}

/** A plan is bought by its code, at VTpass's price; everything else at the amount of the order. */
function setsAmount(order: ProviderOrder): boolean {
  return order.planCodes?.variation_code === undefined || meterKindOf(order) !== undefined;
}

/** Our wallet, which is in naira, from the reply to `GET /balance`. */
export function readBalance(result: CallResult): Money | undefined {
  if (result.kind !== 'reply' || result.status >= 400 || !isBody(result.body)) return undefined;
  // VTpass writes the plural. The singular is read in case VTpass corrects it.
  const contents = result.body.contents ?? result.body.content;
  const amount = isBody(contents) ? minorUnits(contents.balance) : undefined;
  return amount === undefined ? undefined : { amount, currency: 'NGN' };
}

/** Plans from the reply to `GET /service-variations`; undefined where it is not a list of them. */
export function readPlans(result: CallResult): readonly ProviderPlan[] | undefined {
  if (result.kind !== 'reply' || result.status >= 400 || !isBody(result.body)) return undefined;
  const content = result.body.content;
  if (threeDigits(result.body.response_description) !== '000' || !isBody(content)) return undefined;
  // VTpass lists them under either spelling, or both.
  const listed = [content.variations, content.varations].find(
    (list) => Array.isArray(list) && list.length > 0,
  );
  return Array.isArray(listed) ? listed.flatMap(readPlan) : undefined;
}

function readPlan(item: unknown): readonly ProviderPlan[] {
  if (!isBody(item)) return [];
  const code = word(item.variation_code);
  const price = minorUnits(item.variation_amount);
  if (code === undefined) return [];
  const fixed = word(item.fixedPrice)?.toLowerCase() === 'yes';
  return [{ code, name: word(item.name) ?? code, price, fixed }];
}

function threeDigits(value: unknown): string | undefined {
  const text = word(value);
  return text !== undefined && /^\d{1,3}$/.test(text) ? text.padStart(3, '0') : undefined;
}

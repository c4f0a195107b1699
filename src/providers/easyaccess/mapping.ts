/**
 * Maps EasyAccess's replies to answers. Pure. `purchase.ts` has the requests. EasyAccess has two
 * APIs: the new one sells data, the old one airtime. Sources: other people's integrations of 2026;
 * its own pages could not be read.
 *
 * Guarantees: in the new API only the statuses `success` and `failed`, with a listed code, are
 * final. In the old one only `success: true` is, because no refusal text of it is known. A reply
 * that names another order is `unknown`, and so is a refusal that mentions a used reference,
 * because the answer to one is not documented.
 */
import type { Money } from '../../core/money.ts';
import { notQueried, notSent, otherOrder, type Unknown, unknown, wordsForMerchant } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, naira, word } from '../http/reply-fields.ts';
import { planFacts, unreadablePlan } from '../plan-facts.ts';
import type { ProviderAnswer, ProviderOrder, ProviderPlan } from '../provider.ts';

const STATUSES: ReadonlyMap<string, 'success' | 'accepted' | 'failed'> = new Map([
  ['success', 'success'],
  ['pending', 'accepted'],
  ['failed', 'failed'],
]);

/** The codes in the body of a taken order, and those of a refused one. */
const TAKEN: ReadonlySet<string> = new Set(['200', '201']);
const REFUSED: ReadonlySet<string> = new Set(['400', '401']);
const NO_ACCESS = '401';

const MEANS_DUPLICATE = /duplicat|already|(?<!not )exist|reference|idempoten/i;
const MEANS_OUR_FLOAT = /(?:insufficient|low)[ _]?(?:wallet[ _]?)?(?:balance|funds?)/i;

/** Reads the answer to an order of data. */
export function answerToData(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  const reply = readReply(order, result);
  if ('kind' in reply) return reply;
  const answer = byStatus(reply, reply.body.status, reply.body.amount);
  if (answer.kind !== 'failed') return answer;
  const evidence = { ...evidenceOf(reply), code: answer.code };
  if (MEANS_DUPLICATE.test(reply.text)) return { ...evidence, kind: 'unknown' };
  const isOurs = reply.code === NO_ACCESS || MEANS_OUR_FLOAT.test(reply.text);
  return isOurs ? { ...evidence, kind: 'failed', fault: 'provider' } : answer;
}

/** Reads the answer to an order of airtime. A refusal cannot be distinguished from an error. */
export function answerToAirtime(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  const reply = readReply(order, result);
  if ('kind' in reply) return reply;
  const { success } = reply.body;
  const evidence = { ...evidenceOf(reply), code: `success_${word(String(success))}` };
  const isSuccess = reply.isOk && (success === true || success === 'true');
  return isSuccess
    ? { ...evidence, ...forMerchant(reply), kind: 'success' }
    : { ...evidence, kind: 'unknown' };
}

/**
 * Reads the answer to a query by EasyAccess's own reference. `status` is about the query, and
 * `retrieved_status` about the order.
 */
export function answerToQuery(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notQueried(result);
  const reply = readReply(order, result);
  if ('kind' in reply) return reply;
  const own = word(reply.body.reference);
  if (own !== undefined && own !== order.providerId) return otherOrder();
  const isQueried =
    reply.isOk && TAKEN.has(reply.code) && word(reply.body.status)?.toLowerCase() !== 'failed';
  return isQueried
    ? byStatus(reply, reply.body.retrieved_status, reply.body.amount)
    : { ...evidenceOf(reply), kind: 'unknown' };
}

/** A readable reply that names no other order of ours. */
type Reply = {
  /** The code in the body; empty without one. */
  readonly code: string;
  readonly text: string;
  readonly body: Body;
  /** Whether the HTTP status is 2xx. */
  readonly isOk: boolean;
};

function readReply(order: ProviderOrder, result: Exclude<CallResult, { kind: 'not_sent' }>): Reply | Unknown {
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { status, body } = result;
  const isTheirs = status < 300 || (status >= 400 && status < 500);
  if (!isTheirs || !isBody(body)) return unknown(`http_${status}`, `HTTP ${status}, no usable body`);
  const reference = word(body.client_reference);
  if (reference !== undefined && reference !== order.reference) return otherOrder();
  return {
    code: word(body.code) ?? '',
    text: word(body.message) ?? '',
    body,
    isOk: status < 300,
  };
}

function byStatus(reply: Reply, given: unknown, amount: unknown): ProviderAnswer {
  const status = word(given)?.toLowerCase() ?? '';
  const evidence = { ...evidenceOf(reply), code: status === '' ? reply.code || 'no_status' : status };
  const isTaken = reply.isOk && TAKEN.has(reply.code);
  switch (STATUSES.get(status)) {
    case 'success': {
      const cost = naira(amount);
      return isTaken
        ? { ...evidence, ...forMerchant(reply), ...(cost !== undefined && { cost }), kind: 'success' }
        : { ...evidence, kind: 'unknown' };
    }
    case 'accepted':
      return { ...evidence, kind: isTaken ? 'accepted' : 'unknown' };
    case 'failed':
      return isTaken || REFUSED.has(reply.code)
        ? { ...evidence, ...forMerchant(reply), kind: 'failed', fault: 'order' }
        : { ...evidence, kind: 'unknown' };
    default:
      return { ...evidence, kind: 'unknown' };
  }
}

type Evidence = Pick<ProviderAnswer, 'code' | 'message' | 'providerId'>;

function evidenceOf({ code, text, body }: Reply): Evidence {
  const providerId = word(body.reference);
  const status = word(body.retrieved_status) ?? word(body.status) ?? 'no status';
  return {
    code: code === '' ? 'no_code' : code,
    message: `${code === '' ? 'no code' : code} ${status}: ${text}`,
    ...(providerId !== undefined && { providerId }),
  };
}

/** `true_response` is reportedly the network's own message. */
function forMerchant({ body, text }: Reply): { readonly telcoMessage?: string } {
  return wordsForMerchant(word(body.true_response) ?? text);
}

/** Reads our balance, which is in naira. */
export function readBalance(result: CallResult): Money | undefined {
  if (result.kind !== 'reply' || result.status >= 300 || !isBody(result.body)) return undefined;
  const { success, balance } = result.body;
  const amount = success === true || success === 'true' ? naira(balance) : undefined;
  return amount === undefined ? undefined : { amount, currency: 'NGN' };
}

/**
 * Reads the list of plans of a product type. Where the reply has its rows is not documented: they
 * are those with a `plan_id`, in the reply itself or up to two fields below it.
 */
export function readPlans(result: CallResult): readonly ProviderPlan[] | undefined {
  if (result.kind !== 'reply' || result.status > 299) return undefined;
  const plans = rowsIn(result.body, 2).map(readPlan);
  return plans.every(({ code }) => code === undefined) ? undefined : plans;
}

function rowsIn(value: unknown, depth: number): readonly Body[] {
  if (Array.isArray(value)) return value.filter(isBody);
  return isBody(value) && depth > 0 ? Object.values(value).flatMap((part) => rowsIn(part, depth - 1)) : [];
}

/** The price is that of the account. */
function readPlan(row: Body): ProviderPlan {
  const code = word(row.plan_id);
  if (code === undefined) return unreadablePlan;
  const price = naira(row.price);
  const name = word(row.name) ?? code;
  const cost = price === undefined ? {} : { cost: price };
  return { code, name, price, fixed: true, ...cost, ...planFacts(name, { validity: word(row.validity) }) };
}

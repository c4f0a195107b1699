/**
 * Builds SMEPlug's orders and maps its replies to answers. Pure. SMEPlug's own page was not
 * available: the fields are those of six public clients.
 *
 * Guarantees: success and failure come only from the words that those clients agree on. Every other
 * reply, a contradictory one and one about another order is `unknown`. There is no `not_found`:
 * it is not known how SMEPlug answers for an order that it does not know.
 */
import type { Money } from '../../core/money.ts';
import { localForm } from '../../core/products/mobile-number.ts';
import { notQueried, notSent, otherOrder, type Unknown, unknown } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, naira, word } from '../http/reply-fields.ts';
import { planFacts, unreadablePlan } from '../plan-facts.ts';
import type { ProviderAnswer, ProviderOrder, ProviderPlan } from '../provider.ts';
import { NETWORK_IDS } from './networks.ts';

export type Purchase =
  | { readonly path: string; readonly body: Body }
  /** SMEPlug cannot serve the order. */
  | { readonly lacks: 'code' | 'whole naira' };

const KOBO_PER_NAIRA = 100n;

/** Builds the order. Clients send whole naira only, so kobo is refused, and never rounded. */
export function toPurchase({
  product,
  network,
  recipient,
  amount,
  reference,
  planCodes,
}: ProviderOrder): Purchase {
  const network_id = NETWORK_IDS.get(network);
  if (network_id === undefined) return { lacks: 'code' };
  const common = { network_id, phone: localForm(recipient), customer_reference: reference };
  if (product === 'airtime') {
    if (amount % KOBO_PER_NAIRA !== 0n) return { lacks: 'whole naira' };
    // Far below 2^53: exact as a JSON number.
    return { path: '/airtime/purchase', body: { ...common, amount: Number(amount / KOBO_PER_NAIRA) } };
  }
  const plan_id = planCodes?.variation_code;
  return product !== 'data' || plan_id === undefined
    ? { lacks: 'code' }
    : { path: '/data/purchase', body: { ...common, plan_id } };
}

type Kind = 'success' | 'accepted' | 'failed';

/** The values of `current_status` in the answer to a purchase. */
const PURCHASE_STATES: ReadonlyMap<string, Kind> = new Map([
  ['success', 'success'],
  ['processing', 'accepted'],
  ['failed', 'failed'],
]);

/** The values of `status` of a transaction. `pending` is that of the webhook. */
const QUERY_STATES: ReadonlyMap<string, Kind> = new Map([...PURCHASE_STATES, ['pending', 'accepted']]);

/** Reads the answer to a purchase. */
export function answerToPurchase(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  const reply = readReply(result);
  if ('kind' in reply) return reply;
  const { status, body } = reply;
  const data = isBody(body.data) ? body.data : {};
  const reference = word(data.reference);
  if (body.status === false) return refused(status, word(body.msg) ?? '', reference);
  // The envelope must report it too. An HTTP error is not an answer to our order.
  const state = body.status === true && status < 300 ? word(data.current_status) : undefined;
  return answer(order, { state, data, text: word(data.msg) }, PURCHASE_STATES);
}

/** The subject of a refusal. The first match decides. */
const REFUSALS: readonly (readonly [RegExp, 'unknown' | 'order' | 'provider'])[] = [
  // A repeated reference: the first order may have been executed.
  [/duplicate|exist/i, 'unknown'],
  [/insufficient/i, 'provider'],
  [/invalid authori[sz]ation|secret key|invalid (?:api )?key/i, 'provider'],
  [/invalid plan/i, 'order'],
];

const PLAN_REFUSED = 'The plan is not available';

/**
 * Reads a refusal. Only HTTP 4xx with listed words fails the order: clients report refusals with
 * HTTP 200 too, without stating which of them precede execution. A refusal with a reference became
 * an order, which can be queried by the reference.
 */
function refused(status: number, text: string, reference: string | undefined): ProviderAnswer {
  const about = REFUSALS.find(([pattern]) => pattern.test(text))?.[1] ?? 'unknown';
  const code = `http_${status}`;
  if (status < 400 || about === 'unknown' || reference !== undefined) {
    const providerId = reference === undefined ? {} : { providerId: reference };
    return { ...unknown(code, `refused: ${text}`), ...providerId };
  }
  return about === 'order'
    ? { kind: 'failed', fault: 'order', code, message: `refused: ${text}`, telcoMessage: PLAN_REFUSED }
    : { kind: 'failed', fault: 'provider', code, message: `refused: ${text}` };
}

/** Reads the answer to `GET /transactions/{reference}`, by SMEPlug's reference. */
export function answerToQuery(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notQueried(result);
  const reply = readReply(result);
  if ('kind' in reply) return reply;
  const { status, body } = reply;
  const isOurs = status < 300 && order.providerId !== undefined && word(body.reference) === order.providerId;
  const state = isOurs ? word(body.status) : undefined;
  return answer(order, { state, data: body, text: word(body.response) }, QUERY_STATES);
}

/** Answers for an order that cannot be queried, because no answer had SMEPlug's reference. */
export function unqueryable(): Unknown {
  return {
    ...unknown('no_reference', 'SMEPlug is queried by its own reference, and no answer had one'),
    isUnqueryable: true,
  };
}

type Reply = { readonly status: number; readonly body: Body };

function readReply(result: Exclude<CallResult, { kind: 'not_sent' }>): Reply | Unknown {
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { status, body } = result;
  const isReadable = (status >= 200 && status < 300) || (status >= 400 && status < 500);
  return isReadable && isBody(body)
    ? { status, body }
    : unknown(`http_${status}`, `HTTP ${status}, no usable body`);
}

function answer(
  order: ProviderOrder,
  told: { readonly state: string | undefined; readonly data: Body; readonly text: string | undefined },
  states: ReadonlyMap<string, Kind>,
): ProviderAnswer {
  const { state = '', data, text = '' } = told;
  const reference = word(data.reference);
  const customerReference = word(data.customer_reference);
  const isOther =
    (customerReference !== undefined && customerReference !== order.reference) ||
    (order.providerId !== undefined && reference !== undefined && reference !== order.providerId);
  if (isOther) return otherOrder();
  const evidence = {
    code: states.has(state) ? state : 'no_state',
    message: `${state || 'no state'}: ${text}`,
    ...(reference !== undefined && { providerId: reference }),
  };
  const kind = states.get(state);
  switch (kind) {
    case undefined:
      return { ...evidence, kind: 'unknown' };
    case 'accepted':
      return { ...evidence, kind };
    // The text may speak about our account, so the customer gets the state only.
    case 'success':
      return { ...evidence, kind, telcoMessage: 'success' };
    case 'failed':
      return { ...evidence, kind, fault: 'order', telcoMessage: 'The network did not deliver' };
  }
}

/** Reads our balance, which is at the top level or in `data`. */
export function readBalance(result: CallResult): Money | undefined {
  if (result.kind !== 'reply' || result.status > 299 || !isBody(result.body)) return undefined;
  const { balance, data } = result.body;
  const amount = naira(balance ?? (isBody(data) ? data.balance : undefined));
  return amount === undefined ? undefined : { amount, currency: 'NGN' };
}

/** Reads the plans of a network from the reply of `GET /data/plans`. Undefined without a list. */
export function readPlans(networkId: string, result: CallResult): readonly ProviderPlan[] | undefined {
  if (result.kind !== 'reply' || result.status > 299 || !isBody(result.body)) return undefined;
  const { status, data } = result.body;
  const listed = isBody(data) && Object.hasOwn(data, networkId) ? data[networkId] : undefined;
  return status === true && Array.isArray(listed) ? listed.flatMap(readPlan) : undefined;
}

function readPlan(item: unknown): readonly ProviderPlan[] {
  const code = isBody(item) ? word(item.id) : undefined;
  if (!isBody(item) || code === undefined) return [unreadablePlan];
  const price = naira(item.price);
  const name = word(item.name) ?? code;
  return [
    { code, name, price, fixed: true, ...(price !== undefined && { cost: price }), ...planFacts(name) },
  ];
}

/**
 * Reads a panel's replies about an order by its mapping. Pure.
 *
 * Guarantees: success and failure come only from words and HTTP statuses that the mapping lists as
 * final. The answer to a repeated reference, a reply with contradictory words, one about another
 * order, a redirect and a page of HTML are `unknown`. An absent record proves nothing, so no reply
 * is `not_found`.
 */
import { formatAmount } from '../../core/money.ts';
import { notQueried, notSent, otherOrder, type Unknown, unknown } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, naira, word } from '../http/reply-fields.ts';
import type { ProviderAnswer, ProviderOrder } from '../provider.ts';
import { readGoods } from './goods.ts';
import type { PanelMapping, PanelOrder, PanelStatuses, PanelTrust } from './mapping-schema.ts';
import { orderOf } from './request.ts';

/** How far a success reported by the account is trusted. */
export type Belief = {
  readonly mapping: PanelMapping;
  /** The operator trusts the panel: each success is final at once. */
  readonly isTrusted: boolean;
  /** The factor of durations. */
  readonly timeScale: number;
};

/** Reads a field as `a.b`. `.` is the whole reply. */
export function fieldOf(body: unknown, path: string): unknown {
  if (path === '.') return body;
  let value = body;
  for (const name of path.split('.')) {
    if (!isBody(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Reads the first of the fields that has a text or a number. */
export function wordOf(body: unknown, paths: readonly string[] = []): string | undefined {
  for (const path of paths) {
    const value = word(fieldOf(body, path));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Reads naira, also as `1,000.00` and `20176.49999999992`. */
export function nairaOf(body: unknown, paths: readonly string[] = []): bigint | undefined {
  return naira(wordOf(body, paths)?.replace(/^(?:₦|NGN)\s*/, ''));
}

/** Reads the answer to an order. */
export function answerToPurchase(belief: Belief, order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  const { mapping } = belief;
  const unread = unreadable(result);
  if (unread !== undefined || result.kind !== 'reply' || !isBody(result.body)) {
    return unread ?? unknown('no_answer', 'no usable answer');
  }
  const { status, body } = result;
  const said = textsOf(body).join(' | ').toLowerCase();
  const read = readRecord(belief, order, body, { status, statuses: statusesOf(mapping, order) });
  const answer = read.code === 'other_order' ? read : { ...read, ...balanceOf(mapping, body) };
  // Whatever its status texts: a repeat looks like a refusal, and the first order may be delivered.
  const isDuplicate = mapping.duplicates.some((text) => said.includes(text.toLowerCase()));
  const isRecord = wordOf(body, mapping.reply.id) !== undefined;
  if (isDuplicate && (!isRecord || answer.kind === 'failed')) {
    return unknown('duplicate', `the panel already has an equal order: ${firstText(body)}`);
  }
  if (answer.kind !== 'unknown' || answer.delivered || answer.code === 'other_order') return answer;
  // A record does not prove a refusal before execution, whatever texts it contains.
  if (isRecord) return answer;
  const refusal = mapping.refusals.find(
    ({ http, text }) => http.includes(status) && said.includes(text.toLowerCase()),
  );
  if (refusal === undefined || !isRefusalOnly(mapping, order, body)) return answer;
  const { fault } = refusal;
  const message = firstText(body);
  return {
    kind: 'failed',
    fault,
    code: `http_${status}`,
    message,
    ...(fault === 'order' && { telcoMessage: message }),
  };
}

/** Reads our balance before and after the order. */
function balanceOf({ reply }: PanelMapping, body: Body): Pick<ProviderAnswer, 'balance'> {
  const before = nairaOf(body, reply.balance_before);
  const after = nairaOf(body, reply.balance_after);
  if (before === undefined && after === undefined) return {};
  return { balance: { ...(before !== undefined && { before }), ...(after !== undefined && { after }) } };
}

/** Returns whether a reply has no text of success or waiting, which would contradict a refusal. */
function isRefusalOnly(mapping: PanelMapping, order: ProviderOrder, body: Body): boolean {
  const { fields, success, pending } = statusesOf(mapping, order);
  const other = [...success, ...pending].map((one) => one.toLowerCase());
  return fields.every((path) => !other.includes(word(fieldOf(body, path))?.toLowerCase() ?? ''));
}

export function statusesOf(mapping: PanelMapping, { product }: ProviderOrder): PanelStatuses {
  return orderOf(mapping, product)?.statuses ?? mapping.statuses;
}

/** Answers for a reply that decides nothing: no reply, an HTTP 5xx, a redirect, no JSON object. */
export function unreadable(result: Exclude<CallResult, { kind: 'not_sent' }>): Unknown | undefined {
  const { status } = result;
  if (status !== undefined && status >= 300 && status < 400) {
    return unknown(
      'redirected',
      `HTTP ${status}: the path of the mapping lacks a slash, or the base URL moved`,
    );
  }
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  return status === undefined || status >= 500 || !isBody(result.body)
    ? unknown(`http_${status}`, `HTTP ${status}, no usable body`)
    : undefined;
}

/** Reads the record that a query by the panel's own id returned. */
export function answerToQuery(belief: Belief, order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notQueried(result);
  const unread = unreadable(result);
  if (unread !== undefined || result.kind !== 'reply') return unread ?? unknown('no_answer', 'no answer');
  const { mapping } = belief;
  const { lookup } = orderOf(mapping, order.product) ?? {};
  const record = fieldOf(result.body, lookup?.record ?? '.');
  if (!isBody(record)) return unknown(`http_${result.status}`, 'the reply has no record');
  const statuses = lookup?.statuses ?? statusesOf(mapping, order);
  return readRecord(belief, order, record, { status: result.status, statuses });
}

type Reading = { readonly status: number; readonly statuses: PanelStatuses };

/** Reads a record: the reply to an order, or the result of a look-up. */
export function readRecord(
  belief: Belief,
  order: ProviderOrder,
  body: Body,
  { status, statuses }: Reading,
): ProviderAnswer {
  const { mapping } = belief;
  const { reply } = mapping;
  const how = orderOf(mapping, order.product);
  const reference = wordOf(body, reply.reference);
  if (reference !== undefined && reference !== order.reference) return otherOrder();
  const recipient = wordOf(body, how?.recipient);
  if (recipient !== undefined && !isSameNumber(recipient, order.recipient)) return otherOrder();
  const providerId = wordOf(body, reply.id);
  const said = saidOf(statuses, body);
  const meaning = meaningOf(said, statuses);
  const text = wordOf(body, reply.message);
  const before = nairaOf(body, reply.balance_before);
  const after = nairaOf(body, reply.balance_after);
  const evidence = {
    code: said.join('/') || `http_${status}`,
    message: [
      text ?? (said.length > 0 ? 'no text' : firstText(body)),
      ...(before !== undefined && after !== undefined
        ? [`balance ${formatAmount(before)} to ${formatAmount(after)}`]
        : []),
    ].join('; '),
    ...(providerId !== undefined && { providerId }),
  };
  if (meaning === undefined) return { ...evidence, kind: 'unknown' };
  if (meaning === 'failed') {
    if (!mapping.failed_http.includes(status)) return { ...evidence, kind: 'unknown' };
    return {
      ...evidence,
      kind: 'failed',
      fault: 'order',
      telcoMessage: text ?? 'The network refused the order',
    };
  }
  if (!mapping.success_http.includes(status)) return { ...evidence, kind: 'unknown' };
  if (meaning === 'pending') return { ...evidence, kind: 'accepted' };
  const other = findOther(how, order, body);
  if (other !== undefined) {
    return { ...evidence, kind: 'unknown', code: 'other_amount', message: other, delivered: true };
  }
  const moved = before !== undefined && after !== undefined ? before - after : undefined;
  const cost = nairaOf(body, reply.cost) ?? (moved !== undefined && moved > 0n ? moved : undefined);
  if (!isConfirmed(belief, how?.trust ?? mapping.trust, order, { moved, cost: nairaOf(body, reply.cost) })) {
    return {
      ...evidence,
      kind: 'accepted',
      code: 'provisional',
      message: `${evidence.message}; the panel reports it as delivered, which is not confirmed yet`,
    };
  }
  const goods = how && readGoods(how, order, body);
  return {
    ...evidence,
    kind: 'success',
    telcoMessage: text ?? 'Delivered',
    ...(cost !== undefined && { cost }),
    ...(goods && { goods }),
  };
}

/** Returns the different status words, in lower case. */
export function saidOf({ fields }: PanelStatuses, body: Body): readonly string[] {
  return [...new Set(fields.flatMap((path) => word(fieldOf(body, path))?.toLowerCase() ?? []))];
}

/**
 * Returns the combined meaning of the status texts. Undefined for unlisted and contradictory ones.
 */
export function meaningOf(
  said: readonly string[],
  { success, pending, failed }: PanelStatuses,
): 'success' | 'pending' | 'failed' | undefined {
  const lists = { success, pending, failed } as const;
  const meanings = new Set(
    said.map((one) =>
      (['success', 'pending', 'failed'] as const).find((name) =>
        lists[name].some((listed) => listed.toLowerCase() === one),
      ),
    ),
  );
  return meanings.size === 1 ? [...meanings][0] : undefined;
}

/** Compares two spellings of a number. A panel may cut the 0 or write +234. */
export function isSameNumber(one: string, other: string): boolean {
  return comparedNumber(one) === comparedNumber(other);
}

/** Returns the last ten digits of a number, which all its spellings have. */
export function comparedNumber(text: string): string {
  const digits = text.replace(/\D/g, '');
  return digits.length >= 10 ? digits.slice(-10) : text;
}

/** Tells in words how the panel sold something else than the order. Undefined when it did not. */
function findOther(how: PanelOrder | undefined, order: ProviderOrder, body: Body): string | undefined {
  const amount = nairaOf(body, how?.amount);
  if (amount !== undefined && amount !== order.amount) {
    return `delivered, but ${formatAmount(amount)} instead of ${formatAmount(order.amount)}`;
  }
  const plan = wordOf(body, how?.plan);
  return plan === undefined || plan === order.planCodes?.variation_code
    ? undefined
    : 'delivered, but another plan';
}

type Charge = { readonly moved: bigint | undefined; readonly cost: bigint | undefined };

function isConfirmed(
  { isTrusted, timeScale }: Belief,
  trust: PanelTrust,
  order: ProviderOrder,
  { moved, cost }: Charge,
): boolean {
  if (isTrusted || trust.success === 'final') return true;
  if (trust.confirm_by.includes('balance') && moved !== undefined && moved > 0n) {
    // Floats differ by a kobo.
    if (cost === undefined ? moved <= order.amount : moved - cost <= 1n && cost - moved <= 1n) return true;
  }
  const { sentMs = 0, isDebited } = order;
  if (trust.confirm_by.includes('balance') && isDebited) return true;
  return trust.confirm_by.includes('record') && sentMs >= trust.confirm_after_s * 1_000 * timeScale;
}

/** Returns the texts of a reply, bounded in depth and number. */
function textsOf(value: unknown, depth = 0): readonly string[] {
  if (depth > 3) return [];
  const text = word(value);
  if (text !== undefined) return [text];
  const parts = Array.isArray(value) ? value : isBody(value) ? Object.values(value) : [];
  return parts.slice(0, 50).flatMap((part) => textsOf(part, depth + 1));
}

/** Returns the texts of a reply that has no message field. */
function firstText(body: Body): string {
  const { error, message, msg, detail } = body;
  const [text = textsOf(body).join(' | ')] = [error, message, msg, detail].flatMap((part) => textsOf(part));
  return text === '' ? 'no text' : text.slice(0, 200);
}

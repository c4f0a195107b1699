/**
 * Maps orders, look-ups and replies of eSIM Access. Pure. Source: the official API documentation of
 * eSIM Access.
 *
 * An order is accepted first, and its profile is allocated later. Queries use the order number of
 * the answer. There is no look-up by our own id, so an order whose answer was lost is searched in
 * the list of eSIMs around the time in our id. `not_found` needs a complete list of a day before
 * and after.
 */

import { notQueried, notSent, otherOrder, unknown } from '../answers.ts';
import type { CallResult } from '../http/call.ts';
import { type Body, isBody, word } from '../http/reply-fields.ts';
import type { Goods, ProviderAnswer, ProviderOrder } from '../provider.ts';
import type { Request } from './client.ts';

type Refusal = { readonly fault: 'order' | 'provider'; readonly meaning: string };

/** The error codes that refuse an order. Any other code is `unknown`. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  '200005': { fault: 'provider', meaning: 'the price has changed' },
  '200006': { fault: 'provider', meaning: 'the total has changed' },
  '200007': { fault: 'provider', meaning: 'our balance at the provider is too low' },
  '200008': { fault: 'order', meaning: 'not acceptable' },
  '200011': { fault: 'provider', meaning: 'no profiles left' },
};

/** The first digits of codes that refuse our request or our access. */
const REFUSED_GROUPS: Readonly<Record<string, string>> = {
  '0001': 'our request was refused',
  '1010': 'our access was refused',
  '3102': 'no such package, place or currency',
};

const ALLOCATING = '200010';
const TOO_MANY = 429;

/**
 * The states of an eSIM with a profile. Those after GOT_RESOURCE describe its use. REVOKED is not
 * among them: the eSIM was taken away, and eSIM Access pays nothing back.
 */
export const DELIVERED: ReadonlySet<string> = new Set([
  'GOT_RESOURCE',
  'ONBOARDING',
  'IN_USE',
  'SUSPENDED',
  'USED_UP',
  'USED_EXPIRED',
  'UNUSED_EXPIRED',
]);
const ALLOCATED_LATER: ReadonlySet<string> = new Set(['CREATE', 'PAYING', 'PAID', 'GETTING_RESOURCE']);
const CANCELLED = 'CANCEL';

/** The largest page. */
export const PAGE_SIZE = 500;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How far around the time in its id an order is searched. */
export type Window = { readonly beforeMs: number; readonly afterMs: number };

/** An order is placed within a minute of its id. Clocks differ. */
export const near: Window = { beforeMs: 15 * MINUTE_MS, afterMs: 60 * MINUTE_MS };
/** The clock of the process that made the id may have been wrong by hours. */
export const far: Window = { beforeMs: DAY_MS, afterMs: DAY_MS };

const SLUG = /^[0-9A-Za-z_-]{1,64}$/;
const PRICE = /^[1-9]\d{0,9}$/;
// Printable characters without blanks.
const LPA = /^LPA:1\$([!-#%-~]+)\$([!-#%-~]+)(?:\$[!-~]*)?$/;
/** Twice the longest valid code. */
const LPA_LENGTH_MAX = 512;
const ICCID = /^\d{18,22}F?$/i;
const REFERENCE = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})-[0-9a-f]{32}$/;

/**
 * Makes `20261121T060102-` and 32 hex digits: 48 of the 50 allowed characters. The time (UTC) is
 * the order's place in the list.
 */
export function toReference(now: Date, uuid: string): string {
  return `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}-${uuid.replaceAll('-', '')}`;
}

/**
 * Builds the request of an order. Undefined when the plan has no package there or the order names
 * no eSIM.
 */
export function toOrder(order: ProviderOrder): Request | undefined {
  const slug = order.planCodes?.slug;
  const price = order.planCodes?.price;
  if (order.product !== 'ESIM' || order.item?.quantity !== 1) return undefined;
  if (slug === undefined || !SLUG.test(slug) || price === undefined || !PRICE.test(price)) return undefined;
  // eSIM Access refuses the order if the package now costs more than this price, which is in
  // 1/10,000 of a dollar and far below 2^53.
  const cost = Number(price);
  return {
    operation: 'purchase',
    path: '/esim/order',
    body: {
      transactionId: order.reference,
      amount: cost,
      packageInfoList: [{ packageCode: slug, count: 1, price: cost }],
    },
  };
}

/**
 * Builds the request of one page of eSIMs around the order's time. Undefined for a reference that
 * is not in our form.
 */
export function toListing(
  order: ProviderOrder,
  { beforeMs, afterMs }: Window,
  pageNum: number,
): Request | undefined {
  const mintedAtMs = mintedAt(order.reference);
  if (mintedAtMs === undefined) return undefined;
  const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}+00:00`;
  return {
    operation: 'query',
    path: '/esim/query',
    body: {
      startTime: time(mintedAtMs - beforeMs),
      endTime: time(mintedAtMs + afterMs),
      pager: { pageNum, pageSize: PAGE_SIZE },
    },
  };
}

/** Builds the query by order number. Undefined when the number is not known. */
export function toOrderQuery({ providerId }: ProviderOrder): Request | undefined {
  if (providerId === undefined) return undefined;
  const body = { orderNo: providerId, pager: { pageNum: 1, pageSize: PAGE_SIZE } };
  return { operation: 'query', path: '/esim/query', body };
}

/** Returns the time in a reference of ours. Undefined for any other reference. */
export function mintedAt(reference: string): number | undefined {
  const [, year, month, day, hour, minute, second] = REFERENCE.exec(reference) ?? [];
  if (second === undefined) return undefined;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Reads the answer to an order. */
export function answerToPurchase(order: ProviderOrder, result: CallResult): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const { status, body } = result;
  const hasOrder = isBody(body) && namesOrder(body.obj);
  if (status === TOO_MANY && !hasOrder) {
    return { kind: 'not_sent', code: 'http_429', message: 'HTTP 429: too many calls' };
  }
  const reply = readEnvelope(result);
  if (reply === undefined) return unreadable(result);
  // A refusal together with an order is unclear.
  if (!reply.isGood && hasOrder) return unknown(reply.code, `${reply.code}, beside an order`);
  if (!reply.isGood) return refusal(reply.code, reply.text);
  const named = isBody(reply.obj) ? reply.obj.transactionId : undefined;
  if (named !== undefined && named !== null && named !== order.reference) return otherOrder();
  const orderNo = isBody(reply.obj) ? word(reply.obj.orderNo) : undefined;
  if (orderNo === undefined) return unknown('no_order_number', 'the reply names no order');
  return {
    kind: 'accepted',
    code: '0',
    message: `order ${orderNo}, its profile is being allocated`,
    providerId: orderNo,
  };
}

function namesOrder(obj: unknown): boolean {
  return isBody(obj) && (word(obj.orderNo) !== undefined || word(obj.transactionId) !== undefined);
}

/** A page of the list, or the answer when there is no page. */
export type Page =
  | { readonly kind: 'page'; readonly entries: readonly Body[]; readonly total: number }
  | { readonly kind: 'answer'; readonly answer: ProviderAnswer };

/** Reads one page of the list. A call that did not leave proves nothing about the order. */
export function readListing(result: CallResult): Page {
  const because = (answer: ProviderAnswer): Page => ({ kind: 'answer', answer });
  if (result.kind === 'not_sent') return because(notQueried(result));
  if (result.kind === 'lost') return because(unknown('no_answer', result.reason));
  const reply = readEnvelope(result);
  if (reply === undefined) return because(unreadable(result));
  if (!reply.isGood) {
    return because(
      reply.code === ALLOCATING
        ? { kind: 'accepted', code: ALLOCATING, message: 'the profile is being allocated' }
        : unknown(reply.code, `${reply.code}: ${reply.text}`),
    );
  }
  const list = isBody(reply.obj) ? reply.obj.esimList : undefined;
  const pager = isBody(reply.obj) && isBody(reply.obj.pager) ? reply.obj.pager : {};
  const total = word(pager.total);
  if (!Array.isArray(list) || !list.every(isBody) || total === undefined || !/^\d{1,9}$/.test(total)) {
    return because(unreadable(result));
  }
  return { kind: 'page', entries: list, total: Number(total) };
}

/** Returns the answer of the complete list. */
export function answerToQuery(order: ProviderOrder, entries: readonly Body[], total: number): ProviderAnswer {
  const ours = entries.filter((entry) => entry.transactionId === order.reference);
  if (ours.length === 0) {
    const distinct = new Set(entries.map((one) => word(one.esimTranNo))).size;
    const haveIds = entries.every((one) => typeof one.transactionId === 'string');
    return haveIds && distinct === total
      ? { kind: 'not_found', code: 'none', message: 'no eSIM under our id' }
      : unknown('incomplete_list', 'the list is incomplete, or lacks the ids of some orders');
  }
  return ofOurs(ours);
}

/**
 * Reads the answer to a query by order number. An empty answer proves nothing, because the order
 * was accepted under this number.
 */
export function answerToOrderQuery(order: ProviderOrder, entries: readonly Body[]): ProviderAnswer {
  if (entries.length === 0) return unknown('no_esim', 'no eSIM under the order number');
  return entries.every((entry) => isOfOrder(entry, order)) ? ofOurs(entries) : otherOrder();
}

/** Compares our id, or the order number when the entry has no id. */
function isOfOrder({ transactionId, orderNo }: Body, { reference, providerId }: ProviderOrder): boolean {
  return word(transactionId) === undefined ? word(orderNo) === providerId : transactionId === reference;
}

function ofOurs(entries: readonly Body[]): ProviderAnswer {
  const [entry] = entries;
  const eSims = new Set(entries.map((one) => word(one.esimTranNo)));
  if (eSims.size > 1)
    return unknown('several_esims', `${eSims.size} eSIMs under one id: needs a check by a person`);
  return byState(entry ?? {});
}

function byState(entry: Body): ProviderAnswer {
  const state = word(entry.esimStatus)?.toUpperCase() ?? 'no_state';
  const eSim = word(entry.esimTranNo);
  const evidence = {
    code: state,
    message: `${state}, eSIM ${eSim ?? 'without a number'}`,
    ...(eSim !== undefined && { providerId: eSim }),
  };
  if (state === CANCELLED) {
    // A cancelled eSIM is paid back and can no longer be installed.
    return { ...evidence, kind: 'failed', fault: 'order' };
  }
  if (ALLOCATED_LATER.has(state)) return { ...evidence, kind: 'accepted' };
  if (!DELIVERED.has(state)) return { ...evidence, kind: 'unknown' };
  const goods = goodsOf(entry);
  return goods === undefined ? { ...evidence, kind: 'accepted' } : { ...evidence, kind: 'success', goods };
}

const INSTRUCTIONS =
  'Connect to Wi-Fi, open Settings, Mobile data, Add eSIM, and scan the QR code, or enter the SM-DP+ address and the activation code. ' +
  'Turn on data roaming for the eSIM at the destination. An eSIM can be installed once.';

/** Reads the goods of an eSIM. Undefined until the profile is allocated. */
function goodsOf(entry: Body): Goods | undefined {
  const lpa = wholeText(entry.ac);
  const iccid = wholeText(entry.iccid);
  const [, host, activationCode] = LPA.exec(lpa ?? '') ?? [];
  if (lpa === undefined || iccid === undefined || !ICCID.test(iccid)) return undefined;
  if (host === undefined || activationCode === undefined) return undefined;
  const orderNo = word(entry.orderNo);
  return {
    iccid,
    activation_code: activationCode,
    smdp_address: host,
    lpa,
    redemption_instructions: INSTRUCTIONS,
    ...(orderNo !== undefined && { reference_code: orderNo }),
  };
}

/** Reads a text unchanged. Refuses a JSON number, which loses digits. */
function wholeText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= LPA_LENGTH_MAX ? value.trim() : undefined;
}

type Envelope = {
  readonly isGood: boolean;
  readonly code: string;
  readonly text: string;
  readonly obj: unknown;
};

/** Reads the envelope of a reply. Undefined without one, and for a success with an HTTP error. */
export function readEnvelope(result: CallResult): Envelope | undefined {
  if (result.kind !== 'reply' || result.status >= 500 || !isBody(result.body)) return undefined;
  const { success, errorCode, errorMessage, errorMsg, obj } = result.body;
  const isGood = success === true || success === 'true';
  if (isGood ? result.status >= 300 : success !== false && success !== 'false') return undefined;
  const code = word(errorCode) ?? (isGood ? '0' : `http_${result.status}`);
  return { isGood, code, text: word(errorMessage) ?? word(errorMsg) ?? '', obj };
}

function refusal(code: string, text: string): ProviderAnswer {
  const evidence = { code, message: `${code}: ${text}` };
  if (code === ALLOCATING) return { ...evidence, kind: 'accepted' };
  const group = REFUSED_GROUPS[code.slice(0, 4)];
  const refused = Object.hasOwn(REFUSALS, code)
    ? REFUSALS[code]
    : group !== undefined && code.length === 6
      ? { fault: 'provider' as const, meaning: group }
      : undefined;
  if (refused === undefined) return { ...evidence, kind: 'unknown' };
  const { fault, meaning } = refused;
  return { ...evidence, message: `${code}, ${meaning}: ${text}`, kind: 'failed', fault };
}

function unreadable(result: CallResult): ProviderAnswer {
  const code = result.kind === 'reply' ? `http_${result.status}` : 'no_answer';
  return unknown(code, `${code}, no usable body`);
}

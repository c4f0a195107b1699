/**
 * Finds the record of an order in a panel's list, by number, plan, amount and time. Pure. A panel
 * may write the record long after the call, or never, so an absent record proves nothing.
 */
import { type Unknown, unknown } from '../answers.ts';
import { type Body, isBody, word } from '../http/reply-fields.ts';
import type { ProviderOrder } from '../provider.ts';
import type { PanelOrder } from './mapping-schema.ts';
import { comparedNumber, fieldOf, isSameNumber, nairaOf, wordOf } from './reply.ts';

export type PanelList = NonNullable<NonNullable<PanelOrder['lookup']>['list']>;

/** The time in which the record of an order is created, in milliseconds since 1970. */
export type Window = { readonly fromMs: number; readonly toMs: number };

export function windowOf({ window_s, skew_s }: PanelList, sentAtMs: number): Window {
  return { fromMs: sentAtMs - skew_s * 1_000, toMs: sentAtMs + (window_s + skew_s) * 1_000 };
}

/** Returns the records of a page. Undefined when it has no list. */
export function rowsOf({ rows }: PanelList, body: unknown): readonly Body[] | undefined {
  const found = rows.map((path) => fieldOf(body, path)).find(Array.isArray);
  return found?.filter(isBody);
}

/** Tells whether a page ends before the window, so that no later page can have the record. */
export function endsBefore(list: PanelList, rows: readonly Body[], { fromMs }: Window): boolean {
  const last = rows.at(-1);
  const at = last === undefined ? undefined : timeOf(list, last);
  return last === undefined || (at !== undefined && at < fromMs);
}

/** Returns the only record that can be the order's. */
export function findRecord(
  list: PanelList,
  how: PanelOrder,
  id: readonly string[],
  order: ProviderOrder,
  rows: readonly Body[],
  window: Window,
): { readonly kind: 'record'; readonly record: Body } | Unknown {
  const ids = new Set<string>();
  const found = rows.filter((row) => {
    const own = wordOf(row, id);
    if (own === undefined || ids.has(own) || order.otherIds?.includes(own)) return false;
    ids.add(own);
    const at = timeOf(list, row);
    return at !== undefined && at >= window.fromMs && at <= window.toMs && isOrder(how, order, row);
  });
  const [record, another] = found;
  if (record === undefined)
    return unknown('not_listed', 'the list has no record of the order, which proves nothing');
  return another === undefined
    ? { kind: 'record', record }
    : unknown('several_records', 'several records may be the order: a person must decide');
}

/** Tells whether a record has the number, and the plan or the amount, of the order. */
function isOrder(how: PanelOrder, order: ProviderOrder, row: Body): boolean {
  const number = wordOf(row, how.recipient);
  if (number === undefined || !isSameNumber(number, order.recipient)) return false;
  if (!isByPlan(order.product)) return nairaOf(row, how.amount) === order.amount;
  const plan = wordOf(row, how.plan);
  return plan !== undefined && plan === order.planCodes?.variation_code;
}

/** Returns whether records of a product are identified by their plan. The others are by amount. */
export function isByPlan(product: string): boolean {
  return product === 'data' || product === 'CABLE';
}

/** Orders with the same text can have the same record. Networks are not compared. */
export function likenessOf({ product, recipient, amount, planCodes }: ProviderOrder): string {
  const what = isByPlan(product) ? `plan ${planCodes?.variation_code ?? ''}` : `amount ${amount}`;
  return `${comparedNumber(recipient)} ${what}`;
}

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?$/;

/** Reads the time of a record. */
export function timeOf({ at, zone_minutes }: PanelList, row: Body): number | undefined {
  const [, day, time, zone] = TIME.exec(word(fieldOf(row, at)) ?? '') ?? [];
  if (day === undefined || time === undefined) return undefined;
  const ms = Date.parse(`${day}T${time}${zone?.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2') ?? 'Z'}`);
  if (Number.isNaN(ms)) return undefined;
  return zone === undefined ? ms - zone_minutes * 60_000 : ms;
}

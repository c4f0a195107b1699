/**
 * Reads a panel's lists of orders as statement lines, one list for each product that has one,
 * newest first. Pure. The records have no reference of ours: a line is known by the id of its
 * record, and reconciliation finds the order that had it.
 */
import { formatAmount } from '../../core/money.ts';
import type { CallResult } from '../http/call.ts';
import type { Body } from '../http/reply-fields.ts';
import {
  type LinesPage,
  ownIdReference,
  type Period,
  type StatementLine,
} from '../statements/statement-line.ts';
import type { PanelMapping, PanelOrder, PanelProduct } from './mapping-schema.ts';
import { isByPlan, type PanelList, rowsOf, timeOf } from './records.ts';
import { meaningOf, nairaOf, saidOf, wordOf } from './reply.ts';

const STATES = { success: 'delivered', pending: 'pending', failed: 'failed' } as const;

type Listed = { readonly product: PanelProduct; readonly how: PanelOrder; readonly list: PanelList };

/** Returns the lists that need no value of an order. */
export function listsOf({ orders }: PanelMapping): readonly Listed[] {
  return Object.entries(orders).flatMap(([product, how]) => {
    const list = how.lookup?.list;
    const { path = '', query = {} } = list?.request ?? {};
    const isWhole = [path, ...Object.values(query)].every((text) => !/\{(?!page#?\})/.test(text));
    return list !== undefined && isWhole ? [{ product: product as PanelProduct, how, list }] : [];
  });
}

/** A page of a list, as `<number of the list>.<page>`. */
export function placeOfPage(page: string | undefined): { readonly index: number; readonly number: number } {
  const [index = 0, number = 1] = (page ?? '0.1').split('.').map(Number);
  return { index, number };
}

/** Reads a page. It ends the list when it is empty, or older than the period. */
export function readOrders(
  mapping: PanelMapping,
  listed: readonly Listed[],
  { from }: Period,
  page: string | undefined,
  result: CallResult,
): LinesPage {
  const { index, number } = placeOfPage(page);
  const of = listed[index];
  const nextList = index + 1 < listed.length ? `${index + 1}.1` : undefined;
  if (of === undefined) return { kind: 'unavailable', reason: 'the mapping has no such list' };
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: result.reason };
  // Past the last page some panels answer 404.
  if (result.status === 404 && number > 1) return { kind: 'page', lines: [], next: nextList };
  const rows = result.status < 300 ? rowsOf(of.list, result.body) : undefined;
  if (rows === undefined) return { kind: 'unavailable', reason: `HTTP ${result.status}, no list` };
  const lines = rows.map((row) => lineOf(mapping, of, row)).filter((line) => line !== undefined);
  if (lines.length < rows.length) {
    return { kind: 'unavailable', reason: 'a record without its id or its time' };
  }
  const last = lines.at(-1);
  const isOver = last === undefined || last.at < from;
  return { kind: 'page', lines, next: isOver ? nextList : `${index}.${number + 1}` };
}

function lineOf(mapping: PanelMapping, { product, how, list }: Listed, row: Body): StatementLine | undefined {
  const { reply } = mapping;
  const statuses = how.lookup?.statuses ?? how.statuses ?? mapping.statuses;
  const said = saidOf(statuses, row);
  // An unlisted word is not final.
  const state = STATES[meaningOf(said, statuses) ?? 'pending'];
  const id = wordOf(row, reply.id);
  const at = timeOf(list, row);
  if (id === undefined || at === undefined) return undefined;
  const recipient = wordOf(row, how.recipient);
  const plan = isByPlan(product) ? wordOf(row, how.plan) : undefined;
  const amount = isByPlan(product) ? undefined : nairaOf(row, how.amount);
  const cost = nairaOf(row, reply.cost);
  const balance = nairaOf(row, reply.balance_after);
  return {
    line: 0,
    state,
    words: [
      said.join('/') || 'no status',
      ...(cost === undefined ? [] : [`charged ${formatAmount(cost)}`]),
    ].join(', '),
    at: new Date(at),
    reference: ownIdReference(product, id),
    providerId: id,
    product,
    ...(recipient !== undefined && { recipient }),
    ...(plan !== undefined && { item: { planCodes: { variation_code: plan }, quantity: 1 } }),
    ...(amount !== undefined && { amount }),
    ...(cost !== undefined && { cost }),
    ...(balance !== undefined && { balance }),
    currency: 'NGN',
  };
}

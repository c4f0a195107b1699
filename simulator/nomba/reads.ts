/**
 * The calls that change nothing: the record of an order, look-ups of customers, lists, the balance.
 */
import { findCustomer } from '../customers.ts';
import type { Fault } from '../faults.ts';
import type { Reply } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import { nairaNumber, nairaText } from '../naira.ts';
import type { Nomba } from './nomba.ts';
import { good, recordOf, recordReply, refusal, words } from './replies.ts';

/** An account sees its own orders only: by our reference or by Nomba's id. */
export async function single(nomba: Nomba, subAccount: string, query: URLSearchParams): Promise<Reply> {
  const reference = query.get('merchantTxRef');
  const id = query.get('transactionRef');
  const order =
    reference === null
      ? nomba.account.orders().find(({ detail }) => id !== null && detail.id === id)
      : await nomba.account.find(reference);
  const fault = nomba.account.fault('requery', order?.recipient ?? '');
  const isVisible =
    order !== undefined &&
    order.detail.subAccount === subAccount &&
    (order.visibleAt === undefined || order.visibleAt <= new Date());
  const reply = isVisible ? recordReply(order) : refusal('404', 'Transaction not found', 404);
  return await spoiled(nomba, fault, reply);
}

/**
 * Newest first; by period and page on request. A page begins with the last entry of the previous
 * page.
 */
export async function listed(
  nomba: Nomba,
  subAccount: string,
  filter: Record<string, unknown>,
  query: URLSearchParams,
): Promise<Reply> {
  const { merchantTxRef, transactionRef } = filter;
  const orders = await nomba.account.toldOrders();
  const from = Date.parse(query.get('dateFrom') ?? '') || 0;
  const to = Date.parse(query.get('dateTo') ?? '') || Number.POSITIVE_INFINITY;
  const found = orders.filter(
    ({ reference, detail, acceptedAt }) =>
      detail.subAccount === subAccount &&
      acceptedAt.getTime() >= from &&
      acceptedAt.getTime() <= to &&
      (merchantTxRef === undefined || merchantTxRef === reference) &&
      (transactionRef === undefined || transactionRef === detail.id),
  );
  const size = Number(query.get('limit') ?? found.length) || LIST_SIZE;
  const at = Number(query.get('cursor') ?? 0);
  const rows = found.toReversed();
  const page = rows.slice(Math.max(0, at - 1), at + size).map(recordOf);
  const cursor = at + size < rows.length ? String(at + size) : '';
  return await spoiled(nomba, nomba.account.fault('list', ''), good({ results: page, cursor }));
}

/** Used when the request gives none. */
const LIST_SIZE = 1_000;

/** `known` is whether the biller of the look-up exists; `as` is its cable network. */
export async function lookUp(
  nomba: Nomba,
  product: 'ELECTRICITY' | 'CABLE' | 'BETTING',
  biller: { readonly known: boolean; readonly as?: string },
  customerId: string | null,
): Promise<Reply> {
  if (!biller.known) return refusal('400', 'Unknown biller');
  const fault = nomba.account.fault('verify', customerId ?? '');
  // A meter's kind is not sent here, so a wrong one is not noticed before the purchase.
  const customer =
    fault?.fault === 'refused' ? undefined : findCustomer(product, customerId ?? '', biller.as);
  const reply = customer === undefined ? refusal('404', 'Customer not found', 404) : good(customer.name);
  return await spoiled(nomba, fault, reply);
}

async function spoiled(nomba: Nomba, fault: Fault | undefined, reply: Reply): Promise<Reply> {
  if (fault === undefined) return reply;
  await holdBack(fault);
  if (fault.fault === 'unauthorized') nomba.tokens.revokeAll();
  return spoil(fault, reply, words, nomba.account.settings.timeoutMs);
}

export function dataPlans({ catalog }: Nomba, network: string): Reply {
  const plans = [...(catalog.dataPlans.get(network)?.values() ?? [])];
  return plans.length === 0
    ? refusal('400', 'Unknown network')
    : good(
        plans.map(({ productId, name, price }) => ({ amount: nairaNumber(price), plan: name, productId })),
      );
}

export function discos({ catalog }: Nomba): Reply {
  return good([...catalog.discos].map(([id, name]) => ({ id, name })));
}

export function bettingProviders({ catalog }: Nomba): Reply {
  const list = [...catalog.bettingProviders].map(([id, name]) => ({
    id,
    name,
    lookup_id: id,
    biller_id: id,
  }));
  return good(list);
}

export function bouquets({ catalog }: Nomba, type: string | null): Reply {
  const list = catalog.bouquets.get(type ?? '');
  return list === undefined
    ? refusal('400', 'Unknown cableTvType')
    : good(list.map(({ name, price }) => ({ name, amount: nairaNumber(price) })));
}

export function balance({ account }: Nomba): Reply {
  const amount = nairaText(account.balance());
  return good({ amount, currency: 'NGN', timeCreated: new Date().toISOString() });
}

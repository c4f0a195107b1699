/**
 * Settles findings: orders that providers list and that are unknown here. The mark in a reference
 * identifies the purchase: the purchase is entered, or the order is recorded as its attempt. Orders
 * that cannot be settled stay open with the reason. Each purchase is a separate transaction, so
 * that a run can be interrupted and repeated.
 *
 * Guarantees: a purchase with an order that may have been delivered is never sent again. Whether it
 * was delivered is not decided here. An order is settled once, however many processes settle it.
 */

import type { Catalog } from '../../catalog/catalog.ts';
import { listKnownCosts } from '../../catalog/margins/live-prices-store.ts';
import type { ActorOrName } from '../../core/actor.ts';
import { OperationError } from '../../core/errors.ts';
import type { OnProgress } from '../../core/progress.ts';
import type { Database, Tx } from '../../db/database.ts';
import { listHeldRules, ownList } from '../../merchants/prices/price-list-store.ts';
import { indexRules } from '../../merchants/prices/price-rule.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { type ReadMark, readMark } from '../../providers/reference-mark.ts';
import type { RestoreLockRow } from '../../purchases/engine/restore-lock-store.ts';
import { lockWalletOfPurchase } from '../../wallet/wallet-store.ts';
import { listCoverage } from './coverage-store.ts';
import { type Entry, enterPurchase } from './enter-purchase.ts';
import { isOver, type OpenReason } from './finding.ts';
import {
  type Finding,
  type FindingChange,
  findEnteringMerchant,
  findKnownPurchase,
  findLastNetwork,
  insertFoundAttempts,
  listOpenFindings,
  lockFinding,
  makeAttemptCurrent,
  type OrderName,
  updateFinding,
} from './finding-store.ts';
import { type KnownPurchases, readKnownPurchases } from './known-purchases.ts';
import { type Given, readTerms, type TermsReader } from './order-terms.ts';

export type Settling = {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly actor: ActorOrName;
};

/** What an operator knows about an order. */
export type ManualEntry = {
  /** The code of its merchant; undefined if the provider's reference identifies it. */
  readonly merchant?: string | undefined;
  /** The merchant's reference. */
  readonly reference?: string | undefined;
  readonly given: Given;
};

export type Settled = FindingChange & { readonly verdict: 'entered' | 'attempt' | 'open' };

type Order = Finding & { readonly mark: ReadMark | undefined };

/** Rolls back a transaction and keeps the finding open. */
class LeftOpen extends Error {
  readonly settled: Settled;

  constructor(reason: OpenReason, merchantId?: number, purchaseId?: string) {
    super(reason);
    this.settled = { verdict: 'open', reason, merchantId, purchaseId };
  }
}

/** Settles the findings since the restore lock was set, by the marks of their references. */
export async function settleFindings(
  settling: Settling,
  lock: RestoreLockRow,
  onProgress: OnProgress,
): Promise<void> {
  const { database } = settling;
  const coverage = await listCoverage(database, lock);
  const isWhole = coverage.every(({ gaps }) => gaps.length === 0);
  const orders = (await listOpenFindings(database, { since: lock.raised_at })).map(withMark);
  const known = await readKnown(database, orders);
  const groups = groupByPurchase(orders);
  for (const [done, group] of groups.entries()) {
    // Another provider may have delivered the purchase.
    if (!isWhole && group.every(({ listed }) => isOver(listed))) {
      await leaveOpen(database, group, new LeftOpen('other_lists_missing', group[0]?.mark?.merchantId));
    } else {
      await settlePurchase(settling, known, group, { given: {} });
    }
    onProgress({ step: 'purchases', done: done + 1, unit: `of ${groups.length} checked` });
  }
}

/**
 * Settles one finding with an operator's data. Undefined if it is not open. Throws OperationError
 * `finding_of_other_merchant` if the mark of its reference names another merchant.
 */
export async function settleByHand(
  settling: Settling,
  name: OrderName,
  manual: ManualEntry,
): Promise<Settled | undefined> {
  const [order] = (await listOpenFindings(settling.database, name)).map(withMark);
  if (order === undefined) return undefined;
  if (manual.merchant !== undefined && order.mark !== undefined) {
    const own = await findEnteringMerchant(settling.database, { id: order.mark.merchantId });
    if (own !== undefined && own.code !== manual.merchant) {
      throw new OperationError({ code: 'finding_of_other_merchant', merchant: own.code });
    }
  }
  const known = await readKnown(settling.database, [order]);
  return await settlePurchase(settling, known, [order], manual);
}

function withMark(finding: Finding): Order {
  return { ...finding, mark: readMark(finding.reference) };
}

async function readKnown(database: Database, orders: readonly Order[]): Promise<KnownPurchases> {
  const merchantIds = new Set(orders.flatMap(({ mark }) => mark?.merchantId ?? []));
  return await readKnownPurchases(database, merchantIds, orders[0]?.at ?? new Date());
}

/**
 * Groups orders by purchase. Failed orders come first, because the last attempt is the current one.
 */
function groupByPurchase(orders: readonly Order[]): readonly (readonly Order[])[] {
  const marked = new Map<string, Map<string, Order>>();
  for (const order of orders) {
    if (order.mark === undefined) continue;
    const purchase = `${order.mark.merchantId} ${order.mark.mark}`;
    const group = marked.get(purchase) ?? new Map<string, Order>();
    marked.set(purchase, group.set(`${order.provider}/${order.reference}`, order));
  }
  return [...marked.values()].map((group) =>
    [...group.values()].toSorted(
      (one, other) => rank(one) - rank(other) || one.at.getTime() - other.at.getTime(),
    ),
  );
}

function rank({ listed }: Order): number {
  return listed.state === 'delivered' ? 2 : listed.state === 'pending' ? 1 : 0;
}

async function settlePurchase(
  settling: Settling,
  known: KnownPurchases,
  orders: readonly Order[],
  manual: ManualEntry,
): Promise<Settled | undefined> {
  const { database } = settling;
  const mark = orders[0]?.mark;
  const purchaseId = mark && (await known.find(mark.merchantId, mark.mark));
  const purchase = purchaseId === undefined ? undefined : { merchantId: mark?.merchantId ?? 0, purchaseId };
  try {
    return await database.transaction(async (tx) => {
      const open = await lockOrders(tx, orders);
      if (open.length === 0) return undefined;
      const settled =
        purchase === undefined
          ? await enterOrders(tx, settling, open, manual)
          : await recordAttempts(tx, settling, open, purchase);
      for (const order of open) await updateFinding(tx, order, settled);
      return settled;
    });
  } catch (error) {
    if (!(error instanceof LeftOpen)) throw error;
    return await leaveOpen(database, orders, error);
  }
}

async function leaveOpen(
  database: Database,
  orders: readonly Order[],
  { settled }: LeftOpen,
): Promise<Settled> {
  await database.transaction(async (tx) => {
    for (const order of orders) await updateFinding(tx, order, settled);
  });
  return settled;
}

/** Locks the orders that are still open. An order whose attempt is known by now is superseded. */
async function lockOrders(tx: Tx, orders: readonly Order[]): Promise<readonly Order[]> {
  const open: Order[] = [];
  for (const order of orders) {
    const state = await lockFinding(tx, order);
    if (state === 'open') open.push(order);
    if (state === 'known') await updateFinding(tx, order, { verdict: 'repeated' });
  }
  return open;
}

async function enterOrders(
  tx: Tx,
  { catalog, actor }: Settling,
  orders: readonly Order[],
  { merchant: code, reference, given }: ManualEntry,
): Promise<Settled> {
  const last = orders.at(-1);
  const mark = last?.mark;
  if (last === undefined || (code === undefined && mark === undefined)) throw new LeftOpen('no_mark');
  const merchant = await findEnteringMerchant(
    tx,
    code === undefined ? { id: mark?.merchantId ?? 0 } : { code },
  );
  if (merchant === undefined) throw new LeftOpen('no_merchant');
  const { id: merchantId, wallet_id: walletId } = merchant;
  if (walletId === null) throw new LeftOpen('no_wallet', merchantId);
  const list = merchant.price_list ?? ownList(merchant.code);
  const rules = await listHeldRules(tx, list, last.at);
  const reader: TermsReader = {
    catalog,
    rules: indexRules(rules),
    version: rules[0],
    costs: await listKnownCosts(tx, 'live'),
    lastNetworkOf: (product, recipient) => findLastNetwork(tx, { merchantId, product, recipient }),
  };
  const terms = await readTerms(reader, last.provider, last.listed, given, mark?.trace);
  if (terms.kind === 'missing') throw new LeftOpen(`no_${terms.what}`, merchantId);
  const entry: Entry = {
    merchant: { ...merchant, wallet_id: walletId },
    mark: mark?.mark,
    reference,
    terms: terms.terms,
    attempts: attemptsOf(orders),
  };
  const entered = await enterPurchase(tx, entry, actor);
  if (entered.kind === 'taken') throw new LeftOpen('reference_taken', merchantId);
  if (entered.kind === 'insufficient') throw new LeftOpen('insufficient_funds', merchantId);
  return { verdict: 'entered', merchantId, purchaseId: entered.purchaseId };
}

/** Records orders as attempts of a known purchase. */
async function recordAttempts(
  tx: Tx,
  { actor }: Settling,
  orders: readonly Order[],
  purchase: { readonly merchantId: number; readonly purchaseId: string },
): Promise<Settled> {
  const { merchantId, purchaseId } = purchase;
  await lockWalletOfPurchase(tx, { ...purchase, environment: 'live' });
  const known = await findKnownPurchase(tx, purchase);
  if (known === undefined) throw new LeftOpen('reference_taken', merchantId, purchaseId);
  const recorded: Settled = { ...purchase, verdict: 'attempt' };
  const allFailed = orders.every(({ listed }) => isOver(listed));
  // The current state of the purchase has more detail.
  if (allFailed && (known.status !== null || known.is_entered)) return recorded;
  if (known.status !== null) {
    throw new LeftOpen(
      known.status === 'success' ? 'delivered_again' : 'failed_here',
      merchantId,
      purchaseId,
    );
  }
  const number = await insertFoundAttempts(tx, purchase, attemptsOf(orders));
  await makeAttemptCurrent(tx, purchase, { number, provider: orders.at(-1)?.provider ?? '' });
  await recordOperation(tx, {
    actor,
    action: 'finding.record_attempt',
    subject: `purchase:${purchaseId}`,
    after: { orders: orders.map(({ provider, reference }) => `${provider}/${reference}`) },
  });
  return recorded;
}

function attemptsOf(orders: readonly Order[]): Entry['attempts'] {
  return orders.map(({ provider, reference, at, listed }) => ({
    provider,
    reference,
    at,
    isOver: isOver(listed),
  }));
}

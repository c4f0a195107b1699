/**
 * Looks up an order for its merchant, who polls. While it is pending, or its goods are missing, its
 * provider is queried directly, as the interface requires. An answer that decides nothing is not
 * stored, so polling changes neither when the worker queries nor what it counts. An answer that
 * decides takes effect like any other. One query at a time runs for an order, with a pause after
 * it. Queries are sent only while no other call waits for the provider, and merchants take turns.
 * So no purchase waits for them, however many orders are polled. A poll that gets no turn returns
 * the stored state.
 */
import { LRUCache } from 'lru-cache';
import { ageBy } from '../../core/clock.ts';
import type { InFlight } from '../../core/in-flight.ts';
import type { OrderProduct } from '../../core/products/product.ts';
import { recordOf } from '../../core/products/registry.ts';
import { withTimeout } from '../../core/with-timeout.ts';
import type { Sql } from '../../db/database.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { type Attempter, queryAttempt } from '../engine/attempt-purchase.ts';
import { spareTurn } from '../engine/provider-room.ts';
import { findQueryablePurchase } from '../engine/queryable-purchase-store.ts';
import { type Resolver, resolvePurchase } from '../engine/resolve-purchase.ts';
import type { PurchaseOpener } from '../goods/open-purchase.ts';
import { findPendingFulfilment } from '../goods/pending-fulfilment-store.ts';
import { findPurchase } from '../history/find-purchases.ts';
import type { Purchase } from '../state/purchase.ts';
import { lacksGoods } from '../state/purchase-in-hand.ts';
import type { Order } from './order.ts';
import { readOrder } from './order.ts';

export type AskOrderDependencies = Attempter &
  Resolver & {
    readonly readerOf: (principal: Principal) => PurchaseOpener;
    /** The work of this process that must end before it stops. */
    readonly underWay: InFlight;
  };

/** How long a poll waits for the provider, in milliseconds. */
const WAIT_MS = 5_000;
/** The pause after a query, however often an order is polled. */
const PAUSE_MS = 2_000;
/** How long a query waits for its turn. */
const TURN_MS = 2_000;
const REMEMBERED_MAX = 10_000;

export type QueryOrder = (
  principal: Principal,
  product: OrderProduct,
  reference: string,
) => Promise<Order | undefined>;

/** Undefined if the reference is unknown or belongs to another product. */
export function createAskOrder(dependencies: AskOrderDependencies): QueryOrder {
  const { clock } = dependencies;
  const underWay = new Map<string, Promise<void>>();
  const asked = new LRUCache<string, true>({
    max: REMEMBERED_MAX,
    ttl: PAUSE_MS,
    ...ageBy(clock),
  });
  const askOnce = (sql: Sql, purchase: Purchase): Promise<void> => {
    const present = underWay.get(purchase.id);
    if (present !== undefined) return present;
    if (asked.has(purchase.id)) return Promise.resolve();
    const work = queryProvider(dependencies, sql, purchase)
      .then((isAsked) => void (isAsked && asked.set(purchase.id, true)))
      .finally(() => underWay.delete(purchase.id));
    underWay.set(purchase.id, work);
    dependencies.underWay.add(work);
    return work;
  };
  return async (principal, product, reference) => {
    const reader = dependencies.readerOf(principal);
    const purchase = await findPurchase(reader.sql, principal, reference);
    if (purchase?.product !== product) return undefined;
    const order = await readOrder(reader, purchase);
    if (!isAwaited(order, product)) return order;
    await withTimeout(WAIT_MS, askOnce(reader.sql, purchase));
    return await readOrder(reader, (await findPurchase(reader.sql, principal, reference)) ?? purchase);
  };
}

/** Whether its provider may still change what its merchant sees: the outcome or the goods. */
function isAwaited({ status, goods }: Order, product: OrderProduct): boolean {
  return status === 'pending' || (status === 'success' && goods[recordOf(product).owes.goods] === undefined);
}

/** Returns false if there was nothing to query, or no turn. */
async function queryProvider(
  dependencies: AskOrderDependencies,
  sql: Sql,
  { merchantId, environment, id: purchaseId, status }: Purchase,
): Promise<boolean> {
  const { clock, log, providers } = dependencies;
  try {
    const key = { merchantId, environment, purchaseId };
    const find = status === 'pending' ? findQueryablePurchase : findPendingFulfilment;
    const order = await find(sql, key, clock.elapsedMs());
    if (order === undefined) return false;
    const provider = providers.get(order.attempt.provider);
    const turn = provider && (await spareTurn(provider, merchantId, TURN_MS));
    if (turn === undefined) return false;
    const timed = await queryAttempt(dependencies, order, turn);
    const { answer } = timed;
    // A provider that takes a success back is left to the worker, which reports it once.
    const decides =
      answer.kind === 'success' ? !lacksGoods(order, answer.goods) : answer.kind === 'failed' && !order.final;
    if (decides) await resolvePurchase(dependencies, order, 'query', timed);
    return true;
  } catch (error) {
    // The order continues in the background.
    log.warn(
      { err: error, purchase: purchaseId },
      'the provider of an order could not be queried for its merchant',
    );
    return false;
  }
}

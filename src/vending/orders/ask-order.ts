/**
 * Looks an order up for its merchant, who polls: while it is pending its provider is asked
 * directly, as the interface says. An answer that decides nothing is not kept, so that polling
 * changes neither when the worker asks nor what it counts; one that decides takes effect as any
 * other.
 */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/database.ts';
import { ageBy } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { OrderProduct } from '../../products/product.ts';
import { findVend } from '../history/find-vends.ts';
import { type Attempter, queryVend } from '../path/attempt-vend.ts';
import { type Resolver, resolveVend } from '../path/resolve-vend.ts';
import type { Vend } from '../vend/vend.ts';
import { lacksGoods } from '../vend/vend-in-hand.ts';
import { type OrderReader, readOrder } from './find-order.ts';
import type { Order } from './order.ts';
import { findAskableOrder } from './order-store.ts';
import { withinMs } from './run-order.ts';

export type AskOrderDependencies = {
  readonly readerOf: (principal: Principal) => OrderReader;
  readonly attempter: Attempter;
  readonly resolver: Resolver;
  readonly log: Logger;
  /** The work of this process that must be over before it stops. */
  readonly track: (work: Promise<unknown>) => void;
};

/** How long a merchant who polls waits for the provider, in milliseconds. */
const WAIT_MS = 5_000;
/** However often an order is polled, its provider is asked once in so many milliseconds. */
const PAUSE_MS = 1_000;
const REMEMBERED_MAX = 10_000;

export type AskOrder = (
  principal: Principal,
  product: OrderProduct,
  reference: string,
) => Promise<Order | undefined>;

/** Undefined where there is no such reference, or it is one of another product. */
export function createAskOrder(dependencies: AskOrderDependencies): AskOrder {
  const asked = new LRUCache<string, Promise<void>>({
    max: REMEMBERED_MAX,
    ttl: PAUSE_MS,
    ...ageBy(dependencies.attempter.clock),
  });
  const askOnce = (sql: Sql, vend: Vend): Promise<void> => {
    const last = asked.get(vend.id);
    if (last !== undefined) return last;
    const work = askProvider(dependencies, sql, vend);
    dependencies.track(work);
    asked.set(vend.id, work);
    return work;
  };
  return async (principal, product, reference) => {
    const reader = dependencies.readerOf(principal);
    let vend = await findVend(reader.sql, principal, reference);
    if (vend?.product !== product) return undefined;
    if (vend.status === 'pending') {
      await withinMs(WAIT_MS, askOnce(reader.sql, vend));
      vend = (await findVend(reader.sql, principal, reference)) ?? vend;
    }
    return await readOrder(reader, vend);
  };
}

async function askProvider(
  { attempter, resolver, log }: AskOrderDependencies,
  sql: Sql,
  vend: Vend,
): Promise<void> {
  const { merchantId, environment, id: vendId } = vend;
  try {
    const key = { merchantId, environment, vendId };
    const order = await findAskableOrder(sql, key, attempter.clock.elapsedMs());
    if (order === undefined) return;
    const timed = await queryVend(attempter, order);
    const { answer } = timed;
    const decides =
      answer.kind === 'failed' || (answer.kind === 'success' && !lacksGoods(order, answer.goods));
    if (decides) await resolveVend(resolver, order, 'query', timed);
  } catch (error) {
    // The order goes on in the background all the same.
    log.warn({ err: error, vend: vendId }, 'the provider of an order could not be asked for its merchant');
  }
}

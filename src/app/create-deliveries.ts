/** Puts together the work that sends orders to customers. */

import { systemClock } from '../core/clock.ts';
import type { Failpoints } from '../core/failpoints.ts';
import type { Logger } from '../core/log.ts';
import type { Sealer } from '../core/sealing.ts';
import type { Database } from '../db/database.ts';
import { createDeliveryWork, type DeliveryWork } from '../notifications/messages/deliver-orders.ts';
import { readDeliverableOrder } from '../notifications/messages/read-order.ts';
import type { Messengers } from '../notifications/messages/set-up-messengers.ts';
import { openGoods } from '../purchases/engine/sealed-goods.ts';
import type { Metrics } from './metrics.ts';

type Parts = {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly sealer: Sealer;
  readonly messengers: Messengers;
  readonly log: Logger;
  readonly failpoints: Failpoints;
};

export function createDeliveries({
  database,
  sealer,
  messengers,
  metrics,
  log,
  failpoints,
}: Parts): DeliveryWork {
  const openSealed = (place: string, sealed: string): string | undefined => sealer.open(place, sealed);
  const reader = {
    sql: database,
    openGoods: (purchase: { merchantId: number; purchaseId: string }) =>
      openGoods(database, openSealed, purchase),
  };
  return createDeliveryWork({
    sql: database,
    messengerOf: messengers.of,
    readOrder: (purchase) => readDeliverableOrder(reader, purchase),
    open: openSealed,
    clock: systemClock,
    log,
    failpoints,
    onTried: (channel, state) => metrics.observeDelivery(channel, state),
  });
}

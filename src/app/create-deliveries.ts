/** Composes the jobs that send orders and receipts to customers. */

import type { KeyObject } from 'node:crypto';
import { systemClock } from '../core/clock.ts';
import type { Failpoints } from '../core/failpoints.ts';
import type { Logger } from '../core/log.ts';
import type { Sealer } from '../core/sealing.ts';
import type { Database } from '../db/database.ts';
import { createDeliveryWork, type DeliveryWork } from '../notifications/messages/deliver-orders.ts';
import { readDeliverableOrder } from '../notifications/messages/read-order.ts';
import type { Messengers } from '../notifications/messages/set-up-messengers.ts';
import { openGoods } from '../purchases/engine/sealed-goods.ts';
import { readDeliverableReceipt } from '../purchases/receipts/deliverable-receipt.ts';
import type { Metrics } from './metrics.ts';

type Parts = {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly sealer: Sealer;
  readonly pepper: KeyObject;
  /** The URL of the portal, where receipts are. */
  readonly portalUrl: string;
  readonly messengers: Messengers;
  readonly log: Logger;
  readonly failpoints: Failpoints;
};

export function createDeliveries({
  database,
  sealer,
  pepper,
  portalUrl,
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
    readOrder: async (purchase) =>
      (await readDeliverableOrder(reader, purchase)) ??
      (await readDeliverableReceipt(
        { sql: database, secret: pepper, portalUrl, clock: systemClock },
        purchase,
      )),
    open: openSealed,
    clock: systemClock,
    log,
    failpoints,
    onTried: (channel, state) => metrics.observeDelivery(channel, state),
  });
}

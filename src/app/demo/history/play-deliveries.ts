/** Orders of the played week go to their customers, by the gateway's own work; nothing is sent. */
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { noStopPoints } from '../../../kernel/stop-points.ts';
import { createDeliveryWork, type DeliveryWork } from '../../../messages/deliver-orders.ts';
import { type Destination, deliveryChannels } from '../../../messages/destination.ts';
import type { Messenger } from '../../../messages/messenger.ts';
import { readDeliverableOrder } from '../../../messages/read-order.ts';
import { openGoods } from '../../../vending/path/sealed-goods.ts';
import type { WeekParts } from './play-purchases.ts';

/** Where nothing arrives. */
export const goneMailbox: Destination = { channel: 'email', address: 'gone@example.com' };

export function weekDeliveries(
  { sealer, seeded, log }: Pick<WeekParts, 'sealer' | 'seeded' | 'log'>,
  clock: Clock,
  sql: Database,
): DeliveryWork {
  const open = (place: string, sealed: string): string | undefined => sealer.open(place, sealed);
  const messenger: Messenger = {
    name: 'played',
    channels: new Set(deliveryChannels),
    send: async ({ to }) =>
      to === goneMailbox.address || seeded.happens(0.06)
        ? { kind: 'refused', code: '550', note: 'the mailbox does not exist' }
        : { kind: 'sent', code: '250', note: 'taken by the mail server', messageId: seeded.digits(10) },
    [Symbol.asyncDispose]: async () => undefined,
  };
  return createDeliveryWork({
    sql,
    messengerOf: () => messenger,
    readOrder: (vend) => readDeliverableOrder({ sql, openGoods: (of) => openGoods(sql, open, of) }, vend),
    open,
    clock,
    log: log.child({}, { level: 'silent' }),
    stopPoints: noStopPoints,
    onTried: () => undefined,
  });
}

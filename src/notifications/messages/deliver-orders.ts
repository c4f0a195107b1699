/**
 * Sends orders and receipts to customers: claims due deliveries, sends them, and stores the outcome
 * of each.
 *
 * Guarantees: a try is recorded before its first byte leaves. A crash leaves `sending`, which
 * becomes `unknown` and is not sent again automatically. One process has a delivery at a time, and
 * nothing here changes the purchase. Any number of processes may run it.
 */

import type { Clock } from '../../core/clock.ts';
import type { Environment } from '../../core/environment.ts';
import type { Failpoints } from '../../core/failpoints.ts';
import type { Logger } from '../../core/log.ts';
import type { Queries } from '../../db/database.ts';
import { isConnectionLost, isUnavailable } from '../../db/database-errors.ts';
import { composeMessage, type DeliverableOrder } from './compose-message.ts';
import { composeReceipt, type DeliverableReceipt } from './compose-receipt.ts';
import { type DeliveryState, decideDelivery, unknownAlarm } from './decide-delivery.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  DELIVERY_LEASE_MS,
  findExpiredDeliveries,
  settleDelivery,
} from './delivery-store.ts';
import { type DeliveryChannel, destinationPlace } from './destination.ts';
import type { Messenger, SendOutcome } from './messenger.ts';

export type DeliveryOptions = {
  readonly sql: Queries;
  /** Returns the messenger of a channel in an environment, or undefined if there is none. */
  readonly messengerOf: (environment: Environment, channel: DeliveryChannel) => Messenger | undefined;
  /**
   * Reads the order with its goods opened, or the receipt; undefined while the goods are missing or
   * cannot be opened.
   */
  readonly readOrder: (
    purchase: Pick<ClaimedDelivery, 'merchantId' | 'environment' | 'purchaseId'>,
  ) => Promise<DeliverableOrder | DeliverableReceipt | undefined>;
  /** Opens a sealed value; `place` is the row and field that it was sealed for. */
  readonly open: (place: string, sealed: string) => string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly failpoints: Failpoints;
  /** Called when a try has ended or was found abandoned, with the new state of its delivery. */
  readonly onTried: (channel: DeliveryChannel, state: DeliveryState) => void;
  readonly leaseMs?: number;
};

/** The longest time that a messenger may take. */
const SEND_MS = 45_000;
/** Test deliveries have places of their own, so that they delay no live one. */
const IN_FLIGHT_MAX: Readonly<Record<Environment, number>> = { live: 20, test: 5 };
const EXPIRED_MAX = 100;
/**
 * How long storing the outcome of an attempt is repeated while the database is unavailable. Shorter
 * than the rest of the lease.
 */
const STORE_OUTCOME_MS = 60_000;

/**
 * The deliveries of one process. `run` claims due deliveries and does not wait for their end;
 * `finish` waits.
 */
export type DeliveryWork = { run(): Promise<void>; finish(): Promise<void> };

export function createDeliveryWork(options: DeliveryOptions): DeliveryWork {
  const inFlight = { live: new Set<Promise<void>>(), test: new Set<Promise<void>>() };
  const { sql, log, leaseMs = DELIVERY_LEASE_MS } = options;
  return {
    async run() {
      await settleExpired(options);
      for (const environment of ['live', 'test'] as const) await begin(environment);
    },
    async finish() {
      await Promise.all([...inFlight.live, ...inFlight.test]);
    },
  };

  async function begin(environment: Environment): Promise<void> {
    const own = inFlight[environment];
    const limit = IN_FLIGHT_MAX[environment] - own.size;
    if (limit <= 0) return;
    const takenAtMs = options.clock.elapsedMs();
    for (const delivery of await claimDeliveries(sql, { limit, leaseMs, environment })) {
      const work = tryDelivery(options, delivery, takenAtMs).catch((error: unknown) => {
        // The lease expires, and the delivery becomes `unknown`.
        log.error({ err: error, purchase: delivery.purchaseId }, 'cannot store the outcome of a delivery');
      });
      own.add(work);
      void work.finally(() => own.delete(work));
    }
  }
}

/**
 * Settles tries of dead processes as `unknown`. A process that was only held up may still store its
 * outcome.
 */
async function settleExpired({ sql, onTried }: DeliveryOptions): Promise<void> {
  for (const delivery of await findExpiredDeliveries(sql, EXPIRED_MAX)) {
    const settled = {
      state: 'unknown',
      pauseMs: undefined,
      code: 'process_gone',
      note: 'the process that was sending it ended before it stored the outcome',
      messageId: undefined,
      alarm: unknownAlarm,
    } as const;
    if (await settleDelivery(sql, delivery, settled, { expired: true })) {
      onTried(delivery.channel, 'unknown');
    }
  }
}

async function tryDelivery(
  options: DeliveryOptions,
  delivery: ClaimedDelivery,
  takenAtMs: number,
): Promise<void> {
  const { log, onTried } = options;
  const outcome = await send(options, delivery, takenAtMs);
  const { state, pauseMs, alarm } = decideDelivery(outcome, delivery.tries);
  const stored = await tryUntilStored(options.clock, () =>
    settleDelivery(options.sql, delivery, {
      state,
      pauseMs,
      alarm,
      code: outcome.code,
      note: outcome.note,
      messageId: outcome.kind === 'sent' ? outcome.messageId : undefined,
    }),
  );
  if (stored) onTried(delivery.channel, state);
  if (state !== 'sent') {
    const { channel, tries, purchaseId } = delivery;
    log.warn(
      { purchase: purchaseId, channel, tries, state, code: outcome.code },
      'the order was not delivered to its customer',
    );
  }
}

async function send(
  options: DeliveryOptions,
  delivery: ClaimedDelivery,
  takenAtMs: number,
): Promise<SendOutcome> {
  const { channel, environment, purchaseId } = delivery;
  const messenger = options.messengerOf(environment, channel);
  if (messenger === undefined) return notSent('no_messenger', `no messenger is configured for ${channel}`);
  const address = options.open(destinationPlace(purchaseId), delivery.destination);
  if (address === undefined)
    return notSent('sealed', 'the destination cannot be decrypted with the current keys');
  const order = await options.readOrder(delivery).catch((error: unknown) => {
    options.log.warn({ err: error, purchase: purchaseId }, 'cannot read an order to send it');
    return undefined;
  });
  const destination = { channel, address };
  const message =
    order?.kind === 'receipt'
      ? composeReceipt(destination, order)
      : order && composeMessage(purchaseId, destination, order);
  if (message === undefined) return notSent('no_goods', 'the goods are missing or cannot be opened');
  // A process that was suspended may have lost the delivery meanwhile.
  if (options.clock.elapsedMs() - takenAtMs > (options.leaseMs ?? DELIVERY_LEASE_MS) / 2) {
    return notSent('held_up', 'this process was suspended for too long to send it');
  }
  await options.failpoints.reach('before-delivery');
  const outcome = await messenger.send(message, AbortSignal.timeout(SEND_MS)).catch((error: unknown) => {
    // The text of an error may quote the message.
    const code = error instanceof Error ? error.name : 'error';
    return { kind: 'unknown', code, note: 'the messenger failed unexpectedly' } as const;
  });
  await options.failpoints.reach('after-delivery');
  return outcome;
}

function notSent(code: string, note: string): SendOutcome {
  return { kind: 'not_sent', code, note };
}

/**
 * Repeats the work while the database is unavailable. Storing the same outcome again changes
 * nothing.
 */
async function tryUntilStored<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  const startedAt = clock.elapsedMs();
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    try {
      return await work();
    } catch (error) {
      const passing = isUnavailable(error) || isConnectionLost(error);
      if (!passing || clock.elapsedMs() - startedAt > STORE_OUTCOME_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

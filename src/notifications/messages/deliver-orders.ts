/**
 * Sends orders to customers: claims deliveries that are due, sends them, and stores what became of
 * each.
 *
 * Guarantees: a try is on record before its first byte leaves, so a crash leaves `sending`, which
 * becomes `unknown` and is not sent again by itself; one process has a delivery at a time; nothing
 * that happens here changes the purchase. Any number of processes may run it.
 */

import type { Clock } from '../../core/clock.ts';
import type { Environment } from '../../core/environment.ts';
import type { Failpoints } from '../../core/failpoints.ts';
import type { Logger } from '../../core/log.ts';
import type { Queries } from '../../db/database.ts';
import { isConnectionLost, isUnavailable } from '../../db/database-errors.ts';
import { composeMessage, type DeliverableOrder } from './compose-message.ts';
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
  /** The messenger for a channel in an environment. Undefined: there is none. */
  readonly messengerOf: (environment: Environment, channel: DeliveryChannel) => Messenger | undefined;
  /** The order with its goods opened; undefined while they are not there or do not open. */
  readonly readOrder: (
    purchase: Pick<ClaimedDelivery, 'merchantId' | 'environment' | 'purchaseId'>,
  ) => Promise<DeliverableOrder | undefined>;
  /** Opens what is sealed for a place. */
  readonly open: (place: string, sealed: string) => string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly failpoints: Failpoints;
  /** A try ended, or was found abandoned, and left the delivery in this state. */
  readonly onTried: (channel: DeliveryChannel, state: DeliveryState) => void;
  readonly leaseMs?: number;
};

/** The longest that a messenger is waited for. */
const SEND_MS = 45_000;
const IN_HAND_MAX = 20;
const EXPIRED_MAX = 100;
/**
 * How long the result of a try waits for the database. Less than what is then left of the lease.
 */
const STORE_OUTCOME_MS = 60_000;

/**
 * The deliveries of one process. A run claims what is due and does not wait for its end; `finish`
 * waits.
 */
export type DeliveryWork = { run(): Promise<void>; finish(): Promise<void> };

export function createDeliveryWork(options: DeliveryOptions): DeliveryWork {
  const inHand = new Set<Promise<void>>();
  const { sql, log, leaseMs = DELIVERY_LEASE_MS } = options;
  return {
    async run() {
      await settleExpired(options);
      const limit = IN_HAND_MAX - inHand.size;
      if (limit <= 0) return;
      const takenAtMs = options.clock.elapsedMs();
      for (const delivery of await claimDeliveries(sql, { limit, leaseMs })) {
        const work = tryDelivery(options, delivery, takenAtMs).catch((error: unknown) => {
          // The lease runs out, and the delivery counts as perhaps sent.
          log.error(
            { err: error, purchase: delivery.purchaseId },
            'what became of a delivery could not be stored',
          );
        });
        inHand.add(work);
        void work.finally(() => inHand.delete(work));
      }
    },
    async finish() {
      await Promise.all(inHand);
    },
  };
}

/**
 * Settles tries whose process is dead as perhaps sent. A process that was only held up may still
 * store what became of its try.
 */
async function settleExpired({ sql, onTried }: DeliveryOptions): Promise<void> {
  for (const delivery of await findExpiredDeliveries(sql, EXPIRED_MAX)) {
    const settled = {
      state: 'unknown',
      pauseMs: undefined,
      code: 'process_gone',
      note: 'the process that was sending it ended before it could say what became of it',
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
      'an order was not sent to its customer',
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
  if (messenger === undefined) return notSent('no_messenger', `nothing is set up that sends ${channel}`);
  const address = options.open(destinationPlace(purchaseId), delivery.destination);
  if (address === undefined) return notSent('sealed', 'the destination does not open with the present keys');
  const order = await options.readOrder(delivery).catch((error: unknown) => {
    options.log.warn({ err: error, purchase: purchaseId }, 'cannot read an order to send it');
    return undefined;
  });
  const message = order && composeMessage(purchaseId, { channel, address }, order);
  if (message === undefined) return notSent('no_goods', 'what was ordered is not there or does not open');
  // A process that stood still may have lost the delivery meanwhile.
  if (options.clock.elapsedMs() - takenAtMs > (options.leaseMs ?? DELIVERY_LEASE_MS) / 2) {
    return notSent('held_up', 'this process was held up too long to send it');
  }
  await options.failpoints.reach('before-delivery');
  const outcome = await messenger.send(message, AbortSignal.timeout(SEND_MS)).catch((error: unknown) => {
    // An error's text may quote what was sent.
    const code = error instanceof Error ? error.name : 'error';
    return { kind: 'unknown', code, note: 'the messenger broke' } as const;
  });
  await options.failpoints.reach('after-delivery');
  return outcome;
}

function notSent(code: string, note: string): SendOutcome {
  return { kind: 'not_sent', code, note };
}

/**
 * Tries again while the database cannot be reached. Repeating what was already stored changes
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

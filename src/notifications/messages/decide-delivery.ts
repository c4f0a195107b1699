/** Decides the state of a delivery after an attempt. Pure. The purchase stays final in any case. */
import { listedPause } from '../../db/queue/leased-queue.ts';
import type { SendOutcome } from './messenger.ts';

const MINUTE_MS = 60_000;
/**
 * The pauses after each try. After the last pause, a day and a half after the first try, the
 * delivery is given up.
 */
const pauseAfter = listedPause([1, 5, 15, 60, 240, 720, 1_080].map((minutes) => minutes * MINUTE_MS));

export const deliveryStates = [
  'waiting',
  'due',
  'sending',
  'sent',
  'refused',
  'unknown',
  'given_up',
  'cancelled',
] as const;

export type DeliveryState = (typeof deliveryStates)[number];

export type DeliveryDecision = {
  readonly state: DeliveryState;
  /** The time to the next try, for `due`. */
  readonly pauseMs?: number;
  /** The message of the alarm to raise. */
  readonly alarm?: string;
};

/**
 * Decides the next state. `tries` includes this try. A try that an operator requests after the last
 * pause is again the last one.
 */
export function decideDelivery(outcome: Pick<SendOutcome, 'kind'>, tries: number): DeliveryDecision {
  switch (outcome.kind) {
    case 'sent':
      return { state: 'sent' };
    case 'refused':
      return { state: 'refused' };
    case 'unknown':
      return { state: 'unknown', alarm: unknownAlarm };
    case 'not_sent': {
      const pauseMs = pauseAfter(tries);
      return pauseMs === undefined
        ? {
            state: 'given_up',
            alarm: 'the order could not be sent to the customer; no further attempt is made',
          }
        : { state: 'due', pauseMs };
    }
  }
}

export const unknownAlarm =
  'the order may or may not have reached the customer; it is not sent again automatically';

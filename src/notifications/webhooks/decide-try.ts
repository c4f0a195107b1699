/** Decides the state of a delivery after a try. Pure. */
import { listedPause } from '../../db/queue/leased-queue.ts';
import type { TryResult } from './send-event.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The pauses after each try, three days in all. After the last pause the delivery has failed. */
const pauses = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];
const pauseAfter = listedPause(pauses);
/**
 * The share by which a pause is randomly longer or shorter, so that deliveries that failed together
 * are not retried together.
 */
const JITTER = 0.2;

export type TryDecision =
  | { readonly state: 'delivered' }
  | { readonly state: 'waiting'; readonly pauseMs: number }
  | { readonly state: 'failed' };

/**
 * Decides the next state. `tries` includes this try, `random` is from 0 to 1, and `timeScale`
 * multiplies the pauses.
 */
export function decideTry(
  { status, retryAfterMs = 0 }: Pick<TryResult, 'status' | 'retryAfterMs'>,
  tries: number,
  random: number,
  timeScale = 1,
): TryDecision {
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered' };
  const pauseMs = pauseAfter(tries);
  if (pauseMs === undefined) return { state: 'failed' };
  const spread = Math.round(timeScale * pauseMs * (1 - JITTER + 2 * JITTER * random));
  return { state: 'waiting', pauseMs: Math.max(spread, retryAfterMs) };
}

/** Returns whether the endpoint answered 410 Gone. */
export function isGone({ status }: Pick<TryResult, 'status'>): boolean {
  return status === 410;
}

/**
 * The longest `Retry-After` that pauses the whole endpoint, so that one that recovers earlier is
 * found.
 */
const REQUESTED_PAUSE_MAX_MS = HOUR_MS;

/** Returns how long a failed event's `Retry-After` pauses the whole endpoint. */
export function requestedPause({
  status,
  retryAfterMs = 0,
}: Pick<TryResult, 'status' | 'retryAfterMs'>): number {
  const isDelivery = status !== undefined && status >= 200 && status < 300;
  return isDelivery ? 0 : Math.min(retryAfterMs, REQUESTED_PAUSE_MAX_MS);
}

const PAUSES_AFTER = 10;
const PAUSE_MAX_MS = MINUTE_MS;

/**
 * Returns how long to pause an endpoint after consecutive failures. Its events wait in the feed.
 */
export function pauseAfterFailures(failures: number): number {
  if (failures < PAUSES_AFTER) return 0;
  return Math.min(1_000 * 2 ** Math.min(Math.floor(failures / PAUSES_AFTER) - 1, 10), PAUSE_MAX_MS);
}

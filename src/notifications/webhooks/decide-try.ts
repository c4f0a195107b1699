/** Decides what becomes of an event at an endpoint after a try. Pure. */
import { listedPause } from '../../db/queue/leased-queue.ts';
import type { TryResult } from './send-event.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** After each try; after the last of them it is given up. Three days in all. */
const pauses = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];
const pauseAfter = listedPause(pauses);
/** Both ways, so that what failed together does not come back together. */
const JITTER = 0.2;

export type TryDecision =
  | { readonly state: 'delivered' }
  | { readonly state: 'waiting'; readonly pauseMs: number }
  | { readonly state: 'failed' };

/** `tries` includes this one. `random` is from 0 to 1. `timeScale` multiplies our own pauses. */
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

/** The endpoint says that it is there no more. */
export function isGone({ status }: Pick<TryResult, 'status'>): boolean {
  return status === 410;
}

/** What an endpoint asks for is not always meant: one that is well again is found within this. */
const TOLD_REST_MAX_MS = HOUR_MS;

/** How long the endpoint as a whole wants to be left alone by a failure of one event. */
export function toldRest({ status, retryAfterMs = 0 }: Pick<TryResult, 'status' | 'retryAfterMs'>): number {
  const isDelivery = status !== undefined && status >= 200 && status < 300;
  return isDelivery ? 0 : Math.min(retryAfterMs, TOLD_REST_MAX_MS);
}

const RESTS_AFTER = 10;
const REST_MAX_MS = MINUTE_MS;

/**
 * How long an endpoint is left alone after so many failures in a row. Its events lose nothing: they
 * wait in the feed.
 */
export function restAfter(failures: number): number {
  if (failures < RESTS_AFTER) return 0;
  return Math.min(1_000 * 2 ** Math.min(Math.floor(failures / RESTS_AFTER) - 1, 10), REST_MAX_MS);
}

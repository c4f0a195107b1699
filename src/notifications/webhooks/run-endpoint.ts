/**
 * Sends the pending events of one endpoint in rounds: retries that are due, then new events of the
 * feed. Each round is stored as a whole, with the feed position that it reached.
 *
 * Guarantees: no event is skipped, because the position moves only with stored tries. An event that
 * was sent and not stored, because the process died or lost the endpoint, is sent again with the
 * same id. A failing endpoint is paused, also for as long as it requests, and its events wait.
 */

import type { Clock } from '../../core/clock.ts';
import type { Failpoints } from '../../core/failpoints.ts';
import { newId } from '../../core/ids.ts';
import type { Queries, Tx } from '../../db/database.ts';
import { insertAlarm } from '../alarms/alarm-store.ts';
import type { CommitWatermark } from '../events/commit-watermark.ts';
import type { FeedEvent, FeedOwner } from '../events/event.ts';
import { insertEvent } from '../events/event-store.ts';
import { type FeedPage, readFeed } from '../events/read-feed.ts';
import { decideTry, isGone, pauseAfterFailures, requestedPause } from './decide-try.ts';
import { markDisabled } from './endpoint-store.ts';
import {
  type ClaimedEndpoint,
  type DueEvent,
  listDueDeliveries,
  markAlarmed,
  renewEndpoint,
  type StoredTry,
  storeProgress,
  storeTries,
} from './round-store.ts';
import type { TryResult } from './send-event.ts';

/** An event in its sent form. */
export type EventMessage = { readonly id: string; readonly body: string };

export type RoundParts = {
  readonly database: Queries;
  readonly watermark: CommitWatermark;
  readonly clock: Clock;
  readonly failpoints: Failpoints;
  /** Composes the messages of events. An event whose subject was deleted has no message. */
  readonly compose: (
    owner: FeedOwner,
    events: readonly FeedEvent[],
    options: { readonly withGoods: boolean },
  ) => Promise<ReadonlyMap<string, EventMessage>>;
  /**
   * Waits until the event may be sent. False once `isOver` holds: the event must not be sent then.
   */
  readonly turn: (owner: FeedOwner, event: FeedEvent, isOver: () => boolean) => Promise<boolean>;
  readonly send: (endpoint: ClaimedEndpoint, message: EventMessage, event: FeedEvent) => Promise<TryResult>;
  /** Returns whether the process stops: no further try must begin. */
  readonly isStopping: () => boolean;
  readonly onTried: (outcome: StoredTry['state']) => void;
  readonly random?: () => number;
  /** Multiplies the pauses; 1 by default. */
  readonly timeScale?: number;
};

const IN_FLIGHT = 10;
const ROUND_EVENTS = 200;
const ROUND_RETRIES = 50;
/** The events of a round at a failing endpoint, half of them retries. */
const FAILING_EVENTS = 10;
/** How long a round begins new tries. Together with the longest try it is well within the lease. */
const ROUND_MS = 15_000;
/** How long an endpoint is served before others get its slot. */
const TURN_MS = 20_000;

/**
 * Runs rounds. Returns how long to pause the endpoint; undefined for until it has something to
 * send.
 */
export async function runEndpoint(parts: RoundParts, claimed: ClaimedEndpoint): Promise<number | undefined> {
  const startedMs = parts.clock.elapsedMs();
  let endpoint = claimed;
  for (;;) {
    const done = await runRound(parts, endpoint);
    if (done === undefined) return undefined;
    endpoint = { ...endpoint, position: done.position, failures: done.failures };
    const pauseMs = Math.max(
      (parts.timeScale ?? 1) * pauseAfterFailures(done.failures),
      done.requestedPauseMs,
    );
    if (pauseMs > 0) return pauseMs;
    if (!done.more || parts.isStopping()) return undefined;
    if (parts.clock.elapsedMs() - startedMs > TURN_MS) return 0;
  }
}

type Round = {
  readonly position: bigint;
  readonly failures: number;
  readonly more: boolean;
  /** How long the endpoint requested to be paused, or 0. */
  readonly requestedPauseMs: number;
};

/** Runs one round. Undefined if this process lost the endpoint, or the endpoint was disabled. */
async function runRound(parts: RoundParts, endpoint: ClaimedEndpoint): Promise<Round | undefined> {
  const { database, watermark } = parts;
  const owner = { merchantId: endpoint.merchant_id, environment: endpoint.environment };
  const isFailing = endpoint.failures > 0;
  const retries = await listDueDeliveries(database, endpoint, isFailing ? FAILING_EVENTS / 2 : ROUND_RETRIES);
  const page = await readFeed(database, watermark, owner, {
    after: endpoint.position,
    limit: isFailing ? FAILING_EVENTS - retries.length : ROUND_EVENTS,
    types: endpoint.types,
  });
  const due: readonly DueEvent[] = [...retries, ...page.events.map((event) => ({ event, tries: 0 }))];
  const { position, more } = page;
  if (due.length === 0 && position === endpoint.position) {
    return { position, failures: endpoint.failures, more: false, requestedPauseMs: 0 };
  }
  const messages =
    due.length === 0
      ? new Map<string, EventMessage>()
      : await parts.compose(
          owner,
          due.map(({ event }) => event),
          { withGoods: endpoint.with_goods },
        );
  const tried = await sendAll(parts, endpoint, due, messages);
  await parts.failpoints.reach('after-webhooks');
  const reached = positionAfter(tried.length, retries.length, page, endpoint.position);
  const failures = failuresAfter(endpoint.failures, tried);
  const isKept = await database.transaction((tx) =>
    storeRound(tx, endpoint, { tried, position: reached, failures }),
  );
  for (const { state } of tried) parts.onTried(state);
  if (!isKept) return undefined;
  return {
    position: reached,
    failures,
    more: more || tried.length < due.length || retries.length > 0,
    requestedPauseMs: Math.max(0, ...tried.map((one) => one.requestedPauseMs)),
  };
}

/**
 * Returns the position after the tries that were begun, which are the first of the list. The rest
 * of the page is read again.
 */
function positionAfter(tried: number, retries: number, page: FeedPage, before: bigint): bigint {
  const fresh = tried - retries;
  if (fresh >= page.events.length) return page.position;
  return fresh > 0 ? (page.events[fresh - 1]?.position ?? before) : before;
}

type Tried = StoredTry & {
  readonly isGone: boolean;
  /** False when there was nothing to send. */
  readonly isSent: boolean;
  readonly requestedPauseMs: number;
};

async function sendAll(
  parts: RoundParts,
  endpoint: ClaimedEndpoint,
  due: readonly DueEvent[],
  messages: ReadonlyMap<string, EventMessage>,
): Promise<readonly Tried[]> {
  const owner = { merchantId: endpoint.merchant_id, environment: endpoint.environment };
  const untilMs = parts.clock.elapsedMs() + ROUND_MS;
  const tried: Tried[] = [];
  let next = 0;
  let isAskedToPause = false;
  const isOver = (): boolean => isAskedToPause || parts.isStopping() || parts.clock.elapsedMs() > untilMs;
  const sender = async (): Promise<void> => {
    for (;;) {
      const first = due[next];
      if (first === undefined || isOver() || !(await parts.turn(owner, first.event, isOver))) return;
      // Another sender may have begun this event meanwhile.
      const nth = next;
      const item = due[nth];
      if (item === undefined || isOver()) return;
      next += 1;
      const one = await tryOne(parts, endpoint, item, messages.get(item.event.id));
      tried[nth] = one;
      if (one.requestedPauseMs > 0) isAskedToPause = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, due.length) }, sender));
  return tried;
}

async function tryOne(
  { send, random = Math.random, timeScale }: RoundParts,
  endpoint: ClaimedEndpoint,
  { event, tries }: DueEvent,
  message: EventMessage | undefined,
): Promise<Tried> {
  const deliveryId = newId();
  if (message === undefined) {
    const note = 'the subject of the event is no longer kept';
    const nothing = {
      pauseMs: undefined,
      status: undefined,
      answer: undefined,
      durationMs: 0,
      isGone: false,
      isSent: false,
      requestedPauseMs: 0,
    };
    return { deliveryId, event, state: 'failed', note, ...nothing };
  }
  const result = await send(endpoint, message, event);
  const decision = decideTry(result, tries + 1, random(), timeScale);
  return {
    deliveryId,
    event,
    state: decision.state,
    pauseMs: decision.state === 'waiting' ? decision.pauseMs : undefined,
    status: result.status,
    note: result.note,
    answer: result.answer,
    durationMs: result.durationMs,
    isGone: isGone(result),
    isSent: true,
    requestedPauseMs: requestedPause(result),
  };
}

/** Counts consecutive failures. An event that had nothing to send is no failure of the endpoint. */
function failuresAfter(before: number, tried: readonly Tried[]): number {
  if (tried.some(({ state }) => state === 'delivered')) return 0;
  return Math.min(before + tried.filter(({ isSent }) => isSent).length, 1_000_000);
}

/** Stores a round. False if this process lost the endpoint, or the endpoint is now disabled. */
async function storeRound(
  tx: Tx,
  endpoint: ClaimedEndpoint,
  round: { readonly tried: readonly Tried[]; readonly position: bigint; readonly failures: number },
): Promise<boolean> {
  const { tried, position, failures } = round;
  if ((await renewEndpoint(tx, endpoint)) === undefined) return false;
  if (tried.length > 0) await storeTries(tx, endpoint, tried);
  const { id, merchant_id: merchantId, environment, url } = endpoint;
  const state = await storeProgress(tx, id, { position, failures, failed: failures > 0 });
  const reason = tried.some((one) => one.isGone) ? 'gone' : state.isOld ? 'failing' : undefined;
  const notify = async (type: 'endpoint.failing' | 'endpoint.disabled', why: string): Promise<void> => {
    const failingSince = state.failingSince?.toISOString() ?? null;
    const facts = { endpoint: id, url, reason: why, failing_since: failingSince };
    await insertEvent(tx, { merchantId, environment }, { type, facts });
  };
  if (reason !== undefined) {
    await markDisabled(tx, { id, merchant_id: merchantId }, reason);
    await notify('endpoint.disabled', reason);
    const why = reason === 'gone' ? 'it answered 410' : 'every delivery failed for five days';
    await insertAlarm(tx, {
      kind: 'webhook',
      merchantId,
      subjectId: id,
      message: `the ${environment} webhook endpoint ${id} is disabled: ${why}`,
    });
    return false;
  }
  if (!state.isAlarmed) {
    await markAlarmed(tx, id);
    await notify('endpoint.failing', 'failing');
    await insertAlarm(tx, {
      kind: 'webhook',
      merchantId,
      subjectId: id,
      message: `the ${environment} webhook endpoint ${id} has failed for a day and is disabled after five days`,
    });
  }
  return true;
}

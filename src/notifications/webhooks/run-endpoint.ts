/**
 * Sends to one endpoint what there is to send, in rounds: what is to be tried again, and what is
 * new in the feed. Each round is stored as a whole, with the place in the feed that it got to.
 *
 * Guarantees: no event is passed over, since the place moves with the stored tries alone; one that
 * was sent and not stored, because the process died or lost the endpoint, is sent again with the
 * same id. An endpoint that fails costs little: it rests, and its events wait. It rests as long as
 * it says too.
 */

import type { Clock } from '../../core/clock.ts';
import type { Failpoints } from '../../core/failpoints.ts';
import { newId } from '../../core/ids.ts';
import type { Queries, Tx } from '../../db/database.ts';
import { insertAlarm } from '../alarms/alarm-store.ts';
import type { FeedEvent, FeedOwner } from '../events/event.ts';
import { insertEvent } from '../events/event-store.ts';
import type { Horizon } from '../events/horizon.ts';
import { type FeedPage, readFeed } from '../events/read-feed.ts';
import { decideTry, isGone, restAfter, toldRest } from './decide-try.ts';
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

/** An event in the words of the wire. */
export type EventMessage = { readonly id: string; readonly body: string };

export type RoundParts = {
  readonly database: Queries;
  readonly horizon: Horizon;
  readonly clock: Clock;
  readonly failpoints: Failpoints;
  /** What is sent of each event; undefined where what it is about is not there any more. */
  readonly compose: (
    owner: FeedOwner,
    events: readonly FeedEvent[],
    options: { readonly withGoods: boolean },
  ) => Promise<ReadonlyMap<string, EventMessage>>;
  /** Waits until the event may be sent. False where `isOver` holds before: it may not, then. */
  readonly turn: (event: FeedEvent, isOver: () => boolean) => Promise<boolean>;
  readonly send: (endpoint: ClaimedEndpoint, message: EventMessage, event: FeedEvent) => Promise<TryResult>;
  /** Nothing more is to be begun. */
  readonly isStopping: () => boolean;
  readonly onTried: (outcome: StoredTry['state']) => void;
  readonly random?: () => number;
  /** What our own pauses are multiplied by; absent: 1. */
  readonly timeScale?: number;
};

const IN_FLIGHT = 10;
const ROUND_EVENTS = 200;
const ROUND_RETRIES = 50;
/** Of an endpoint that fails: half of them what is to be tried again. */
const FAILING_EVENTS = 10;
/** How long a round begins new tries. With the longest try it is well within the lease. */
const ROUND_MS = 15_000;
/** How long one endpoint is worked at before others have its place. */
const TURN_MS = 20_000;

/** Gives how long the endpoint rests; undefined: until it has something to be sent. */
export async function runEndpoint(parts: RoundParts, claimed: ClaimedEndpoint): Promise<number | undefined> {
  const startedMs = parts.clock.elapsedMs();
  let endpoint = claimed;
  for (;;) {
    const done = await runRound(parts, endpoint);
    if (done === undefined) return undefined;
    endpoint = { ...endpoint, position: done.position, failures: done.failures };
    const restMs = Math.max((parts.timeScale ?? 1) * restAfter(done.failures), done.toldRestMs);
    if (restMs > 0) return restMs;
    if (!done.more || parts.isStopping()) return undefined;
    if (parts.clock.elapsedMs() - startedMs > TURN_MS) return 0;
  }
}

type Round = {
  readonly position: bigint;
  readonly failures: number;
  readonly more: boolean;
  /** How long the endpoint said that it wants to be left alone; else 0. */
  readonly toldRestMs: number;
};

/** Undefined where this process has the endpoint no more, or it was disabled. */
async function runRound(parts: RoundParts, endpoint: ClaimedEndpoint): Promise<Round | undefined> {
  const { database, horizon } = parts;
  const owner = { merchantId: endpoint.merchant_id, environment: endpoint.environment };
  const isFailing = endpoint.failures > 0;
  const retries = await listDueDeliveries(database, endpoint, isFailing ? FAILING_EVENTS / 2 : ROUND_RETRIES);
  const page = await readFeed(database, horizon, owner, {
    after: endpoint.position,
    limit: isFailing ? FAILING_EVENTS - retries.length : ROUND_EVENTS,
    types: endpoint.types,
  });
  const due: readonly DueEvent[] = [...retries, ...page.events.map((event) => ({ event, tries: 0 }))];
  const { position, more } = page;
  if (due.length === 0 && position === endpoint.position) {
    return { position, failures: endpoint.failures, more: false, toldRestMs: 0 };
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
  const reached = placeAfter(tried.length, retries.length, page, endpoint.position);
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
    toldRestMs: Math.max(0, ...tried.map((one) => one.toldRestMs)),
  };
}

/** Those that were begun are the first of the list: what is left of the page is read again. */
function placeAfter(tried: number, retries: number, page: FeedPage, before: bigint): bigint {
  const fresh = tried - retries;
  if (fresh >= page.events.length) return page.position;
  return fresh > 0 ? (page.events[fresh - 1]?.position ?? before) : before;
}

type Tried = StoredTry & {
  readonly isGone: boolean;
  /** False where there was nothing to send. */
  readonly isSent: boolean;
  readonly toldRestMs: number;
};

async function sendAll(
  parts: RoundParts,
  endpoint: ClaimedEndpoint,
  due: readonly DueEvent[],
  messages: ReadonlyMap<string, EventMessage>,
): Promise<readonly Tried[]> {
  const untilMs = parts.clock.elapsedMs() + ROUND_MS;
  const tried: Tried[] = [];
  let next = 0;
  let isToldToRest = false;
  const isOver = (): boolean => isToldToRest || parts.isStopping() || parts.clock.elapsedMs() > untilMs;
  const sender = async (): Promise<void> => {
    for (;;) {
      const first = due[next];
      if (first === undefined || isOver() || !(await parts.turn(first.event, isOver))) return;
      // Another sender may have begun it meanwhile.
      const nth = next;
      const item = due[nth];
      if (item === undefined || isOver()) return;
      next += 1;
      const one = await tryOne(parts, endpoint, item, messages.get(item.event.id));
      tried[nth] = one;
      if (one.toldRestMs > 0) isToldToRest = true;
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
    const note = 'what it is about is not kept any more';
    const nothing = {
      pauseMs: undefined,
      status: undefined,
      answer: undefined,
      durationMs: 0,
      isGone: false,
      isSent: false,
      toldRestMs: 0,
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
    toldRestMs: toldRest(result),
  };
}

/** In a row, up to now. What could not be sent is no failure of the endpoint. */
function failuresAfter(before: number, tried: readonly Tried[]): number {
  if (tried.some(({ state }) => state === 'delivered')) return 0;
  return Math.min(before + tried.filter(({ isSent }) => isSent).length, 1_000_000);
}

/** False where this process has it no more, or it is disabled now. */
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
  const tell = async (type: 'endpoint.failing' | 'endpoint.disabled', why: string): Promise<void> => {
    const failingSince = state.failingSince?.toISOString() ?? null;
    const facts = { endpoint: id, url, reason: why, failing_since: failingSince };
    await insertEvent(tx, { merchantId, environment }, { type, facts });
  };
  if (reason !== undefined) {
    await markDisabled(tx, id, reason);
    await tell('endpoint.disabled', reason);
    const why = reason === 'gone' ? 'it answered 410' : 'every delivery failed for five days';
    await insertAlarm(tx, {
      kind: 'webhook',
      merchantId,
      message: `the ${environment} webhook endpoint ${id} is disabled: ${why}`,
    });
    return false;
  }
  if (!state.isAlarmed) {
    await markAlarmed(tx, id);
    await tell('endpoint.failing', 'failing');
    await insertAlarm(tx, {
      kind: 'webhook',
      merchantId,
      message: `the ${environment} webhook endpoint ${id} has failed for a day and is disabled after five days`,
    });
  }
  return true;
}

/** Composes webhooks: the merchants' endpoints, and the delivery of events to them. */
import type { Agent } from 'undici';
import type { WebhookOperations } from '../api/dependencies.ts';
import { eventBody, isGone, wireId } from '../api/plumbing/event-answer.ts';
import type { Actor } from '../core/actor.ts';
import { systemClock } from '../core/clock.ts';
import type { Failpoints } from '../core/failpoints.ts';
import type { Logger } from '../core/log.ts';
import type { Sealer } from '../core/sealing.ts';
import type { Database, Queries } from '../db/database.ts';
import type { Principal } from '../merchants/merchant.ts';
import { CommitWatermark } from '../notifications/events/commit-watermark.ts';
import type { UrlRules } from '../notifications/webhooks/address-guard.ts';
import { changeEndpoint, createEndpoint, removeEndpoint } from '../notifications/webhooks/change-endpoint.ts';
import { createWebhookWork, type WebhookWork } from '../notifications/webhooks/deliver-events.ts';
import type { EndpointOwner } from '../notifications/webhooks/endpoint.ts';
import { listEndpointsOf } from '../notifications/webhooks/endpoint-store.ts';
import { openGuardedAgent } from '../notifications/webhooks/guarded-agent.ts';
import { Pace } from '../notifications/webhooks/pace.ts';
import { replayOne, replayRange, sendTest } from '../notifications/webhooks/replay.ts';
import { requireEndpoint } from '../notifications/webhooks/require-endpoint.ts';
import type { ClaimedEndpoint } from '../notifications/webhooks/round-store.ts';
import type { EventMessage, RoundParts } from '../notifications/webhooks/run-endpoint.ts';
import { openSecrets, rotateSecret } from '../notifications/webhooks/secrets.ts';
import { CONNECT_MS, sendEvent, TOTAL_MS } from '../notifications/webhooks/send-event.ts';
import { listWebhookDeliveries } from '../notifications/webhooks/webhook-delivery-store.ts';
import { openPurchase } from '../purchases/goods/open-purchase.ts';
import { withPurchases } from '../purchases/history/event-purchases.ts';
import type { Metrics } from './metrics.ts';

export type Webhooks = AsyncDisposable & {
  readonly acts: WebhookOperations;
  readonly work: WebhookWork;
};

type Parts = {
  readonly database: Database;
  /** Where the changes of a merchant are stored. */
  readonly workOf: (merchantId: number) => Queries;
  readonly readsOf: (merchantId: number) => Queries;
  readonly sealer: Sealer;
  readonly rules: UrlRules;
  readonly metrics: Pick<Metrics, 'observeWebhook'>;
  readonly log: Logger;
  readonly failpoints: Failpoints;
  readonly timeScale: number;
};

export function createWebhooks(parts: Parts): Webhooks {
  const agent = openGuardedAgent({ guard: parts.rules.guard, connectMs: CONNECT_MS, totalMs: TOTAL_MS });
  return {
    acts: createActs(parts),
    work: createWorkOf(parts, agent),
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

function ownerOf({ merchant, environment }: Principal): EndpointOwner {
  return { merchantId: merchant.id, merchantCode: merchant.code, environment };
}

/** A merchant acts by its credential. */
function actorOf({ merchant, credentialId }: Principal): Actor {
  return { name: merchant.code, principal: `credential:${credentialId}`, edge: 'api' };
}

function createActs({ workOf, readsOf, sealer, rules }: Parts): WebhookOperations {
  const of = ({ merchant }: Principal): Queries => workOf(merchant.id);
  const reads = ({ merchant }: Principal): Queries => readsOf(merchant.id);
  return {
    create: (principal, wanted) =>
      of(principal).transaction((tx) =>
        createEndpoint(tx, { sealer, rules }, ownerOf(principal), wanted, actorOf(principal)),
      ),
    list: (principal) => listEndpointsOf(reads(principal), ownerOf(principal)),
    change: (principal, id, change) =>
      of(principal).transaction((tx) =>
        changeEndpoint(tx, rules, ownerOf(principal), { ...change, id }, actorOf(principal)),
      ),
    remove: (principal, id) =>
      of(principal).transaction((tx) => removeEndpoint(tx, ownerOf(principal), id, actorOf(principal))),
    rotate: (principal, id, overlapMs) =>
      of(principal).transaction(async (tx) => {
        const endpoint = await requireEndpoint(tx, ownerOf(principal), id);
        const { secret } = await rotateSecret(tx, sealer, endpoint, overlapMs, actorOf(principal));
        return { endpoint: await requireEndpoint(tx, ownerOf(principal), id), secret };
      }),
    test: (principal, id) =>
      of(principal).transaction((tx) => sendTest(tx, ownerOf(principal), id, actorOf(principal))),
    deliveries: (principal, filter) => listWebhookDeliveries(reads(principal), ownerOf(principal), filter),
    replay: (principal, id) =>
      of(principal).transaction((tx) => replayOne(tx, ownerOf(principal), id, actorOf(principal))),
    replayRange: (principal, id, range) =>
      of(principal).transaction(async (tx) => {
        const endpoint = await requireEndpoint(tx, ownerOf(principal), id);
        return await replayRange(tx, endpoint, range, actorOf(principal));
      }),
  };
}

function createWorkOf(
  { database, sealer, metrics, log, failpoints, timeScale }: Parts,
  agent: Agent,
): WebhookWork {
  const watermark = new CommitWatermark(database);
  const pace = new Pace(() => watermark.positionsPerS);
  return createWebhookWork({
    database,
    watermark,
    clock: systemClock,
    log,
    failpoints,
    timeScale,
    compose: createCompose(database, sealer),
    turn: (owner, { at }, isOver) => pace.turn(owner, at, isOver),
    send: async (endpoint, { id, body }) => {
      await failpoints.reach('before-webhook');
      const secrets = secretsOf(endpoint, sealer);
      return await sendEvent({ agent, url: endpoint.url, secrets, id, body, now: systemClock.now() });
    },
    onTried: (outcome) => metrics.observeWebhook(outcome),
  });
}

/** The current secret, and previous ones that still sign. */
function secretsOf(
  { id, secret, old_secret: old, old_secret_ends_at: endsAt }: ClaimedEndpoint,
  sealer: Pick<Sealer, 'open'>,
): string[] {
  const isOver = endsAt === null || endsAt <= systemClock.now();
  return openSecrets(id, { secret, old: isOver ? null : old }, sealer);
}

function createCompose(database: Database, sealer: Sealer): RoundParts['compose'] {
  return async (owner, events, { withGoods }) => {
    const messages = new Map<string, EventMessage>();
    for (const { event, purchase: found } of await withPurchases(database, owner, events)) {
      if (isGone(event, found)) continue;
      const purchase =
        withGoods && found !== undefined ? await openPurchase({ sql: database, sealer }, found) : found;
      const body = JSON.stringify(eventBody({ event, purchase }, { withGoods }));
      messages.set(event.id, { id: wireId(event.id), body });
    }
    return messages;
  };
}

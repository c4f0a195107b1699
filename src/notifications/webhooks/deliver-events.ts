/**
 * Sends events to the endpoints of merchants. A run claims endpoints that have something to be
 * sent, and does not wait for their end; `finish` waits.
 *
 * Guarantees: one endpoint has one process at a time, ten tries in flight, and a bounded turn;
 * those that fail have half of the places at most. So an endpoint that is dead or slow holds up no
 * other. Any number of processes may run it, and each may die at any point.
 */
import type { Logger } from '../../core/log.ts';
import { claimEndpoints, type EndpointLane, releaseEndpoint, rouseEndpoints } from './round-store.ts';
import { type RoundParts, runEndpoint } from './run-endpoint.ts';

const IN_HAND = 200;
const FAILING_IN_HAND = 100;
/** To look for endpoints takes this part of the time at most. */
const REST_PER_LOOK = 10;
/** Else one slow look would put off the next for long. */
const REST_MAX_MS = 2_000;

export type WebhookWork = { run(): Promise<void>; finish(): Promise<void> };

type WebhookOptions = Omit<RoundParts, 'isStopping'> & { readonly log: Logger };

export function createWebhookWork(options: WebhookOptions): WebhookWork {
  const inHand: Record<EndpointLane, Set<Promise<void>>> = { well: new Set(), failing: new Set() };
  const { database, log } = options;
  let isStopping = false;
  let restUntilMs = Number.NEGATIVE_INFINITY;
  const parts: RoundParts = { ...options, isStopping: () => isStopping };

  const claim = async (lane: EndpointLane, limit: number): Promise<void> => {
    if (limit <= 0) return;
    for (const endpoint of await claimEndpoints(database, lane, limit)) {
      const work = runEndpoint(parts, endpoint)
        .then((pauseMs) => releaseEndpoint(database, endpoint, pauseMs))
        // Its lease runs out, and it is claimed again.
        .catch((error: unknown) =>
          log.warn({ err: error, endpoint: endpoint.id }, 'cannot serve an endpoint'),
        );
      inHand[lane].add(work);
      void work.finally(() => inHand[lane].delete(work));
    }
  };

  return {
    async run() {
      const startedMs = performance.now();
      if (startedMs < restUntilMs) return;
      await rouseEndpoints(database);
      const endedMs = performance.now();
      restUntilMs = endedMs + Math.min(REST_PER_LOOK * (endedMs - startedMs), REST_MAX_MS);
      await claim('well', IN_HAND - inHand.well.size - inHand.failing.size);
      await claim('failing', FAILING_IN_HAND - inHand.failing.size);
    },
    async finish() {
      isStopping = true;
      await Promise.all([...inHand.well, ...inHand.failing]);
    },
  };
}

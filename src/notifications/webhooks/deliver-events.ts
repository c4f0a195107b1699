/**
 * Sends events to the endpoints of merchants. `run` claims endpoints that have something to send
 * and does not wait for their end; `finish` waits.
 *
 * Guarantees: an endpoint is served by one process at a time, with ten tries in flight and a
 * bounded turn. Failing endpoints take at most half of the slots, so a dead or slow endpoint delays
 * no other. Any number of processes may run it, and each may die at any point.
 */
import type { Logger } from '../../core/log.ts';
import { claimEndpoints, type EndpointLane, markEndpointsDue, releaseEndpoint } from './round-store.ts';
import { type RoundParts, runEndpoint } from './run-endpoint.ts';

const IN_FLIGHT_MAX = 200;
const FAILING_MAX = 100;
/** The pause after a search for due endpoints, as a multiple of its duration. */
const PAUSE_PER_SEARCH = 10;
/** Bounds the pause after one slow search. */
const PAUSE_MAX_MS = 2_000;

export type WebhookWork = { run(): Promise<void>; finish(): Promise<void> };

type WebhookOptions = Omit<RoundParts, 'isStopping'> & { readonly log: Logger };

export function createWebhookWork(options: WebhookOptions): WebhookWork {
  const inFlight: Record<EndpointLane, Set<Promise<void>>> = { well: new Set(), failing: new Set() };
  const { database, log } = options;
  let isStopping = false;
  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  const parts: RoundParts = { ...options, isStopping: () => isStopping };

  const claim = async (lane: EndpointLane, limit: number): Promise<void> => {
    if (limit <= 0) return;
    for (const endpoint of await claimEndpoints(database, lane, limit)) {
      const work = runEndpoint(parts, endpoint)
        .then((pauseMs) => releaseEndpoint(database, endpoint, pauseMs))
        // The lease expires, and the endpoint is claimed again.
        .catch((error: unknown) =>
          log.warn({ err: error, endpoint: endpoint.id }, 'cannot deliver to a webhook endpoint'),
        );
      inFlight[lane].add(work);
      void work.finally(() => inFlight[lane].delete(work));
    }
  };

  return {
    async run() {
      const startedMs = performance.now();
      if (startedMs < pausedUntilMs) return;
      await markEndpointsDue(database);
      const endedMs = performance.now();
      pausedUntilMs = endedMs + Math.min(PAUSE_PER_SEARCH * (endedMs - startedMs), PAUSE_MAX_MS);
      await claim('well', IN_FLIGHT_MAX - inFlight.well.size - inFlight.failing.size);
      await claim('failing', FAILING_MAX - inFlight.failing.size);
    },
    async finish() {
      isStopping = true;
      await Promise.all([...inFlight.well, ...inFlight.failing]);
    },
  };
}

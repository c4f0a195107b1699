/**
 * Calls to a provider in two lanes, each with its own connections and its own breaker: purchases
 * and questions about them in one, everything that only reads in the other. So a list that is slow,
 * or many customers to verify, keep no purchase waiting.
 */
import { openUpstream, type Upstream, type UpstreamSettings, WAITING_BY_TIME } from './call.ts';

/** Purchases, questions about them, and what they brought. */
const ORDER_OPERATIONS: ReadonlySet<string> = new Set(['vend', 'query', 'cards']);
const READS_SHARE = 4;
const READS_MIN = 2;

/** Of so many connections, those that only read have these to themselves. */
export function readsAtOnce(connectionsMax: number): number {
  return Math.max(READS_MIN, Math.floor(connectionsMax / READS_SHARE));
}

/** The state of the breaker is that of purchases. */
export function openProviderUpstream(settings: UpstreamSettings): Upstream {
  const orders = openUpstream({ waitingMax: WAITING_BY_TIME, ...settings });
  const reads = openUpstream({ ...settings, connectionsMax: readsAtOnce(settings.connectionsMax) });
  return {
    call: (request, options) =>
      (ORDER_OPERATIONS.has(request.operation) ? orders : reads).call(request, options),
    breakerState: () => orders.breakerState(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([orders[Symbol.asyncDispose](), reads[Symbol.asyncDispose]()]);
    },
  };
}

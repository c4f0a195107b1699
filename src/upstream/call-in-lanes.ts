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

/** The state of the breaker is that of purchases. */
export function openProviderUpstream(settings: UpstreamSettings): Upstream {
  const orders = openUpstream({ waitingMax: WAITING_BY_TIME, ...settings });
  const connectionsMax = Math.max(READS_MIN, Math.floor(settings.connectionsMax / READS_SHARE));
  const reads = openUpstream({ ...settings, connectionsMax });
  return {
    call: (request, options) =>
      (ORDER_OPERATIONS.has(request.operation) ? orders : reads).call(request, options),
    breakerState: () => orders.breakerState(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([orders[Symbol.asyncDispose](), reads[Symbol.asyncDispose]()]);
    },
  };
}

/**
 * Calls to a provider, with a limiter, connections and a breaker for orders (purchases and queries
 * about them), and others for calls that only read. So a list that is slow, or many customers to
 * verify, keep no purchase waiting.
 */
import { openUpstream, type Upstream, type UpstreamSettings } from './call.ts';
import { type Limiter, type LimiterSettings, newTurn } from './limiter.ts';

/** The limiters of one account. */
export type ProviderLimiters = { readonly orders: Limiter; readonly reads: Limiter };

export type ProviderUpstream = Omit<Upstream, 'limiter'> & { readonly limiters: ProviderLimiters };

/** Calls a second of the whole installation. Absent, or 0: no limit. */
export type ProviderRate = {
  readonly orders?: number;
  /** Whether that limits queries too. */
  readonly paces?: LimiterSettings['paces'];
  readonly reads?: number;
};

/** Purchases, queries about them, and the goods that they brought. */
const ORDER_OPERATIONS: ReadonlySet<string> = new Set(['purchase', 'query', 'cards']);
/** Connections of calls that only read, beside those of orders. */
const READS_SHARE = 0.25;
const READS_MIN = 2;
const ORDER_LIMITS = { queryShare: 0.5, waitingMax: 10_000 } as const;
/** Purchases wait for some of these calls. */
const READ_LIMITS = { queryShare: 0.75, waitingMax: 500, paces: 'all' } as const;

/** The state of the breaker is that of orders. */
export function openProviderUpstream(settings: UpstreamSettings, rate: ProviderRate = {}): ProviderUpstream {
  const { orders: perSecond = 0, paces = 'purchases', reads: readsPerSecond = 0 } = rate;
  const orders = openUpstream({ ...settings, limits: { ...ORDER_LIMITS, perSecond, paces } });
  const reads = openUpstream({
    ...settings,
    connectionsMax: Math.max(READS_MIN, Math.floor(READS_SHARE * settings.connectionsMax)),
    limits: { ...READ_LIMITS, perSecond: readsPerSecond },
  });
  return {
    call: (request, { turn, ...options } = {}) => {
      if (!ORDER_OPERATIONS.has(request.operation)) {
        return reads.call(request, { ...options, turn: turn ?? newTurn('query') });
      }
      const kind = request.operation === 'purchase' ? 'purchase' : 'query';
      return orders.call(request, { ...options, turn: turn ?? newTurn(kind) });
    },
    breakerState: () => orders.breakerState(),
    limiters: { orders: orders.limiter, reads: reads.limiter },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([orders[Symbol.asyncDispose](), reads[Symbol.asyncDispose]()]);
    },
  };
}

/**
 * Calls a provider. Orders (purchases and queries) and reads each have their own limiter,
 * connections and breaker, so slow lists and customer verifications never delay a purchase.
 */
import type { Connector } from '../provider.ts';
import { mintUuid } from '../reference-mark.ts';
import { openUpstream, type Upstream, type UpstreamSettings } from './call.ts';
import { type Limiter, type LimiterSettings, newTurn } from './limiter.ts';

/** The limiters of one account. */
export type ProviderLimiters = { readonly orders: Limiter; readonly reads: Limiter };

export type ProviderUpstream = Omit<Upstream, 'limiter'> & { readonly limiters: ProviderLimiters };

export type ProviderUpstreamSettings = UpstreamSettings & {
  /** Purchases a second of the whole installation. Absent, or 0: no limit. */
  readonly perSecond?: number;
};

export type ProviderRate = {
  /** Whether `perSecond` limits queries too. */
  readonly paces?: LimiterSettings['paces'];
  /** Reads a second. Absent, or 0: no limit. */
  readonly reads?: number;
};

/** The operations that are part of a purchase. */
const ORDER_OPERATIONS: ReadonlySet<string> = new Set(['purchase', 'query', 'cards']);
/** The number of connections for reads, as a fraction of those for orders. */
const READS_SHARE = 0.25;
const READS_MIN = 2;
const ORDER_LIMITS = { queryShare: 0.5, waitingMax: 10_000 } as const;
/** Some of these calls are made for a purchase that waits. */
const READ_LIMITS = { queryShare: 0.75, waitingMax: 500, paces: 'all' } as const;

/** Opens the connections. `breakerState` is that of orders. */
export function openProviderUpstream(
  { perSecond = 0, ...settings }: ProviderUpstreamSettings,
  { paces = 'purchases', reads: readsPerSecond = 0 }: ProviderRate = {},
): ProviderUpstream {
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

type Connected = Pick<ProviderUpstream, 'limiters' | 'breakerState' | typeof Symbol.asyncDispose>;

/**
 * The part of a connector that follows from its connections and settings. Its references are
 * UUIDs.
 */
export function connectorFrame(
  upstream: Connected,
  { notFoundGraceMs, deadlineMs }: Pick<Connector, 'notFoundGraceMs' | 'deadlineMs'>,
) {
  return {
    limiters: upstream.limiters,
    notFoundGraceMs,
    deadlineMs,
    mintReference: (_now, purchase, bought) => mintUuid(purchase, bought),
    breakerState: () => upstream.breakerState(),
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  } satisfies Partial<Connector>;
}

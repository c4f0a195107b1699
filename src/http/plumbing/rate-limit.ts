/**
 * Requests per second and credential: one token bucket each, in the memory of this process.
 * Guarantees bounded memory and no timers; it does not share its count with other processes, so the
 * limit holds per process.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { Refusal } from './refusal.ts';

/** `perS` requests a second on average and `burst` at once; `perS` 0 is no limit. */
export type RateLimit = { readonly perS: number; readonly burst: number };

export type RateLimiter = {
  /** Counts one request. Throws a Refusal, 429, when the caller has had its share. */
  take(principal: Principal): void;
};

/**
 * The one that was used longest ago is given up for a new one. At worst its credential gets one
 * more burst.
 */
const BUCKETS_MAX = 10_000;

type Bucket = { tokens: number; countedAtMs: number };

export function createRateLimiter(limit: RateLimit, clock: Pick<Clock, 'elapsedMs'>): RateLimiter {
  const buckets = new LRUCache<string, Bucket>({ max: BUCKETS_MAX });
  return {
    take(principal) {
      const { perS, burst } = limitOf(principal, limit);
      if (perS === 0) return;
      const nowMs = clock.elapsedMs();
      let bucket = buckets.get(principal.credentialId);
      if (bucket === undefined) {
        bucket = { tokens: burst, countedAtMs: nowMs };
        buckets.set(principal.credentialId, bucket);
      }
      bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.countedAtMs) / 1000) * perS);
      bucket.countedAtMs = nowMs;
      if (bucket.tokens < 1) {
        throw new Refusal(429, 'rate_limited', `Too many requests: the limit is ${perS} a second`, {
          retryAfterS: Math.max(1, Math.ceil((1 - bucket.tokens) / perS)),
        });
      }
      bucket.tokens -= 1;
    },
  };
}

/** A credential's own rate keeps the proportion of burst to rate that holds for all. */
function limitOf(principal: Principal, limit: RateLimit): RateLimit {
  const perS = principal.rateLimitPerS;
  if (perS === undefined || perS === limit.perS) return limit;
  const proportion = limit.perS > 0 ? limit.burst / limit.perS : 2;
  return { perS, burst: Math.max(1, perS * proportion) };
}

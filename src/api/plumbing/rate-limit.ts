/**
 * Requests per second: a token bucket for each credential, and one that all credentials of a
 * merchant in an environment share. So a merchant gains nothing by issuing more of them.
 *
 * In the memory of this process, bounded and without timers: the limit holds per process.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { Refusal } from './refusal.ts';

/** `perS` requests a second on average and `burst` at once; `perS` 0 is no limit. */
export type RateLimit = { readonly perS: number; readonly burst: number };

export type RateLimiter = {
  /** Counts one request. Throws a Refusal, 429, when the caller has had its share. */
  take(principal: Principal): void;
};

/**
 * The one that was used longest ago is given up for a new one. At worst its owner gets one more
 * burst.
 */
const BUCKETS_MAX = 10_000;

type Bucket = { limit: RateLimit; tokens: number; countedAtMs: number };

export function createRateLimiter(limit: RateLimit, clock: Pick<Clock, 'elapsedMs'>): RateLimiter {
  const ofCredentials = new LRUCache<string, Bucket>({ max: BUCKETS_MAX });
  const ofMerchants = new LRUCache<string, Bucket>({ max: BUCKETS_MAX });
  return {
    take(principal) {
      const own = limitOf(principal, limit);
      if (own.perS === 0) return;
      const nowMs = clock.elapsedMs();
      const buckets = [fill(ofCredentials, principal.credentialId, own, nowMs)];
      if (limit.perS > 0) {
        const { merchant, environment } = principal;
        const key = `${environment} ${merchant.id}`;
        // A higher rate that the operator gave one credential is room for its merchant too.
        const most = [limit, own, ofMerchants.peek(key)?.limit ?? limit].reduce(higher);
        buckets.push(fill(ofMerchants, key, most, nowMs));
      }
      for (const bucket of buckets) if (bucket.tokens < 1) throw tooMany(bucket);
      for (const bucket of buckets) bucket.tokens -= 1;
    },
  };
}

function fill(buckets: LRUCache<string, Bucket>, key: string, limit: RateLimit, nowMs: number): Bucket {
  let bucket = buckets.get(key);
  if (bucket === undefined) {
    bucket = { limit, tokens: limit.burst, countedAtMs: nowMs };
    buckets.set(key, bucket);
  }
  const { perS, burst } = limit;
  bucket.tokens += Math.max(0, burst - bucket.limit.burst);
  bucket.limit = limit;
  bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.countedAtMs) / 1_000) * perS);
  bucket.countedAtMs = nowMs;
  return bucket;
}

function higher(one: RateLimit, other: RateLimit): RateLimit {
  return other.perS > one.perS ? other : one;
}

function tooMany({ limit: { perS }, tokens }: Bucket): Refusal {
  const message = `Too many requests: the limit is ${perS} a second. Nothing was charged.`;
  return new Refusal(429, 'rate_limited', message, {
    retryAfterS: Math.max(1, Math.ceil((1 - tokens) / perS)),
  });
}

/** A credential's own rate keeps the proportion of burst to rate that holds for all. */
function limitOf(principal: Principal, limit: RateLimit): RateLimit {
  const perS = principal.rateLimitPerS;
  if (perS === undefined || perS === limit.perS) return limit;
  const proportion = limit.perS > 0 ? limit.burst / limit.perS : 2;
  return { perS, burst: Math.max(1, perS * proportion) };
}

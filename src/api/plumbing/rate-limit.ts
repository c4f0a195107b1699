/**
 * Limits the requests per second with token buckets: one for each credential, and one for all
 * credentials of a merchant in an environment, so that issuing more credentials gains nothing. The
 * limit holds per process. It is bounded and has no timers.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { Refusal } from './refusal.ts';

/** `perS` requests a second on average, and `burst` at once. `perS` 0 means no limit. */
export type RateLimit = { readonly perS: number; readonly burst: number };

export type RateLimiter = {
  /** Counts one request. Throws a Refusal, 429, when the caller has used its share. */
  take(principal: Principal): void;
};

/**
 * The least recently used bucket makes room for a new one. At worst its owner gets one more burst.
 */
const BUCKETS_MAX = 10_000;

/** How long a credential with a higher rate raises its merchant's bucket after its last request. */
const RAISED_MS = 60_000;

type Bucket = { limit: RateLimit; tokens: number; countedAtMs: number };
type MerchantBucket = Bucket & { raisedUntilMs?: number };

export function createRateLimiter(limit: RateLimit, clock: Pick<Clock, 'elapsedMs'>): RateLimiter {
  const ofCredentials = new LRUCache<string, Bucket>({ max: BUCKETS_MAX });
  const ofMerchants = new LRUCache<string, MerchantBucket>({ max: BUCKETS_MAX });
  return {
    take(principal) {
      const own = limitOf(principal, limit);
      if (own.perS === 0) return;
      const nowMs = clock.elapsedMs();
      const buckets = [fill(ofCredentials, principal.credentialId, own, nowMs)];
      if (limit.perS > 0) {
        const { merchant, environment } = principal;
        const key = `${environment} ${merchant.id}`;
        // A higher rate of one credential raises its merchant's bucket too, while it is used.
        const present = ofMerchants.peek(key);
        const isRaised = present !== undefined && (present.raisedUntilMs ?? 0) > nowMs;
        const before = isRaised ? present.limit : limit;
        const bucket: MerchantBucket = fill(ofMerchants, key, higher(before, own), nowMs);
        if (own.perS > limit.perS && own.perS >= before.perS) bucket.raisedUntilMs = nowMs + RAISED_MS;
        buckets.push(bucket);
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

/** A credential with a rate of its own keeps the general proportion of burst to rate. */
function limitOf(principal: Principal, limit: RateLimit): RateLimit {
  const perS = principal.rateLimitPerS;
  if (perS === undefined || perS === limit.perS) return limit;
  const proportion = limit.perS > 0 ? limit.burst / limit.perS : 2;
  return { perS, burst: Math.max(1, perS * proportion) };
}

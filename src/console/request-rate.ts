/**
 * How many requests one address of IPv4, or one network of IPv6, may send: far more than people do,
 * and few enough to leave the process to its purchases. Counted in the memory of this process, and
 * bounded.
 */
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../kernel/clock.ts';
import { networkOf } from '../kernel/network-of.ts';
import { SignInError } from '../users/sign-in-error.ts';

const PER_S = 50;
const BURST = 300;
const NETWORKS_MAX = 5_000;

type Bucket = { tokens: number; countedAtMs: number };

export function limitRequests(app: FastifyInstance, clock: Pick<Clock, 'elapsedMs'>): void {
  const buckets = new LRUCache<string, Bucket>({ max: NETWORKS_MAX });
  app.addHook('onRequest', (request, _reply, done) => {
    const nowMs = clock.elapsedMs();
    const network = networkOf(request.ip);
    const bucket = buckets.get(network) ?? { tokens: BURST, countedAtMs: nowMs };
    buckets.set(network, bucket);
    bucket.tokens = Math.min(BURST, bucket.tokens + ((nowMs - bucket.countedAtMs) / 1_000) * PER_S);
    bucket.countedAtMs = nowMs;
    if (bucket.tokens < 1) return done(new SignInError({ code: 'too_many_tries', retryAfterS: 1 }));
    bucket.tokens -= 1;
    done();
  });
}

/**
 * Protects users of the application in a browser.
 *
 * Guarantees: a page of another site can neither send requests for a user (cross-site request
 * forgery), nor show the application in a frame, nor read a response; only the application's own
 * scripts run; requests for another host name are refused.
 */

import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import { createFloodHold } from '../../core/flood-hold.ts';
import { networkOf } from '../../core/network-of.ts';
import { isThisMachine } from '../../core/this-machine.ts';
import { SignInError } from '../users/sign-in-error.ts';
import { ConsoleRefusal } from './answer-errors.ts';
import type { ConsoleDependencies } from './dependencies.ts';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const A_YEAR_S = 31_536_000;

/** The policy of every response except the page. */
const nothingAllowed = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The policy of the page: only scripts and styles of this listener with the page's nonce. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export function protect(app: FastifyInstance, dependencies: ConsoleDependencies): void {
  const { url, host } = dependencies;
  const own = url === undefined ? host : new URL(url).hostname;
  const isHttps = url?.startsWith('https:') === true;
  app.addHook('onRequest', (request, reply, done) => {
    request.nonce = randomBytes(16).toString('base64url');
    reply.headers({
      'x-request-id': request.id,
      'cache-control': 'no-store',
      'content-security-policy': nothingAllowed,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    });
    if (isHttps) reply.header('strict-transport-security', `max-age=${A_YEAR_S}`);
    done(refusalOf(request, own));
  });
}

function refusalOf(request: FastifyRequest, own: string): ConsoleRefusal | undefined {
  const { hostname } = request;
  if (hostname !== own && !isThisMachine(hostname)) {
    const message = 'Unknown host. Set OJA_CONSOLE_URL or OJA_PORTAL_URL to the public URL.';
    return new ConsoleRefusal(421, 'other_address', message);
  }
  if (safeMethods.has(request.method) || isSameOrigin(request)) return undefined;
  return new ConsoleRefusal(403, 'other_origin', 'Requests must come from the application');
}

/** Checks `Sec-Fetch-Site`, or `Origin` from browsers that do not send it. */
function isSameOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

/** Returns the origin to which passkeys are bound. */
export function originOf(request: FastifyRequest, { url }: Pick<ConsoleDependencies, 'url'>): string {
  return url === undefined ? `${request.protocol}://${request.host}` : new URL(url).origin;
}

const PER_S = 50;
const BURST = 300;
const NETWORKS_MAX = 5_000;

type Bucket = { tokens: number; countedAtMs: number };

/**
 * Limits the requests of one IPv4 address or one IPv6 network. The limit is far above what people
 * need and protects the process. Counters are in bounded memory of this process.
 */
export function limitRequests(app: FastifyInstance, clock: Pick<Clock, 'elapsedMs'>): void {
  const buckets = new LRUCache<string, Bucket>({ max: NETWORKS_MAX });
  const hold = createFloodHold();
  app.addHook('onRequest', (request, _reply, done) => {
    const nowMs = clock.elapsedMs();
    const network = networkOf(request.ip);
    const bucket = buckets.get(network) ?? { tokens: BURST, countedAtMs: nowMs };
    buckets.set(network, bucket);
    bucket.tokens = Math.min(BURST, bucket.tokens + ((nowMs - bucket.countedAtMs) / 1_000) * PER_S);
    bucket.countedAtMs = nowMs;
    if (bucket.tokens < 1) {
      hold(() => done(new SignInError({ code: 'too_many_tries', retryAfterS: 1 })));
      return;
    }
    bucket.tokens -= 1;
    done();
  });
}

/**
 * Authenticates the caller by the two credential headers, before the body is read. Every wrong
 * credential has the same answer, 401, so that it does not reveal which half was right.
 */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { invariant } from '../../core/errors.ts';
import { createFloodHold } from '../../core/flood-hold.ts';
import type { Authentication } from '../../merchants/authenticate.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { requireActive } from '../../merchants/require-enabled.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { isRead } from './errors.ts';
import { isInner } from './inner-requests.ts';
import type { RateLimiter } from './rate-limit.ts';
import { Refusal } from './refusal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the credential is accepted. */
    principal: Principal | undefined;
    /** The purchase that the request was about, for the log. */
    purchaseReference: string | undefined;
    /** The reason of the refusal, for the log. */
    refusalReason: string | undefined;
  }
}

// Visible ASCII without the comma. Node joins repeated headers with ", ", which must not pass for
// one value.
const CREDENTIAL = /^[\x21-\x2b\x2d-\x7e]{1,200}$/;

/** The `onRequest` hook of every route that needs a credential. */
export function createAuthenticateHook(
  authenticator: Pick<ServerDependencies['authenticator'], 'authenticate'>,
  rateLimiter: RateLimiter,
): (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void {
  const admit = (request: FastifyRequest, found: Authentication): void => {
    if (found === 'unknown') throw unauthenticated('credential_wrong');
    if (found === 'unconfirmed') {
      throw new Refusal(
        403,
        'credential_unconfirmed',
        'This credential waits for confirmation after a restore: ask your account manager',
      );
    }
    if (found === 'forbidden') {
      throw new Refusal(
        403,
        'address_not_allowed',
        'This credential may not be used from this address: ask your account manager',
      );
    }
    request.principal = found;
    if (!isInner(request)) rateLimiter.take(found);
    if (found.merchant.suspended) refuseActs(request, found);
  };
  const hold = createFloodHold();
  const refuse = (error: Error, done: HookHandlerDoneFunction): void => {
    if (error instanceof Refusal && error.reason === 'rate_limited') hold(() => done(error));
    else done(error);
  };
  return (request, _reply, done) => {
    const key = request.headers['x-merchant-key'];
    const secret = request.headers['x-merchant-secret'];
    if (!isCredential(key) || !isCredential(secret)) throw unauthenticated('credential_missing');
    const found = authenticator.authenticate(key, secret, request.ip);
    if (found instanceof Promise) {
      found
        .then((read) => admit(request, read))
        .then(
          () => done(),
          (error) => refuse(error, done),
        );
      return;
    }
    try {
      admit(request, found);
    } catch (error) {
      refuse(error as Error, done);
      return;
    }
    done();
  };
}

/**
 * Look-ups are served. A purchase is refused later by the core, because its reference is read from
 * the body and a used one must be answered with its purchase.
 */
function refuseActs(request: FastifyRequest, principal: Principal): void {
  if (!isRead(request) && request.routeOptions.config.creates === undefined) requireActive(principal);
}

/** Returns the caller of a route behind the hook. */
export function principalOf(request: FastifyRequest): Principal {
  invariant(request.principal !== undefined, 'an authenticated route has a caller');
  return request.principal;
}

function isCredential(header: string | string[] | undefined): header is string {
  return typeof header === 'string' && CREDENTIAL.test(header);
}

/** The finer reason is only logged. */
function unauthenticated(loggedReason: string): Refusal {
  const message = 'Missing or invalid credentials: send X-Merchant-Key and X-Merchant-Secret';
  return new Refusal(401, 'not_authenticated', message, { loggedReason });
}

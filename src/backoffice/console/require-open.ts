/** Checks sessions: open, and recently confirmed by password; and handles their cookies. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sharer } from '../../core/fair-gate.ts';
import type { MerchantRole, Role } from '../../core/operation.ts';
import type { Operator } from '../operations/run-operation.ts';
import type { Present } from '../users/open-session.ts';
import { SignInError } from '../users/sign-in-error.ts';
import { actorOfUser } from '../users/sign-in-parts.ts';
import type { Audience } from '../users/tenant-scope.ts';

/** Throws SignInError `signed_out`, `second_factor_needed`. */
export function requireOpen({ present }: Pick<FastifyRequest, 'present'>): Present {
  if (present === undefined) throw new SignInError({ code: 'signed_out' });
  if (present.session.state !== 'open') throw new SignInError({ code: 'second_factor_needed' });
  return present;
}

/** Throws SignInError `step_up_needed`. */
export function requireStepUp({ session }: Present): void {
  if (session.stepped_up_until === null) throw new SignInError({ code: 'step_up_needed' });
}

/**
 * Returns the key under which the user's use of a limit is counted. A merchant's users share one.
 */
export function sharerOf({ session, user }: Present, face: Audience): Sharer<Audience> {
  return {
    pool: face,
    group: user.merchant_id ?? user.id,
    member: user.merchant_id === null ? session.id : user.id,
  };
}

/** Returns the user as an operator, with the current roles. */
export function operatorOf({ session, user }: Present, face: Audience): Operator {
  const actor = actorOfUser(user, face, session.id);
  return user.merchant_code === null
    ? { ...actor, roles: user.roles as readonly Role[] }
    : {
        ...actor,
        roles: [],
        merchant: { code: user.merchant_code, roles: user.roles as readonly MerchantRole[] },
      };
}

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';
/** How long a browser stays known after a sign-in. */
const KNOWN_S = 180 * 86_400;

/**
 * Reads the session cookie. `__Host-` binds a cookie to this host and to TLS (or this machine). The
 * console and the portal may share a host, and cookies ignore ports, so their names differ.
 */
export function readSessionCookie(request: FastifyRequest, face: Audience): string | undefined {
  return readCookie(request, `__Host-oja_${face}`);
}

export function readKnownCookie(request: FastifyRequest, face: Audience): string | undefined {
  return readCookie(request, `__Host-oja_${face}_known`);
}

function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1).slice(0, 200);
}

/** Sets the session cookie until the browser is closed. The session also expires by itself. */
export function setSessionCookie(reply: FastifyReply, face: Audience, token: string): void {
  append(reply, `__Host-oja_${face}=${token}; ${attributes}`);
}

export function clearSessionCookie(reply: FastifyReply, face: Audience): void {
  append(reply, `__Host-oja_${face}=; ${attributes}; Max-Age=0`);
}

export function setKnownCookie(reply: FastifyReply, face: Audience, known: string): void {
  append(reply, `__Host-oja_${face}_known=${known}; ${attributes}; Max-Age=${KNOWN_S}`);
}

/** Adds a cookie. Fastify keeps those that were set before. */
function append(reply: FastifyReply, cookie: string): void {
  reply.header('set-cookie', cookie);
}

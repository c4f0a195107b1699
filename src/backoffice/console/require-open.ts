/** Who may do something: an open session and, for some things, one that was stepped up. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sharer } from '../../core/fair-gate.ts';
import type { MerchantRole, Role } from '../../core/operation.ts';
import type { Operator } from '../operations/run-operation.ts';
import type { Audience } from '../users/crew.ts';
import type { Present } from '../users/open-session.ts';
import { SignInError } from '../users/sign-in-error.ts';
import { actorOfUser } from '../users/sign-in-parts.ts';

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

/** Whose share it takes: a merchant's people share what the merchant has. */
export function sharerOf({ session, user }: Present, face: Audience): Sharer<Audience> {
  return {
    pool: face,
    group: user.merchant_id ?? user.id,
    member: user.merchant_id === null ? session.id : user.id,
  };
}

/** With the roles as they are now. */
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
/** For how long a browser in which somebody signed in is known. */
const KNOWN_S = 180 * 86_400;

/**
 * The cookies of the application. `__Host-` says to the browser: of this host alone, sent over TLS
 * (or on this machine), never readable by a script. The two faces may be on one host, and cookies
 * know no port: so their names differ.
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

/** It goes when the browser is closed; the session ends by itself too. */
export function setSessionCookie(reply: FastifyReply, face: Audience, token: string): void {
  append(reply, `__Host-oja_${face}=${token}; ${attributes}`);
}

export function clearSessionCookie(reply: FastifyReply, face: Audience): void {
  append(reply, `__Host-oja_${face}=; ${attributes}; Max-Age=0`);
}

export function setKnownCookie(reply: FastifyReply, face: Audience, known: string): void {
  append(reply, `__Host-oja_${face}_known=${known}; ${attributes}; Max-Age=${KNOWN_S}`);
}

/** Fastify keeps those that were set before. */
function append(reply: FastifyReply, cookie: string): void {
  reply.header('set-cookie', cookie);
}

/**
 * The cookies of the application. `__Host-` says to the browser: of this host alone, sent over TLS
 * (or on this machine), never readable by a script. The two faces may be on one host, and cookies
 * know no port: so their names differ.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Face } from '../users/crew.ts';

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';
/** For how long a browser in which somebody signed in is known. */
const KNOWN_S = 180 * 86_400;

export function readSessionCookie(request: FastifyRequest, face: Face): string | undefined {
  return readCookie(request, `__Host-oja_${face}`);
}

export function readKnownCookie(request: FastifyRequest, face: Face): string | undefined {
  return readCookie(request, `__Host-oja_${face}_known`);
}

function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1).slice(0, 200);
}

/** It goes when the browser is closed; the session ends by itself too. */
export function setSessionCookie(reply: FastifyReply, face: Face, token: string): void {
  append(reply, `__Host-oja_${face}=${token}; ${attributes}`);
}

export function clearSessionCookie(reply: FastifyReply, face: Face): void {
  append(reply, `__Host-oja_${face}=; ${attributes}; Max-Age=0`);
}

export function setKnownCookie(reply: FastifyReply, face: Face, known: string): void {
  append(reply, `__Host-oja_${face}_known=${known}; ${attributes}; Max-Age=${KNOWN_S}`);
}

/** Fastify keeps those that were set before. */
function append(reply: FastifyReply, cookie: string): void {
  reply.header('set-cookie', cookie);
}

/** Routes of the signed-in user's second factors and password. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { changePassword } from '../users/change-user.ts';
import {
  beginOwnPasskey,
  beginOwnTotp,
  confirmOwnPasskey,
  confirmOwnTotp,
  type Enrolled,
  removeOwnFactor,
  renewRecoveryCodes,
} from '../users/manage-second-factors.ts';
import type { Present } from '../users/open-session.ts';
import { SignInError } from '../users/sign-in-error.ts';
import { newKnown } from '../users/throttle.ts';
import type { UserRow } from '../users/user-store.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { originOf } from './protect.ts';
import { bodies, bodyOf, clientOf } from './request-bodies.ts';
import { requireOpen, requireStepUp, setKnownCookie, setSessionCookie } from './require-open.ts';

/** Returns the session, open or half open. The called function checks which it needs. */
function requirePresent({ present }: FastifyRequest): Present {
  if (present === undefined) throw new SignInError({ code: 'signed_out' });
  return present;
}

export function serveSecondFactors(app: FastifyInstance, dependencies: ConsoleDependencies): void {
  const enrolled = async (reply: FastifyReply, user: UserRow, { token, recoveryCodes }: Enrolled) => {
    if (token !== undefined) {
      setSessionCookie(reply, dependencies.face, token);
      setKnownCookie(reply, dependencies.face, newKnown(await dependencies.pepper(), user.id));
    }
    return { data: { next: 'done', ...(recoveryCodes && { recovery_codes: recoveryCodes }) } };
  };

  app.post('/api/second-factor/totp/begin', async (request) => {
    bodyOf(bodies.nothing, request);
    return { data: await beginOwnTotp(dependencies, requirePresent(request)) };
  });

  app.post('/api/second-factor/totp/confirm', async (request, reply) => {
    const present = requirePresent(request);
    const { code } = bodyOf(bodies.confirmTotp, request);
    const client = clientOf(request, dependencies);
    return await enrolled(reply, present.user, await confirmOwnTotp(dependencies, present, code, client));
  });

  app.post('/api/second-factor/totp/remove', async (request) => {
    bodyOf(bodies.nothing, request);
    await removeOwnFactor(dependencies, requirePresent(request), undefined);
    return { data: { removed: true } };
  });

  app.post('/api/second-factor/passkeys/begin', async (request) => {
    bodyOf(bodies.nothing, request);
    const origin = originOf(request, dependencies);
    return { data: await beginOwnPasskey(dependencies, requirePresent(request), origin) };
  });

  app.post('/api/second-factor/passkeys/confirm', async (request, reply) => {
    const present = requirePresent(request);
    const { passkey: response, label = '' } = bodyOf(bodies.newPasskey, request);
    const given = { response, label: label.trim() || 'Passkey', origin: originOf(request, dependencies) };
    const client = clientOf(request, dependencies);
    return await enrolled(reply, present.user, await confirmOwnPasskey(dependencies, present, given, client));
  });

  app.post('/api/second-factor/passkeys/remove', async (request) => {
    const { id } = bodyOf(bodies.passkeyId, request);
    await removeOwnFactor(dependencies, requirePresent(request), id);
    return { data: { removed: true } };
  });

  app.post('/api/second-factor/recovery-codes', async (request) => {
    bodyOf(bodies.nothing, request);
    return { data: { recovery_codes: await renewRecoveryCodes(dependencies, requirePresent(request)) } };
  });

  app.post('/api/password', async (request) => {
    const present = requireOpen(request);
    requireStepUp(present);
    const { password } = bodyOf(bodies.newPassword, request);
    await changePassword(dependencies, present, password);
    return { data: { changed: true } };
  });
}

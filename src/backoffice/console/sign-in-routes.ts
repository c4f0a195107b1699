/** Routes of signing in, also by links. No response reveals whether a user exists. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { formatRfc3339 } from '../../core/clock.ts';
import { acceptLink, lookAtLink, requestPasswordReset, signInByLink } from '../users/links.ts';
import type { Opened } from '../users/open-session.ts';
import { readSecondFactors } from '../users/second-factor-store.ts';
import { giveCode, givePasskey, requestSignInPasskey } from '../users/second-step.ts';
import { signIn } from '../users/sign-in.ts';
import { SignInError } from '../users/sign-in-error.ts';
import { newKnown } from '../users/throttle.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { originOf } from './protect.ts';
import { bodies, bodyOf, clientOf } from './request-bodies.ts';
import { setKnownCookie, setSessionCookie } from './require-open.ts';

export function serveSignIn(app: FastifyInstance, dependencies: ConsoleDependencies): void {
  const answer = async (reply: FastifyReply, { token, next, user }: Opened) => {
    const { database, face } = dependencies;
    setSessionCookie(reply, face, token);
    if (next === 'done') setKnownCookie(reply, face, newKnown(await dependencies.pepper(), user.id));
    return next === 'code'
      ? { data: { next, factors: await readSecondFactors(database, user.id) } }
      : { data: { next } };
  };

  app.post('/api/sign-in', async (request, reply) => {
    const given = bodyOf(bodies.signIn, request);
    return await answer(reply, await signIn(dependencies, given, clientOf(request, dependencies)));
  });

  app.post('/api/sign-in/code', async (request, reply) => {
    const given = bodyOf(bodies.code, request);
    const client = clientOf(request, dependencies);
    return await answer(reply, await giveCode(dependencies, request.present, given, client));
  });

  app.post('/api/sign-in/passkey/options', async (request) => {
    bodyOf(bodies.nothing, request);
    const origin = originOf(request, dependencies);
    const client = clientOf(request, dependencies);
    return { data: await requestSignInPasskey(dependencies, request.present, origin, client) };
  });

  app.post('/api/sign-in/passkey', async (request, reply) => {
    const { passkey: response } = bodyOf(bodies.passkey, request);
    const given = { response, origin: originOf(request, dependencies) };
    const client = clientOf(request, dependencies);
    return await answer(reply, await givePasskey(dependencies, request.present, given, client));
  });

  app.post('/api/sign-in/link', async (request, reply) => {
    const { token } = bodyOf(bodies.token, request);
    // The database may come from a demo.
    if (dependencies.environment !== 'demo') throw new SignInError({ code: 'link_over' });
    return await answer(reply, await signInByLink(dependencies, token, clientOf(request, dependencies)));
  });

  app.post('/api/links/look', async (request) => {
    const { token } = bodyOf(bodies.token, request);
    const { link, user } = await lookAtLink(dependencies, token, clientOf(request, dependencies));
    return {
      data: {
        purpose: link.purpose,
        email: user.email,
        name: user.name,
        merchant:
          user.merchant_code === null ? null : { code: user.merchant_code, name: user.merchant_name ?? '' },
        expires_at: formatRfc3339(link.expires_at),
      },
    };
  });

  app.post('/api/links/accept', async (request, reply) => {
    const given = bodyOf(bodies.accept, request);
    return await answer(reply, await acceptLink(dependencies, given, clientOf(request, dependencies)));
  });

  app.post('/api/forgotten', async (request) => {
    const { email } = bodyOf(bodies.forgotten, request);
    await requestPasswordReset(dependencies, email, clientOf(request, dependencies));
    return { data: { asked: true } };
  });
}

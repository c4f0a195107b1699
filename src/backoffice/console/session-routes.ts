/** Routes of the session: the signed-in user, signing out, and confirming the password. */
import type { FastifyInstance } from 'fastify';
import { formatRfc3339 } from '../../core/clock.ts';
import { isSensitive } from '../../core/operation.ts';
import { operations } from '../operations/registry.ts';
import { mayRun } from '../operations/run-operation.ts';
import { nextOf, type Present } from '../users/open-session.ts';
import { listPasskeys, readSecondFactors } from '../users/second-factor-store.ts';
import { requestStepUp, stepUp } from '../users/second-step.ts';
import { listSessions } from '../users/session-store.ts';
import { endOwnSessions, signOut } from '../users/sign-in.ts';
import { sessionAnswer } from '../users/user-answer.ts';
import { errorBody, signInMessage } from './answer-errors.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { originOf } from './protect.ts';
import { bodies, bodyOf, clientOf } from './request-bodies.ts';
import { clearSessionCookie, operatorOf, requireOpen, setSessionCookie } from './require-open.ts';

/** More sessions than one user has. */
const SESSIONS_MAX = 200;

export function serveSession(app: FastifyInstance, dependencies: ConsoleDependencies): void {
  const { database, face } = dependencies;
  app.get('/api/session', async (request, reply) => {
    const { present } = request;
    if (present?.session.state !== 'half') return await describe(dependencies, requireOpen(request));
    const factors = await readSecondFactors(database, present.user.id);
    const [status, message] = signInMessage({ code: 'second_factor_needed' });
    const { error } = errorBody('second_factor_needed', message);
    return reply.code(status).send({ error: { ...error, next: nextOf(present.user, factors), factors } });
  });

  app.post('/api/sign-out', async (request, reply) => {
    bodyOf(bodies.nothing, request);
    if (request.present !== undefined) await signOut(database, request.present, face);
    clearSessionCookie(reply, face);
    return { data: { signed_out: true } };
  });

  app.get('/api/sessions', async (request) => {
    const { user, session } = requireOpen(request);
    const own = { merchantId: user.merchant_id, userId: user.id, before: undefined, limit: SESSIONS_MAX };
    const found = await listSessions(database, own);
    return { data: found.map((one) => ({ ...sessionAnswer(one), is_this: one.id === session.id })) };
  });

  app.post('/api/sessions/end', async (request) => {
    const { id } = bodyOf(bodies.session, request);
    return { data: { ended: await endOwnSessions(database, requireOpen(request), face, id) } };
  });

  app.post('/api/step-up/passkey/options', async (request) => {
    bodyOf(bodies.nothing, request);
    return { data: await requestStepUp(dependencies, requireOpen(request), originOf(request, dependencies)) };
  });

  app.post('/api/step-up', async (request, reply) => {
    const present = requireOpen(request);
    const given = bodyOf(bodies.stepUp, request);
    const origin = originOf(request, dependencies);
    const client = clientOf(request, dependencies);
    setSessionCookie(reply, face, await stepUp(dependencies, present, { ...given, origin }, client));
    return { data: { stepped_up: true } };
  });
}

async function describe({ database, face, environment }: ConsoleDependencies, present: Present) {
  const { session, user } = present;
  const operator = operatorOf(present, face);
  const open = operations.filter((operation) => mayRun(operation, operator));
  const factors = await readSecondFactors(database, user.id);
  const passkeys = await listPasskeys(database, user.id);
  return {
    data: {
      face,
      environment,
      user: { id: user.id, name: user.name, email: user.email },
      roles: user.roles,
      merchant:
        user.merchant_code === null ? null : { code: user.merchant_code, name: user.merchant_name ?? '' },
      operations: open.map(({ name }) => name),
      /** Those of them that need a recently confirmed password. */
      step_up_operations: open.filter(isSensitive).map(({ name }) => name),
      stepped_up_until: session.stepped_up_until && formatRfc3339(session.stepped_up_until),
      session: {
        id: session.id,
        opened_at: formatRfc3339(session.created_at),
        expires_at: formatRfc3339(session.expires_at),
      },
      second_factor: {
        totp: factors.totp,
        recovery_codes_left: factors.recovery_codes_left,
        passkeys: passkeys.map(({ id, label, created_at: createdAt, used_at: usedAt }) => ({
          id,
          label,
          created_at: formatRfc3339(createdAt),
          used_at: usedAt && formatRfc3339(usedAt),
        })),
      },
    },
  };
}

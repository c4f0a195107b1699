/**
 * GET /v1/healthz: whether purchases can be sold. GET /readyz: whether this process should receive
 * traffic. Both need no credentials. The two differ. If all providers are unavailable, nothing can
 * be sold, but other processes cannot sell either, so this one keeps receiving traffic and refuses
 * purchases. A process that is stopping should receive no traffic.
 */
import { Type } from 'typebox';
import type { HealthReport, ServerDependencies } from '../../dependencies.ts';
import { answer } from '../../plumbing/answer.ts';
import type { Api } from '../../plumbing/api.ts';
import { words } from '../../plumbing/fields.ts';
import type { Examples } from '../../plumbing/openapi/annotations.ts';

function healthAnswer(description: string, examples: Examples) {
  return answer(
    'HealthAnswer',
    description,
    {
      status: words(['ok', 'error']),
      version: Type.String(),
      uptime_s: Type.Integer(),
      checks: Type.Record(Type.String(), Type.String(), {
        description:
          'By name: `ok`; `down`, or `down: ` and why; `unknown` where the database would have to say it; any ' +
          'other text describes a problem that causes no 503.',
      }),
    },
    examples,
  );
}

function example(status: 'ok' | 'error', checks: Readonly<Record<string, string>>) {
  return { status, version: '1.0.0', uptime_s: 86_400, checks };
}

const ready = { database: 'ok', schema: 'ok', process: 'ok' };
const well = { ...ready, keys: 'ok', providers: 'ok', queues: 'ok', jobs: 'ok' };
const silent = { database: 'down', schema: 'unknown', keys: 'unknown', providers: 'unknown' };

const healthAnswers = {
  200: healthAnswer('It can accept purchases.', {
    up: example('ok', well),
    up_with_late_jobs: example('ok', { ...well, jobs: 'late: deposits (ECONNREFUSED)' }),
    up_with_a_provider_away: example('ok', { ...well, providers: '1 of 3 are away' }),
  }),
  503: healthAnswer('Nothing can be sold.', {
    down: example('error', { ...well, ...silent }),
    down_without_providers: example('error', {
      ...well,
      providers: 'down: every provider of every route is paused or unavailable',
    }),
  }),
};

const readinessAnswers = {
  200: healthAnswer('It takes requests.', { ready: example('ok', ready) }),
  503: healthAnswer('It should get no requests at the moment.', {
    down: example('error', { ...ready, process: 'down: it is stopping' }),
  }),
};

export const healthPath = '/v1/healthz';

export function registerHealthRoutes(
  api: Api,
  { health, version }: Pick<ServerDependencies, 'health' | 'version'>,
): void {
  const answerOf = ({ ok, checks }: HealthReport) =>
    ({
      status: ok ? 'ok' : 'error',
      version,
      uptime_s: Math.floor(process.uptime()),
      checks,
    }) as const;
  const healthSchema = {
    operationId: 'getHealth',
    summary: 'Check whether the service is up',
    description:
      'Whether anything can be sold. What is not as it should be is named; it is a reason for a 503 only where ' +
      'nothing can be sold.',
    tags: ['Health'],
    security: [],
    response: healthAnswers,
  };
  api.get(healthPath, { schema: healthSchema }, async (_request, reply) => {
    const report = (await health()).health;
    return reply.code(report.ok ? 200 : 503).send(answerOf(report));
  });
  const readinessSchema = {
    operationId: 'getReadiness',
    summary: 'Check whether this process should receive traffic',
    description: 'For load balancers: 503 while the process stops, or cannot reach its database.',
    tags: ['Health'],
    security: [],
    response: readinessAnswers,
  };
  api.get('/readyz', { schema: readinessSchema }, async (_request, reply) => {
    const report = (await health()).readiness;
    return reply.code(report.ok ? 200 : 503).send(answerOf(report));
  });
}

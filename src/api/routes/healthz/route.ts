/**
 * GET /v1/healthz: whether purchases can be sold. GET /readyz: whether this process should receive
 * traffic. Both need no credentials. They differ: while all providers are unavailable nothing can
 * be sold, but another process could not sell more either, so requests are refused here as well as
 * there. A process that is stopping should receive no traffic.
 */
import type { HealthReport, ServerDependencies } from '../../dependencies.ts';
import type { Api } from '../../plumbing/api.ts';
import { healthAnswers, readinessAnswers } from './schema.ts';

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
    summary: 'Is the service up',
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
    summary: 'Should this process get traffic',
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

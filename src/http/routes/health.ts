/** GET /v1/healthz: whether this process can take purchases. For load balancers and people, without credentials. */
import type { FastifyInstance } from 'fastify';
import { healthAnswers } from '../answers.ts';
import type { ServerDependencies } from '../dependencies.ts';

export function registerHealthRoute(
  app: FastifyInstance,
  { health, version }: Pick<ServerDependencies, 'health' | 'version'>,
): void {
  const schema = {
    summary: 'Is the service up',
    tags: ['Health'],
    security: [],
    response: healthAnswers,
  };
  app.get('/v1/healthz', { schema }, async (_request, reply) => {
    const { database } = await health().catch(() => ({ database: 'down' as const }));
    const up = database === 'ok';
    return reply.code(up ? 200 : 503).send({
      status: up ? 'ok' : 'error',
      version,
      uptime_s: Math.floor(process.uptime()),
      checks: { database },
    });
  });
}

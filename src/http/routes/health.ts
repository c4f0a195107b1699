/** GET /v1/healthz: whether this process can take purchases. For load balancers and people, without credentials. */
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ServerDependencies } from '../dependencies.ts';
import { healthAnswers } from '../plumbing/answers.ts';

/** A database that takes longer does not answer. Below the usual patience of load balancers. */
const PATIENCE_MS = 2_000;

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
    const { database } = await Promise.race([health(), silence()]).catch(() => ({
      database: 'down' as const,
    }));
    const up = database === 'ok';
    return reply.code(up ? 200 : 503).send({
      status: up ? 'ok' : 'error',
      version,
      uptime_s: Math.floor(process.uptime()),
      checks: { database },
    });
  });
}

async function silence(): Promise<{ readonly database: 'down' }> {
  await setTimeout(PATIENCE_MS, undefined, { ref: false });
  return { database: 'down' };
}

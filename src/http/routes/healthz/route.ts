/**
 * GET /v1/healthz: whether this process can take purchases. For load balancers and people, without
 * credentials.
 *
 * A late background job is told, and does not make the answer 503. This process takes purchases all
 * the same, other processes run the same jobs, and what keeps one from its job (a provider or a
 * mail server that is away) would turn every process away at once.
 */
import { setTimeout } from 'node:timers/promises';
import type { ServerDependencies } from '../../dependencies.ts';
import type { Api } from '../../plumbing/api.ts';
import { healthAnswers } from './schema.ts';

export const healthPath = '/v1/healthz';

/** A database that takes longer does not answer. Below the usual patience of load balancers. */
const PATIENCE_MS = 2_000;

export function registerHealthRoute(
  api: Api,
  { health, lateJobs, fence, version }: Pick<ServerDependencies, 'health' | 'lateJobs' | 'fence' | 'version'>,
): void {
  const schema = {
    operationId: 'getHealth',
    summary: 'Is the service up',
    description:
      'Whether this process can take purchases. Late background jobs are named, and are no reason for a 503.',
    tags: ['Health'],
    security: [],
    response: healthAnswers,
  };
  api.get(healthPath, { schema }, async (_request, reply) => {
    const { database } = await Promise.race([health(), silence()]).catch(() => ({
      database: 'down' as const,
    }));
    const up = database === 'ok';
    return reply.code(up ? 200 : 503).send({
      status: up ? 'ok' : 'error',
      version,
      uptime_s: Math.floor(process.uptime()),
      checks: { database, jobs: jobsText(lateJobs()), fence: fenceText(fence()) },
    });
  });
}

/** `open`, or `up: restored from backup …`: then nothing is sold with live credentials. */
function fenceText(words: string | undefined): string {
  return words === undefined ? 'open' : `up: ${words}`;
}

/** `ok`, or `late: deposits (ECONNREFUSED), deliveries`. */
function jobsText(late: ReturnType<ServerDependencies['lateJobs']>): string {
  if (late.length === 0) return 'ok';
  const words = late.map(({ name, lastError }) =>
    lastError === undefined ? name : `${name} (${lastError})`,
  );
  return `late: ${words.join(', ')}`;
}

async function silence(): Promise<{ readonly database: 'down' }> {
  await setTimeout(PATIENCE_MS, undefined, { ref: false });
  return { database: 'down' };
}

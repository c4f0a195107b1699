/** Schemas of health: whether a process can sell, and whether it should receive traffic. */
import { Type } from 'typebox';
import { answer } from '../../plumbing/answer.ts';
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
          'other text describes a fault that causes no 503.',
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

export const healthAnswers = {
  200: healthAnswer('It can take purchases.', {
    up: example('ok', well),
    up_with_late_jobs: example('ok', { ...well, jobs: 'late: deposits (ECONNREFUSED)' }),
    up_with_a_provider_away: example('ok', { ...well, providers: '1 of 3 are away' }),
  }),
  503: healthAnswer('Nothing can be sold.', {
    down: example('error', { ...well, ...silent }),
    down_without_providers: example('error', {
      ...well,
      providers: 'down: every provider of every route is paused or away',
    }),
  }),
};

export const readinessAnswers = {
  200: healthAnswer('It takes requests.', { ready: example('ok', ready) }),
  503: healthAnswer('It should get no requests at the moment.', {
    down: example('error', { ...ready, process: 'down: it is stopping' }),
  }),
};

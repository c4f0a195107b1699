/** How this process says whether it can take purchases. */
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
      checks: Type.Object({
        database: words(['ok', 'down']),
        jobs: Type.String({ description: '`ok`, or `late: ` and the background jobs that do not get on' }),
        fence: Type.String({
          description:
            '`open`, or `up: ` and why: after a restore nothing is sold with live credentials until an operator opens it',
        }),
      }),
    },
    examples,
  );
}

function example(status: 'ok' | 'error', database: 'ok' | 'down', jobs = 'ok') {
  return { status, version: '0.1.0', uptime_s: 86_400, checks: { database, jobs, fence: 'open' } };
}

export const healthAnswers = {
  200: healthAnswer('It can take purchases.', {
    up: example('ok', 'ok'),
    up_with_late_jobs: example('ok', 'ok', 'late: deposits (ECONNREFUSED)'),
  }),
  503: healthAnswer('The database does not answer.', { down: example('error', 'down') }),
};

/** How this process says whether it can take purchases. */
import { Type } from 'typebox';
import { answer } from '../../plumbing/answer.ts';
import { words } from '../../plumbing/fields.ts';

function healthAnswer(description: string, status: 'ok' | 'error', database: 'ok' | 'down') {
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
      }),
    },
    { status, version: '0.1.0', uptime_s: 86_400, checks: { database, jobs: 'ok' } },
  );
}

export const healthAnswers = {
  200: healthAnswer('It can take purchases.', 'ok', 'ok'),
  503: healthAnswer('The database does not answer.', 'error', 'down'),
};

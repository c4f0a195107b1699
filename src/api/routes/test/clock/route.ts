/**
 * POST /v1/test/clock: moves the waiting times of a merchant's test purchases and webhooks ahead.
 */
import { formatRfc3339 } from '../../../../core/clock.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { clockAnswer, clockBody } from './schema.ts';

export function registerTestClockRoute(api: Api, { purchases }: Pick<ServerDependencies, 'purchases'>): void {
  const schema = {
    operationId: 'advanceTestClock',
    summary: 'Move the test clock ahead',
    description:
      'Your own pending test purchases, late goods, deliveries and webhooks are due so much sooner. Sent twice, the clock is moved twice: `offset_s` says how far it is ahead. Live purchases are untouched.',
    tags: ['Test'],
    body: clockBody,
    response: { 200: clockAnswer },
    refusals: [{ code: 'test_credentials_only' }, { code: 'test_clock_ends', leftS: 3_600 }] as const,
  };
  api.post('/v1/test/clock', { schema }, async (request) => {
    const move = await purchases.advanceTestClock(principalOf(request), request.body.advance_s);
    const { pendingFulfilments, ...moved } = move.moved;
    return goodsEnvelope('The test clock is moved', {
      advance_s: move.advanceS,
      offset_s: move.offsetS,
      now: formatRfc3339(move.now),
      moved: { ...moved, late_goods: pendingFulfilments },
    });
  });
}

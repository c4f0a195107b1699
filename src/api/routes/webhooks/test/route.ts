/** POST /v1/webhooks/endpoints/{id}/test: sends a test event to one endpoint. */
import { Type } from 'typebox';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { wireId } from '../../../plumbing/event-answer.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { idParams, readId, sampleId } from '../webhook.ts';

const testAnswer = goodsAnswer(
  'EndpointTestAnswer',
  'The event is queued. Its result is shown in the deliveries.',
  Type.Object({ delivery_id: Type.String({ format: 'uuid' }), event_id: Type.String() }),
  {
    sent: goodsEnvelope('On its way', {
      delivery_id: sampleId,
      event_id: `evt_${sampleId.replaceAll('-', '')}`,
    }),
  },
);

export function registerEndpointTestRoute(
  api: Api,
  { webhooks }: Pick<ServerDependencies, 'webhooks'>,
): void {
  const schema = {
    operationId: 'testEndpoint',
    summary: 'Send a test event',
    description: 'The event has the type endpoint.test, which every endpoint receives. It is in no feed.',
    tags: ['Events'],
    params: idParams,
    response: { 200: testAnswer },
    refusals: [{ code: 'no_endpoint' }, { code: 'endpoint_disabled' }] as const,
  };
  api.post('/v1/webhooks/endpoints/:id/test', { schema }, async (request) => {
    const id = readId(request.params.id, 'no_endpoint');
    const { deliveryId, eventId } = await webhooks.test(principalOf(request), id);
    return goodsEnvelope('On its way', { delivery_id: deliveryId, event_id: wireId(eventId) });
  });
}

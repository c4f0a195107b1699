/** POST /v1/webhooks/endpoints/{id}/rotate: replaces the secret. */
import { OVERLAP_MS } from '../../../../notifications/webhooks/endpoint.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { endpointWire, idParams, readId } from '../webhook.ts';
import { rotateBody, rotatedAnswer } from './schema.ts';

export function registerRotateRoute(api: Api, { webhooks }: Pick<ServerDependencies, 'webhooks'>): void {
  const schema = {
    operationId: 'rotateEndpointSecret',
    summary: 'Give an endpoint another secret',
    description:
      'Webhooks have a signature by each of both secrets until the old one ends: after a day, or after overlap_s.',
    tags: ['Events'],
    params: idParams,
    body: rotateBody,
    response: { 200: rotatedAnswer },
    refusals: [{ code: 'no_endpoint' }] as const,
  };
  api.post('/v1/webhooks/endpoints/:id/rotate', { schema }, async (request) => {
    const { overlap_s: overlapS = OVERLAP_MS / 1_000 } = request.body;
    const id = readId(request.params.id, 'no_endpoint');
    const { endpoint, secret } = await webhooks.rotate(principalOf(request), id, 1_000 * overlapS);
    return goodsEnvelope('Rotated', { ...endpointWire(endpoint), secret });
  });
}

/** POST /v1/webhooks/endpoints/{id}/rotate: replaces the secret. */
import { Type } from 'typebox';
import { OVERLAP_MS } from '../../../../notifications/webhooks/endpoint.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { bodyOptions } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import {
  endpointFields,
  endpointWire,
  idParams,
  readId,
  sampleEndpoint,
  sampleSecret,
  secretField,
} from '../webhook.ts';

const overlapMaxS = 7 * 86_400;

const rotateBody = Type.Object(
  {
    overlap_s: Type.Optional(
      Type.Integer({
        description: `a whole number of seconds from 0 to ${overlapMaxS}`,
        minimum: 0,
        maximum: overlapMaxS,
      }),
    ),
  },
  {
    ...bodyOptions,
    title: 'RotateBody',
    'x-examples': { a_day: { overlap_s: 86_400 }, at_once: { overlap_s: 0 } },
  },
);

const rotatedAnswer = goodsAnswer(
  'EndpointRotatedAnswer',
  'The endpoint, with its new secret.',
  Type.Object({ ...endpointFields, secret: secretField }),
  {
    rotated: goodsEnvelope('Rotated', {
      ...endpointWire({ ...sampleEndpoint, old_secret_ends_at: new Date('2026-11-23T09:00:00Z') }),
      secret: sampleSecret,
    }),
  },
);

export function registerRotateRoute(api: Api, { webhooks }: Pick<ServerDependencies, 'webhooks'>): void {
  const schema = {
    operationId: 'rotateEndpointSecret',
    summary: 'Rotate the secret of an endpoint',
    description:
      'Webhooks are signed with both secrets until the old one ends: after a day, or after overlap_s.',
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

/**
 * POST, GET, PATCH and DELETE /v1/webhooks/endpoints: the addresses that events are sent to, and
 * which events.
 */
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { endpointWire, idParams, readId, readTypes } from '../webhook.ts';
import {
  type ChangeBody,
  type CreateBody,
  changeBody,
  changedAnswer,
  createBody,
  createdAnswer,
  deletedAnswer,
  listedAnswer,
} from './schema.ts';

type Dependencies = Pick<ServerDependencies, 'webhooks'>;

const tags = ['Events'];

export function registerEndpointRoutes(api: Api, dependencies: Dependencies): void {
  registerCreate(api, dependencies);
  registerList(api, dependencies);
  registerChange(api, dependencies);
  registerDelete(api, dependencies);
}

function registerCreate(api: Api, { webhooks }: Dependencies): void {
  const schema = {
    operationId: 'createEndpoint',
    summary: 'Make an endpoint',
    description:
      'Events that are committed from now on are sent to the URL, as POST with JSON, signed by Standard Webhooks. ' +
      'The secret is returned only in this answer.',
    tags,
    body: createBody,
    response: { 200: createdAnswer },
    refusals: [
      { code: 'endpoint_url_refused', why: 'private' },
      { code: 'endpoint_url_refused', why: 'not_https' },
      { code: 'endpoints_full', max: 5 },
    ] as const,
  };
  api.post('/v1/webhooks/endpoints', { schema }, async (request) => {
    const { url, ...rest } = request.body;
    const wanted = { ...termsOf(rest), url };
    const { endpoint, secret } = await webhooks.create(principalOf(request), wanted);
    return goodsEnvelope('Created', { ...endpointWire(endpoint), secret });
  });
}

function registerList(api: Api, { webhooks }: Dependencies): void {
  const schema = {
    operationId: 'listEndpoints',
    summary: 'List endpoints',
    description: 'All endpoints of the environment of the credential, without their secrets.',
    tags,
    response: { 200: listedAnswer },
  };
  api.get('/v1/webhooks/endpoints', { schema }, async (request) => {
    const endpoints = await webhooks.list(principalOf(request));
    return goodsEnvelope(`${endpoints.length} found`, endpoints.map(endpointWire));
  });
}

function registerChange(api: Api, { webhooks }: Dependencies): void {
  const schema = {
    operationId: 'changeEndpoint',
    summary: 'Change an endpoint',
    description:
      'Absent fields stay unchanged. An endpoint that is enabled again continues where it was disabled: it skips no event ' +
      'except those older than 30 days.',
    tags,
    params: idParams,
    body: changeBody,
    response: { 200: changedAnswer },
    refusals: [{ code: 'no_endpoint' }, { code: 'endpoint_url_refused', why: 'private' }] as const,
  };
  api.patch('/v1/webhooks/endpoints/:id', { schema }, async (request) => {
    const id = readId(request.params.id, 'no_endpoint');
    const { url, state, ...rest } = request.body;
    const change = { ...termsOf(rest), url, state: state as 'enabled' | 'disabled' | undefined };
    return goodsEnvelope('Changed', endpointWire(await webhooks.change(principalOf(request), id, change)));
  });
}

function registerDelete(api: Api, { webhooks }: Dependencies): void {
  const schema = {
    operationId: 'deleteEndpoint',
    summary: 'Delete an endpoint',
    description: 'No further events are sent to it. Its deliveries can still be listed.',
    tags,
    params: idParams,
    response: { 200: deletedAnswer },
    refusals: [{ code: 'no_endpoint' }] as const,
  };
  api.delete('/v1/webhooks/endpoints/:id', { schema }, async (request) => {
    const id = readId(request.params.id, 'no_endpoint');
    await webhooks.remove(principalOf(request), id);
    return goodsEnvelope('Deleted', { id, deleted: true as const });
  });
}

function termsOf({ events, description, include_goods: withGoods }: Omit<CreateBody | ChangeBody, 'url'>) {
  return { types: readTypes(events), description, withGoods };
}

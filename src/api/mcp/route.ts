/**
 * POST /mcp: the interface for agents, as the Model Context Protocol over Streamable HTTP. Each
 * tool becomes a request to the API with the same credential, through the same routes.
 */
import type { FastifyRequest } from 'fastify';
import { FairGate } from '../../core/fair-gate.ts';
import { limits as gatewayLimits } from '../../core/limits.ts';
import { sharerOf } from '../../merchants/merchant.ts';
import type { ServerDependencies } from '../dependencies.ts';
import type { Api } from '../plumbing/api.ts';
import { principalOf } from '../plumbing/authenticate.ts';
import { defaultHttpLimits } from '../plumbing/http-limits.ts';
import { askWithin } from '../plumbing/inner-requests.ts';
import { readBytes } from '../plumbing/json-bodies.ts';
import { Refusal, refuseForNow } from '../plumbing/refusal.ts';
import { serveMessage } from './serve-message.ts';
import type { ToolRequest } from './tool.ts';
import type { HttpAnswer } from './tool-result.ts';

type Dependencies = Pick<ServerDependencies, 'allowedOrigins' | 'limits' | 'version'>;

/** The part of the request that the protocol reads. */
const protocolHeaders = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

export function registerMcpRoute(api: Api, { allowedOrigins = [], limits, version }: Dependencies): void {
  const waitMs = limits?.agentWaitMs ?? defaultHttpLimits.agentWaitMs;
  const messages = new FairGate(gatewayLimits.agentMessages);
  api.post('/mcp', { schema: { hide: true } }, async (request, reply) => {
    refuseForeignPage(request, allowedOrigins);
    refuseSeveral(request);
    const place = messages.tryEnter(sharerOf(principalOf(request)));
    if (place === undefined) throw refuseForNow('requests_full', 'Too many concurrent requests. Try again.');
    reply.raw.once('close', place);
    const ask = (asked: ToolRequest): Promise<HttpAnswer> => askInterface(api, request, asked);
    const serving = { principal: principalOf(request), version, ask, waitMs };
    const answer = await serveMessage(serving, toMessage(request));
    const type = answer.headers.get('content-type');
    if (type !== null) reply.type(type);
    return await reply.code(answer.status).send(await answer.text());
  });
}

/**
 * A page that has mapped its own name to this address still sends its origin. A program sends none.
 */
function refuseForeignPage({ headers: { origin } }: FastifyRequest, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes(origin)) return;
  throw new Refusal(403, 'origin_not_allowed', 'Web pages may not call this address');
}

/** One message is one call and counts as one. The protocol no longer allows several. */
function refuseSeveral(request: FastifyRequest): void {
  const text = Buffer.from(readBytes(request) ?? []).toString('utf8');
  if (text.trimStart().startsWith('['))
    throw new Refusal(400, 'messages_not_single', 'Send one message at a time, not a list of them');
}

function toMessage(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const name of protocolHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  // A placeholder address: the SDK reads only the body and these headers.
  return new Request('http://oja/mcp', {
    method: 'POST',
    headers,
    body: Buffer.from(readBytes(request) ?? []),
  });
}

async function askInterface(
  api: Api,
  request: FastifyRequest,
  { method, path, body }: ToolRequest,
): Promise<HttpAnswer> {
  const { 'x-merchant-key': key, 'x-merchant-secret': secret } = request.headers;
  const answer = await askWithin(request, (marks) =>
    api.inject({
      method,
      url: path,
      remoteAddress: request.ip,
      headers: {
        'x-merchant-key': String(key),
        'x-merchant-secret': String(secret),
        'x-request-id': request.id,
        ...marks,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    }),
  );
  const { 'retry-after': retryAfter } = answer.headers;
  return {
    status: answer.statusCode,
    body: readJson(answer.payload),
    retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses the body of a request as JSON, whatever its declared type. Many clients forget the content
 * type, and a JSON object can hardly mean something else.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { isRecord } from '../../core/json.ts';
import type { HttpLimits } from './http-limits.ts';
import { parseJson } from './parse-json.ts';
import { Refusal } from './refusal.ts';

/**
 * Every route of `scope` whose schema has a body gets it as JSON before any other check. A route
 * with `consumes` reads its body itself. Call this before the routes are registered.
 *
 * Fastify closes the connection when one of its own body parsers fails. So the parser takes bytes
 * only, and a hook parses them here: a client that sent bad JSON keeps its connection.
 */
export function readJsonBodies(scope: Pick<FastifyInstance, 'addHook'>): void {
  scope.addHook('onRoute', (route) => {
    if (route.schema?.body === undefined || route.schema.consumes !== undefined) return;
    const { schema } = route;
    const isPost = route.method === 'POST';
    route.onRequest = [takeAnyContentType, ...[route.onRequest ?? []].flat()];
    route.preValidation = [
      (request: FastifyRequest, _reply: FastifyReply, done: HookHandlerDoneFunction) => {
        const body = readJson(request);
        if (isPost && isRecord(body)) dropEmpty(body, schema.body);
        request.body = body;
        done();
      },
      ...[route.preValidation ?? []].flat(),
    ];
  });
}

/**
 * Returns the JSON value of a body. A member that is null counts as absent. Throws a Refusal, 400,
 * as `parseJson` does.
 */
export function readJson(request: Pick<FastifyRequest, 'body'>): unknown {
  const body = parseJson(readBytes(request));
  if (isRecord(body)) dropNulls(body);
  return body;
}

function dropNulls(body: Record<string, unknown>): void {
  for (const name in body) if (body[name] === null) delete body[name];
}

/**
 * Drops optional fields that are empty: they count as absent, as in a query. So does a required
 * field that is optional in another of several alternatives.
 */
export function dropEmpty(body: Record<string, unknown>, schema: unknown): void {
  for (const name in body) {
    if (body[name] !== '') continue;
    if (isOptionalInOne(schema, name) || !requiredOf(schema, body).includes(name)) delete body[name];
  }
}

/**
 * Returns the required fields. For a body that is one of several alternatives, those of the chosen
 * one.
 */
function requiredOf(schema: unknown, body: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { required, oneOf, discriminator } = isRecord(schema) ? schema : {};
  const tag = isRecord(discriminator) ? String(discriminator.propertyName) : '';
  const variants = Array.isArray(oneOf) ? oneOf : [];
  const chosen = variants.find((one) => sameWord(one?.properties?.[tag]?.const, body[tag]));
  return [...(Array.isArray(required) ? required : []), ...(chosen?.required ?? [])];
}

function isOptionalInOne(schema: unknown, name: string): boolean {
  const variants = isRecord(schema) && Array.isArray(schema.oneOf) ? schema.oneOf : [];
  return variants.some(
    ({ properties, required = [] }) => Object.hasOwn(properties ?? {}, name) && !required.includes(name),
  );
}

function sameWord(one: unknown, other: unknown): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

/** Returns the raw body, or undefined when there is none. */
export function readBytes({ body }: Pick<FastifyRequest, 'body'>): Uint8Array | undefined {
  return body instanceof Uint8Array ? body : undefined;
}

/** The media types that Fastify can read. It refuses everything else itself. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** The `onRequest` hook of a route with a body: treats a malformed content type as JSON. */
export function takeAnyContentType(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: HookHandlerDoneFunction,
): void {
  const declared = request.headers['content-type'];
  if (declared !== undefined && declared !== 'application/json' && !MEDIA_TYPE.test(declared)) {
    // Replaces the header. `request.raw` keeps the original.
    request.headers = { 'content-type': 'application/json' };
  }
  done();
}

/** Calls back with the bytes, or with a Refusal when there are too many or the body breaks off. */
export function readBody(
  message: IncomingMessage,
  limits: Pick<HttpLimits, 'bodyBytesMax' | 'drainBytesMax'>,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  if (Number(message.headers['content-length']) > limits.drainBytesMax) {
    done(tooLarge(limits.bodyBytesMax));
    return;
  }
  let chunks: Buffer[] = [];
  let size = 0;
  let isDone = false;
  // The listeners stay: the message ends with its request, and removing them costs more.
  const finish = (error: Error | null, body?: Buffer): void => {
    if (isDone) return;
    isDone = true;
    done(error, body);
  };
  const onError = (): void => finish(new Refusal(400, 'body_incomplete', 'The request body broke off'));
  const onData = (chunk: Buffer): void => {
    if (isDone) return;
    size += chunk.length;
    if (size <= limits.bodyBytesMax) chunks.push(chunk);
    else chunks = [];
    if (size > limits.drainBytesMax) finish(tooLarge(limits.bodyBytesMax));
  };
  const onEnd = (): void => {
    if (size > limits.bodyBytesMax) finish(tooLarge(limits.bodyBytesMax));
    else finish(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size));
  };
  message.on('data', onData).on('end', onEnd).on('error', onError);
}

function tooLarge(bytesMax: number): Refusal {
  return new Refusal(
    400,
    'body_too_large',
    `The request body is too large: at most ${bytesMax} bytes are accepted`,
  );
}

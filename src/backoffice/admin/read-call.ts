/**
 * Reads the input of an operation from an HTTP request: the path, and the query of a GET or the
 * JSON body of other methods. `Idempotency-Key` is the `key` of operations that have one.
 */
import type { FastifyRequest } from 'fastify';
import { OperationError } from '../../core/errors.ts';
import { readTextInput, type TextInput } from '../operations/read-text-input.ts';
import type { RegisteredOperation } from '../operations/run-operation.ts';

export function readCall(
  { input, route }: Pick<RegisteredOperation, 'input' | 'route'>,
  request: Pick<FastifyRequest, 'params' | 'query' | 'body' | 'headers'>,
): unknown {
  const path = readTextInput(input, request.params as TextInput);
  const isAsked = route.startsWith('GET ');
  const sent = isAsked ? readTextInput(input, request.query as TextInput) : (request.body ?? {});
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const key = request.headers['idempotency-key'];
  const keyed = key !== undefined && 'key' in input.properties ? { key } : {};
  // A parameter of the path must not be repeated elsewhere.
  const twice = Object.keys(sent).find((name) => name in path);
  if (twice !== undefined) {
    throw new OperationError({
      code: 'input_malformed',
      errors: [{ field: twice, kind: 'wrong', wanted: 'only in the path' }],
    });
  }
  return { ...keyed, ...sent, ...path };
}

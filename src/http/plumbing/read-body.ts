/**
 * Takes a request's body off the wire, bounded. A body over the bound is still read, but not kept,
 * up to a second bound: a client that writes its whole request before it reads would otherwise find
 * a broken connection, no answer.
 */
import type { IncomingMessage } from 'node:http';
import type { HttpLimits } from './http-limits.ts';
import { Refusal } from './refusal.ts';

/**
 * Calls back with the bytes, or with a Refusal for too many of them or a body that
 * breaks off.
 */
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
  const finish = (error: Error | null, body?: Buffer): void => {
    message.off('data', onData).off('end', onEnd).off('error', onError);
    done(error, body);
  };
  const onError = (): void => finish(new Refusal(400, 'body_incomplete', 'The request body broke off'));
  const onData = (chunk: Buffer): void => {
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

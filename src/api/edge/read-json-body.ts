/**
 * Reads the JSON body of a call to the admin API, the console or the portal. Counts bytes, levels
 * and members while it arrives. The rest of a refused body is read slowly and dropped, because a
 * client that writes its whole request first would otherwise find a closed connection.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type JsonExcess, type JsonLimits, JsonMeter } from './json-meter.ts';
import { SlowDrain } from './slow-drain.ts';

/** The limit of operations that state no other. */
const BODY_BYTES_MAX = 65_536;
/**
 * A larger body that arrives more slowly than this, in bytes per second, for several seconds, is
 * refused.
 */
const BYTES_PER_S_MIN = 16_384;
const STALL_S = 3;

/** No input has more levels. Code that checks or writes an input recurses once for each level. */
const jsonLimits: JsonLimits = { depthMax: 32, membersMax: 1_000 };

export type BodyFault = JsonExcess | 'too_large' | 'malformed' | 'broken_off' | 'stalled';

export class BodyError extends Error {
  readonly fault: BodyFault;

  constructor(fault: BodyFault) {
    super(fault);
    this.fault = fault;
  }
}

/** Resolves with the JSON value; an absent body is an empty object. Throws BodyError. */
export async function readJsonBody(message: IncomingMessage, bytesMax = BODY_BYTES_MAX): Promise<unknown> {
  const bytes = await readBytes(message, bytesMax);
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new BodyError('malformed');
  }
}

/** Parses JSON that came elsewhere, such as in a query, within the same limits. */
export function parseJsonText(text: string): unknown {
  const excess = new JsonMeter(jsonLimits).read(Buffer.from(text));
  if (excess !== undefined) throw new BodyError(excess);
  try {
    return JSON.parse(text);
  } catch {
    throw new BodyError('malformed');
  }
}

async function readBytes(message: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const meter = new JsonMeter(jsonLimits);
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    const fault = meter.read(chunk) ?? (size > bytesMax ? 'too_large' : undefined);
    if (fault === undefined) chunks.push(chunk);
    else reject(new BodyError(fault));
  };
  const onEnd = (): void => resolve(Buffer.concat(chunks, size));
  const onClose = (): void => reject(new BodyError('broken_off'));
  const endWatch =
    bytesMax > BODY_BYTES_MAX
      ? watchStall(
          () => size,
          () => reject(new BodyError('stalled')),
        )
      : () => undefined;
  message.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  try {
    return await promise;
  } catch (error) {
    message.pause();
    throw error;
  } finally {
    endWatch();
    message.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
  }
}

const refused = new SlowDrain();

/** Called before a refusal is answered: reads the rest of a large body for a limited time. */
export async function drainRefused(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  const isLarge = Number(length) > BODY_BYTES_MAX || encoding !== undefined;
  if (!isLarge || message.complete || message.readableEnded || message.destroyed) return;
  await refused.drain(message);
  // Otherwise Node.js would read as fast as the client writes.
  if (!message.complete && !message.readableEnded) response.setHeader('connection', 'close');
}

/**
 * Checks every second. After a stall the process checks once, which does not suffice to call a body
 * slow.
 */
function watchStall(sizeNow: () => number, onStall: () => void): () => void {
  let seen = 0;
  let slowS = 0;
  const timer = setInterval(() => {
    slowS = sizeNow() - seen < BYTES_PER_S_MIN ? slowS + 1 : 0;
    seen = sizeNow();
    if (slowS >= STALL_S) onStall();
  }, 1_000);
  return () => clearInterval(timer);
}

// What a simulated provider can do with a call over HTTP: answer it, properly or not, or cut the connection.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export type Reply =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'text'; readonly status: number; readonly type: string; readonly text: string }
  /** The connection is destroyed, after a while where `afterMs` says so. */
  | { readonly kind: 'cut'; readonly afterMs?: number };

export function json(body: unknown, status = 200): Reply {
  return { kind: 'json', status, body };
}

const BODY_BYTES_MAX = 64 * 1024;

/** The JSON of a request; undefined when it is none or too large. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  if (bytes > BODY_BYTES_MAX) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

export async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.kind === 'cut') {
    // Held without keeping the process alive: a stopping simulator cuts at once.
    if (reply.afterMs !== undefined) await sleep(reply.afterMs, undefined, { ref: false });
    response.destroy();
    return;
  }
  const text = reply.kind === 'json' ? JSON.stringify(reply.body) : reply.text;
  const type = reply.kind === 'json' ? 'application/json' : reply.type;
  response.writeHead(reply.status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

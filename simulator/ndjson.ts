/**
 * Lists as NDJSON, one entry per line, as of the time of the request. The text is written in
 * blocks, not built in memory as a whole.
 */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

export function sendLines<T>(
  reply: FastifyReply,
  entries: readonly T[],
  lineOf: (entry: T) => string,
): Readable {
  reply.type('application/x-ndjson');
  return Readable.from(blocksOfLines(entries, lineOf));
}

const LINES_AT_ONCE = 1_000;

function* blocksOfLines<T>(entries: readonly T[], lineOf: (entry: T) => string): Generator<string> {
  const count = entries.length;
  for (let from = 0; from < count; from += LINES_AT_ONCE) {
    const lines = entries.slice(from, Math.min(from + LINES_AT_ONCE, count)).map(lineOf);
    yield `${lines.join('\n')}\n`;
  }
}

/** The API on a real socket, with raw bytes. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { buildEdge, credentials } from './harness.ts';

export async function listening(
  t: { after(fn: () => unknown): void },
  overrides: Parameters<typeof buildEdge>[0] = {},
) {
  const edge = await buildEdge(overrides);
  await edge.app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => edge.app.close());
  const address = edge.app.server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { edge, port: address.port };
}

/**
 * Writes bytes unchanged, and returns the reply until the server closes or `enough` returns true.
 */
export async function raw(
  port: number,
  text: string,
  enough: (answer: string) => boolean = () => false,
  host = '127.0.0.1',
): Promise<string> {
  const socket = net.connect(port, host);
  let answer = '';
  const ended = new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => {
      answer += chunk;
      if (enough(answer)) resolve();
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
  socket.write(text);
  await ended;
  socket.destroy();
  return answer;
}

export function headerLines(): string {
  return Object.entries(credentials)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** Sends one request of a console screen, and measures its time. */
import type { Reading } from './screen-data.ts';

/** Rejects if the request is refused. */
export async function ask(
  url: string,
  cookie: string,
  { operation, input }: Pick<Reading, 'operation' | 'input'>,
): Promise<{ readonly ms: number; readonly text: string }> {
  const headers = { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const startedMs = performance.now();
  const answer = await fetch(`${url}/api/operations/${operation}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(input),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${operation} is refused: ${text}`);
  return { ms: performance.now() - startedMs, text };
}

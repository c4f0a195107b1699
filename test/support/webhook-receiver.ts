/**
 * Plays a merchant's endpoint on this machine: it records its requests, and answers as the test
 * sets.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The received body. */
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly created_at: string;
    // biome-ignore lint/suspicious/noExplicitAny: looked into by path, and the assertions judge its shape
    readonly data: any;
  };
};

export type WebhookReceiver = AsyncDisposable & {
  readonly url: string;
  readonly received: Received[];
  /** How it answers from now on. Absent: 200. */
  answer: ((response: ServerResponse, received: Received) => void) | undefined;
  of(path: string): Received[];
};

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const one: Received = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        event: JSON.parse(body) as Received['event'],
      };
      received.push(one);
      if (receiver.answer === undefined) response.end('ok');
      else receiver.answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: undefined,
    of: (path) => received.filter((one) => one.path === path),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/**
 * A minimal round robin before the gateways. Each request goes to the next gateway, and on to
 * another if the port is closed. It checks no health and sends no request twice. If an answer is
 * incomplete, it cuts the client's connection.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Balancer = AsyncDisposable & { readonly url: string };

type Call = {
  readonly from: IncomingMessage;
  readonly body: Buffer;
  readonly to: ServerResponse;
};

/** `ports`: the gateways' ports, read for each request. */
export async function startBalancer(ports: () => readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((from, to) => {
    const chunks: Buffer[] = [];
    from.on('data', (chunk: Buffer) => chunks.push(chunk));
    from.on('end', () => {
      const all = ports();
      const first = turn++ % Math.max(1, all.length);
      const order = [...all.slice(first), ...all.slice(0, first)];
      forward({ from, body: Buffer.concat(chunks), to }, agent, order);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, 'close');
    },
  };
}

function forward(call: Call, agent: Agent, [port, ...others]: readonly number[]): void {
  const { from, body, to } = call;
  if (port === undefined) {
    to.destroy();
    return;
  }
  const { method, url: path, headers } = from;
  const onward = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
    to.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(to);
    answer.on('aborted', () => to.destroy());
  });
  onward.on('error', (error: NodeJS.ErrnoException) => {
    // The connection was refused, so nothing was sent.
    if (error.code === 'ECONNREFUSED' && !to.destroyed) forward(call, agent, others);
    else to.destroy();
  });
  to.on('close', () => onward.destroy());
  onward.end(body);
}

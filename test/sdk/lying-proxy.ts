/**
 * A proxy between a client and a gateway. It records the traffic and plays network failures: it
 * loses requests and answers, delays them, or answers itself.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type Trick = (response: ServerResponse, forward: () => Promise<Response>) => Promise<void> | void;

export type LyingProxy = AsyncDisposable & {
  readonly url: string;
  /** Such as `POST /v1/transactions`. */
  readonly requests: string[];
  readonly bodies: string[];
  /** For the next requests that match, one after the other; then they pass. */
  play(matching: RegExp, ...tricks: readonly Trick[]): void;
  /** Forgets the recorded traffic and all planned failures. */
  reset(): void;
};

/** The gateway executes it all, and the answer is lost. */
export const loseAnswer: Trick = async (response, forward) => {
  await forward();
  response.destroy();
};

/** The request never reaches the gateway. */
export const loseRequest: Trick = (response) => {
  response.destroy();
};

/** The gateway does it all, and its answer stays away. */
export const hang: Trick = async (_response, forward) => {
  await forward();
};

/** An error in the gateway's format, or in another server's. */
export function say(status: number, body: unknown, headers: Record<string, string> = {}): Trick {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
}

export function refuse(status: number, headers: Record<string, string> = {}): Trick {
  return say(status, { status: 'error', code: status, message: 'Refused by the test' }, headers);
}

/** As the gateway refuses a reference that was used. */
export function usedBefore(more: Record<string, unknown> = {}): Trick {
  const data = { request_id: 'x', internal_reference: 'y', status: 'pending', response_code: '02', ...more };
  return say(422, { status: 'error', code: 422, message: 'This reference was used before', data });
}

/** Of the requested purchase, whatever its outcome. */
export const stillPending: Trick = async (response, forward) => {
  const { payload } = (await (await forward()).json()) as { payload: { request_id: string } };
  const { request_id } = payload;
  const told = { state: 'pending', code: '02', message: 'Transaction pending', payload: { request_id } };
  await say(200, told)(response, forward);
};

/** The gateway does it all, and the client gets another answer. */
export function afterwards(trick: Trick): Trick {
  return async (response, forward) => {
    await forward();
    await trick(response, forward);
  };
}

export async function openLyingProxy(gatewayUrl: string): Promise<LyingProxy> {
  let scripts: { matching: RegExp; tricks: Trick[] }[] = [];
  const server = createServer(async (request, response) => {
    const name = `${request.method} ${request.url}`;
    const body = await buffer(request);
    proxy.requests.push(name);
    if (body.length > 0) proxy.bodies.push(body.toString('utf8'));
    const forward = (): Promise<Response> => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([key, value]) =>
          typeof value === 'string' && /^(x-|content-type|accept$)/.test(key) ? [[key, value] as const] : [],
        ),
      );
      return fetch(gatewayUrl + request.url, {
        method: request.method ?? 'GET',
        headers,
        ...(body.length > 0 ? { body } : {}),
      });
    };
    const trick = scripts
      .find(({ matching, tricks }) => matching.test(name) && tricks.length > 0)
      ?.tricks.shift();
    if (trick !== undefined) return await trick(response, forward);
    const answer = await forward();
    const kept = ['content-type', 'retry-after', 'x-request-id'].flatMap((key) => {
      const value = answer.headers.get(key);
      return value === null ? [] : [[key, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(kept));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: LyingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    bodies: [],
    play: (matching, ...tricks) => void scripts.push({ matching, tricks: [...tricks] }),
    reset() {
      scripts = [];
      proxy.requests.length = 0;
      proxy.bodies.length = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

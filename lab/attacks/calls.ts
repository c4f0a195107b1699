/** Calls to the gateway, and the data that an attacker has. */
import { connect } from 'node:net';
import { type Agent, request } from 'undici';
import type { Shop } from '../../test/e2e/shop.ts';
import type { KeyPair } from '../../test/support/gateway.ts';

/** The addresses of a gateway, and the attacker's keys and sessions. */
export type Target = {
  readonly url: string;
  readonly consoleUrl: string;
  readonly portalUrl: string;
  readonly adminUrl: string;
  readonly attacker: Shop;
  /** Merchants that buy below their limits. */
  readonly others: readonly Shop[];
  /** The test keys that the attacker holds besides its first. */
  readonly keys: readonly KeyPair[];
  /** The session of a viewer at the console. */
  readonly viewer: string;
  /** The session of the attacker's owner at the portal. */
  readonly owner: string;
  /** A viewer's token for the admin API. */
  readonly token: string;
};

export const airtimeSync = '/v1/transactions/airtime/sync';

let references = 0;

export function purchase(merchant: string, msisdn: string): object {
  references += 1;
  const request_ref = `attack-${process.pid}-${references}`;
  return { merchant, msisdn, network: 'mtn', amount: '100', request_ref };
}

export function keyHeaders({ key, secret }: KeyPair): Record<string, string> {
  return { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' };
}

/** Sends pipelined purchases over one connection and reads nothing of the answers. */
export function pipeline(url: string, as: KeyPair, bodies: readonly object[], signal: AbortSignal): void {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  const head = Object.entries(keyHeaders(as)).map(([name, value]) => `${name}: ${value}\r\n`);
  for (const body of bodies) {
    const text = JSON.stringify(body);
    socket.write(
      `POST ${airtimeSync} HTTP/1.1\r\nHost: ${hostname}\r\n${head.join('')}Content-Length: ${text.length}\r\n\r\n${text}`,
    );
  }
}

export type Call = {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The status of the answer; 0 without an answer. */
export async function statusOf(agent: Agent, url: string, call: Call, signal?: AbortSignal): Promise<number> {
  const { method = 'POST', headers = {}, body = null } = call;
  try {
    const answer = await request(url, { method, headers, body, dispatcher: agent, signal: signal ?? null });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return 0;
  }
}

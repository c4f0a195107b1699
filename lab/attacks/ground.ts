/** The gateway that is attacked, and those who take part: attackers, and two shops that buy. */
import { connect } from 'node:net';
import { type Agent, request } from 'undici';
import { issueKey, openShop, type Shop } from '../../test/e2e/shop.ts';
import { type Gateway, type KeyPair, startGateway } from '../../test/support/gateway.ts';
import { makeSession, makeToken, operate } from '../../test/support/people.ts';

const BALANCE = 1_000_000_000_000n;
const airtimeSync = '/v1/transactions/airtime/sync';

export type Ground = AsyncDisposable & {
  readonly gateway: Gateway;
  readonly shops: readonly Shop[];
  readonly attacker: Shop;
  readonly consoleUrl: string;
  readonly portalUrl: string;
  readonly adminUrl: string;
  /**
   * The session of a viewer at the console, that of the attacker's owner at the portal, and a
   * viewer's token.
   */
  readonly viewer: string;
  readonly owner: string;
  readonly token: string;
};

export async function openGround(): Promise<Ground> {
  await using stack = new AsyncDisposableStack();
  const settings = {
    OJA_TRUSTED_PROXIES: '127.0.0.1',
    OJA_LOG_LEVEL: 'error',
    // As an operator starts it: gateways of tests have no limit.
    OJA_RATE_LIMIT_PER_S: '500',
  };
  const gateway = stack.use(await startGateway({ settings }));
  await operate(gateway);
  const attacker = await openShop(gateway, { balance: BALANCE });
  const shops = [
    await openShop(gateway, { balance: BALANCE }),
    await openShop(gateway, { balance: BALANCE }),
  ];
  const owned = stack.move();
  return {
    gateway,
    shops,
    attacker,
    consoleUrl: urlAfter(gateway, 'Console'),
    portalUrl: urlAfter(gateway, 'Portal'),
    adminUrl: gateway.adminUrl,
    viewer: await makeSession(gateway.database, { roles: ['viewer'] }),
    owner: await makeSession(gateway.database, { roles: ['owner'], merchant: attacker }),
    token: await makeToken(gateway.database, ['viewer']),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function urlAfter(gateway: Gateway, word: string): string {
  const url = new RegExp(`^ +${word} +(http:\\S+)`, 'm').exec(gateway.output())?.[1];
  if (url === undefined) throw new Error(`the gateway did not say where its ${word} is`);
  return url;
}

export async function moreKeys({ gateway, attacker }: Ground, count: number): Promise<KeyPair[]> {
  const keys = [attacker.test];
  while (keys.length < count) keys.push(await issueKey(gateway, attacker.code, { environment: 'test' }));
  return keys;
}

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

/** The status of one live purchase. */
export async function buy(agent: Agent, { gateway }: Ground, shop: Shop): Promise<number> {
  const body = JSON.stringify(purchase(shop.code, '08031234567'));
  return await statusOf(agent, `${gateway.url}${airtimeSync}`, { headers: keyHeaders(shop.live), body });
}

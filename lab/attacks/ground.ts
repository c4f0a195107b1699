/** The attacked gateway, and the participants: attackers, and two shops that buy. */
import type { Agent } from 'undici';
import { memoryFlags } from '../../src/app/command-line/become-gateway.ts';
import { issueKey, openShop, type Shop } from '../../test/e2e/shop.ts';
import { type Gateway, type KeyPair, startGateway } from '../../test/support/gateway.ts';
import { makeSession, makeToken, operate } from '../../test/support/people.ts';
import { airtimeSync, keyHeaders, purchase, statusOf, type Target } from './calls.ts';

const BALANCE = 1_000_000_000_000n;

export type Ground = AsyncDisposable & {
  readonly gateway: Gateway;
  readonly shops: readonly Shop[];
  readonly target: Target;
};

/** `perSecond`: the rate limit of each key. */
export async function openGround(perSecond: string): Promise<Ground> {
  await using stack = new AsyncDisposableStack();
  const settings = {
    OJA_TRUSTED_PROXIES: '127.0.0.1',
    OJA_LOG_LEVEL: 'error',
    // Configured as in production, because gateways of tests have no limit.
    OJA_RATE_LIMIT_PER_S: perSecond,
  };
  const gateway = stack.use(await startGateway({ settings, nodeOptions: memoryFlags }));
  await operate(gateway);
  const attacker = await openShop(gateway, { balance: BALANCE });
  const shops = [
    await openShop(gateway, { balance: BALANCE }),
    await openShop(gateway, { balance: BALANCE }),
  ];
  const others: Shop[] = [];
  while (others.length < 10) others.push(await openShop(gateway, { balance: BALANCE }));
  const keys: KeyPair[] = [];
  while (keys.length < 40) keys.push(await issueKey(gateway, attacker.code, { environment: 'test' }));
  const target = {
    url: gateway.url,
    attacker,
    others,
    keys,
    consoleUrl: urlAfter(gateway, 'Console'),
    portalUrl: urlAfter(gateway, 'Portal'),
    adminUrl: gateway.adminUrl,
    viewer: await makeSession(gateway.database, { roles: ['viewer'] }),
    owner: await makeSession(gateway.database, { roles: ['owner'], merchant: attacker, steppedUp: true }),
    token: await makeToken(gateway.database, ['viewer']),
  };
  const owned = stack.move();
  return {
    gateway,
    shops,
    target,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function urlAfter(gateway: Gateway, word: string): string {
  const url = new RegExp(`^ +${word} +(http:\\S+)`, 'm').exec(gateway.output())?.[1];
  if (url === undefined) throw new Error(`the gateway did not say where its ${word} is`);
  return url;
}

/** The status of one live purchase. */
export async function buy(agent: Agent, { gateway }: Ground, shop: Shop): Promise<number> {
  const body = JSON.stringify(purchase(shop.code, '08031234567'));
  return await statusOf(agent, `${gateway.url}${airtimeSync}`, { headers: keyHeaders(shop.live), body });
}

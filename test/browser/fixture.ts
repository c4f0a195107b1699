/**
 * A gateway with some purchases, a browser, somebody signed in by the demo's link, and whoever else
 * a story needs.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Secret, TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Gateway, ownSimulator, startGateway } from '../support/gateway.ts';
import { launch, sizes } from './browser.ts';

export type Console = AsyncDisposable & {
  readonly gateway: Gateway;
  readonly browser: Browser;
  /** Where the console listens. */
  readonly url: string;
  /** A window of somebody who is signed in as admin. */
  window(): Promise<BrowserContext>;
  /** Where the portal listens. */
  readonly portalUrl: string;
  /** A window of the owner of the demo's merchant, at the portal. */
  ownerWindow(): Promise<BrowserContext>;
  /** Of the purchases: a success and a pending one. */
  readonly sold: { readonly success: string; readonly pending: string };
  readonly soldAt: Date;
  /** From here on the providers deliver. */
  wakeProvider(): void;
  /** An operation, as the admin; gives what it answers. */
  run(operation: string, input: object): Promise<Told>;
  /** Somebody who was invited and has signed in, in a browser of an own. */
  person(email: string, ...roles: readonly string[]): Promise<Person>;
};

type Person = AsyncDisposable & {
  readonly email: string;
  readonly context: BrowserContext;
  readonly recoveryCodes: readonly string[];
  /** Of an app on the phone: it may be of the step that comes. */
  code(stepsLater?: number): string;
};

export const password = 'seven green lorries at dawn';

export type Told = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path, and the assertions judge its shape
  readonly body: any;
};

/** From within the page, as its own script sends it. */
export async function send(page: Page, path: string, body: object): Promise<Told> {
  return await page.evaluate(
    async ([to, text]) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(to, { method: 'POST', headers, body: text });
      return { status: answer.status, body: await answer.json() };
    },
    [path, JSON.stringify(body)] as const,
  );
}

/** None of a step before: so a code is still good when the step ends on its way. */
export function codeOf(secret: string, stepsLater = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
  return totp.generate({ timestamp: Date.now() + stepsLater * 30_000 });
}

/** Neither is sold to anybody else. */
export const customer = { success: '08031234567', pending: '08031112223' } as const;

export async function openConsole(): Promise<Console> {
  await using stack = new AsyncDisposableStack();
  const provider = await startProvider(stack);
  const gateway = stack.use(
    await startGateway({ simulatorUrl: provider.url, settings: { OJA_CORRECTION_LIMIT: '1000000' } }),
  );
  const browser = await launch();
  stack.defer(() => browser.close());
  const { url, link } = addresses(gateway.output(), 'Console');
  const portal = addresses(gateway.output(), 'Portal');
  const soldAt = new Date();
  const sold = await sell(gateway);
  const storageState = await signIn(browser, link, /overview/);
  const ownerState = await signIn(browser, portal.link, /balance/);
  const admin = await browser.newContext({ baseURL: url, storageState });
  const page = await admin.newPage();
  await page.goto('/account');
  const run: Console['run'] = async (operation, input) => {
    const told = await send(page, `/api/operations/${operation}`, input);
    assert.ok(told.status < 300, `${operation}: ${JSON.stringify(told.body)}`);
    return told;
  };
  const owned = stack.move();
  return {
    gateway,
    browser,
    url,
    portalUrl: portal.url,
    sold,
    soldAt,
    wakeProvider: provider.wake,
    run,
    person: async (email, ...roles) => {
      const { body } = await run('user.invite', { email, roles, link: true });
      return await signUp(
        await browser.newContext({ baseURL: url, viewport: sizes.large }),
        email,
        body.data.link,
      );
    },
    window: async () => await browser.newContext({ baseURL: url, storageState, viewport: sizes.large }),
    ownerWindow: async () =>
      await browser.newContext({
        baseURL: portal.url,
        storageState: ownerState,
        viewport: sizes.large,
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Accepts an invitation with the requests of its pages. */
async function signUp(context: BrowserContext, email: string, link: string): Promise<Person> {
  const page = await context.newPage();
  await page.goto('/sign-in');
  const [, token] = /#token=(.+)$/.exec(link) ?? [];
  assert.equal((await send(page, '/api/links/accept', { token, password })).status, 200);
  const { secret } = (await send(page, '/api/second-factor/totp/begin', {})).body.data;
  const done = await send(page, '/api/second-factor/totp/confirm', { code: codeOf(secret) });
  assert.equal(done.status, 200, JSON.stringify(done.body));
  await page.close();
  return {
    email,
    context,
    recoveryCodes: done.body.data.recovery_codes,
    code: (stepsLater = 1) => codeOf(secret, stepsLater),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Of a face, as the start prints it. */
export function addresses(
  output: string,
  face: 'Console' | 'Portal',
): { readonly url: string; readonly link: string } {
  const line = new RegExp(`${face}\\b.*?(http:\\S+).*(http:\\S+)`).exec(output);
  const [, url, link] = line ?? [];
  assert.ok(url !== undefined && link !== undefined, `the start names the ${face} and a link:\n${output}`);
  return { url, link };
}

/** By a link of the demo, up to the first screen; gives the cookies. */
async function signIn(browser: Browser, link: string, first: RegExp): Promise<StorageState> {
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForURL(first);
  return await context.storageState();
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * Until it is woken it answers nothing that tells what became of a purchase: each stays pending.
 * Then it is the simulator.
 */
async function startProvider(
  stack: AsyncDisposableStack,
): Promise<{ readonly url: string; readonly wake: () => void }> {
  const simulatorUrl = await ownSimulator(stack);
  let isAwake = false;
  const server = createServer(async (request, response) => {
    if (!isAwake) return response.writeHead(500).end('{}');
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const body = request.method === 'GET' ? null : await buffer(request);
    const answer = await fetch(new URL(request.url ?? '/', simulatorUrl), {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      body,
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => server.closeAllConnections());
  stack.defer(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    wake: () => {
      isAwake = true;
    },
  };
}

async function sell(gateway: Gateway): Promise<Console['sold']> {
  const success = await buy(gateway, 'test', 'sync', 'till-8640', customer.success);
  const pending = await buy(gateway, 'live', 'async', 'till-8641', customer.pending);
  return { success, pending };
}

async function buy(
  gateway: Gateway,
  as: 'test' | 'live',
  way: 'sync' | 'async',
  reference: string,
  msisdn: string,
): Promise<string> {
  const { merchant } = gateway.credentials;
  const body = { merchant, msisdn, network: 'mtn', amount: '200', request_ref: reference };
  const answer = await gateway.call('POST', `/v1/transactions/airtime/${way}`, { as, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data.internal_reference;
}

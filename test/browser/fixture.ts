/**
 * A gateway with some purchases, a browser signed in by the demo's link, and other users for a
 * story.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Secret, TOTP } from 'otpauth';
import type { APIRequestContext, Browser, BrowserContext, Page } from 'playwright-core';
import { type Gateway, ownSimulator, startGateway } from '../support/gateway.ts';
import { launch, openPage, sizes } from './browser.ts';

export type Console = AsyncDisposable & {
  readonly gateway: Gateway;
  readonly browser: Browser;
  /** Where the console listens. */
  readonly url: string;
  /** A window in which an admin is signed in. */
  window(): Promise<Window>;
  /** Where the portal listens. */
  readonly portalUrl: string;
  /** A window of the owner of the demo's merchant, at the portal. */
  ownerWindow(): Promise<Window>;
  /** References of a success and a pending purchase. */
  readonly sold: { readonly success: string; readonly pending: string };
  readonly soldAt: Date;
  /** From now on the providers deliver. */
  wakeProvider(): void;
  /** Runs an operation as the admin and returns its answer. */
  run(operation: string, input: object): Promise<Told>;
  /** A user who was invited and has signed in, in a separate browser. */
  person(email: string, ...roles: readonly string[]): Promise<Person>;
};

/**
 * A browser window with a signed-in user and a filled cache. The next window reuses its pages,
 * which are reset.
 */
export type Window = AsyncDisposable &
  Pick<BrowserContext, 'newPage' | 'grantPermissions'> & { readonly request: APIRequestContext };

type Person = AsyncDisposable & {
  readonly email: string;
  readonly context: BrowserContext;
  readonly recoveryCodes: readonly string[];
  /** The code of an app on the phone. It may be of the next step. */
  code(stepsLater?: number): string;
};

export const password = 'seven green lorries at dawn';

export type Told = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path, and the assertions judge its shape
  readonly body: any;
};

/** Sent from the page, as by its own script. */
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

/** The same without a page. */
async function post(request: APIRequestContext, url: string, path: string, data: object): Promise<Told> {
  const answer = await request.post(`${url}${path}`, { data, headers: { origin: url } });
  return { status: answer.status(), body: await answer.json() };
}

/** Not of an earlier step, so the code is still valid at the end of the step. */
export function codeOf(secret: string, stepsLater = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
  return totp.generate({ timestamp: Date.now() + stepsLater * 30_000 });
}

/** Numbers that no other test buys for. */
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
  const admin = await signIn(browser, link, /overview/);
  // Not every story is about the portal.
  let owner: Promise<BrowserContext> | undefined;
  const run: Console['run'] = async (operation, input) => {
    const told = await post(admin.request, url, `/api/operations/${operation}`, input);
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
      const context = await browser.newContext({ baseURL: url, viewport: sizes.large });
      return await signUp(context, { url, email, link: body.data.link });
    },
    window: async () => windowOf(admin),
    ownerWindow: async () => {
      owner ??= signIn(browser, portal.link, /balance/);
      return windowOf(await owner);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Accepts an invitation with the requests of its pages. */
async function signUp(
  context: BrowserContext,
  { url, email, link }: { readonly url: string; readonly email: string; readonly link: string },
): Promise<Person> {
  const sent = (path: string, body: object): Promise<Told> => post(context.request, url, path, body);
  const [, token] = /#token=(.+)$/.exec(link) ?? [];
  assert.equal((await sent('/api/links/accept', { token, password })).status, 200);
  const { secret } = (await sent('/api/second-factor/totp/begin', {})).body.data;
  const done = await sent('/api/second-factor/totp/confirm', { code: codeOf(secret) });
  assert.equal(done.status, 200, JSON.stringify(done.body));
  return {
    email,
    context,
    recoveryCodes: done.body.data.recovery_codes,
    code: (stepsLater = 1) => codeOf(secret, stepsLater),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** The link of a server, as the start prints it. */
export function addresses(
  output: string,
  face: 'Console' | 'Portal',
): { readonly url: string; readonly link: string } {
  const line = new RegExp(`${face}\\b.*?(http:\\S+).*(http:\\S+)`).exec(output);
  const [, url, link] = line ?? [];
  assert.ok(url !== undefined && link !== undefined, `the start names the ${face} and a link:\n${output}`);
  return { url, link };
}

/** Signs in with a link of the demo, up to the first screen. */
async function signIn(browser: Browser, link: string, first: RegExp): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: new URL(link).origin, viewport: sizes.large });
  const { page } = await openPage(context);
  await page.goto(link);
  await page.waitForURL(first);
  await page.close();
  return context;
}

/** Pages of each context that no window uses. A new page costs a process and loads everything. */
const freePages = new WeakMap<BrowserContext, Page[]>();

function windowOf(context: BrowserContext): Window {
  const pages: Page[] = [];
  const free = freePages.get(context) ?? [];
  freePages.set(context, free);
  return {
    request: context.request,
    grantPermissions: (permissions) => context.grantPermissions(permissions),
    newPage: async () => {
      const page = free.pop() ?? (await context.newPage());
      pages.push(page);
      return page;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(pages.map(reset));
      free.push(...pages.filter((page) => !page.isClosed()));
    },
  };
}

/** Resets a page to a new one: it shows and stores nothing, and has no listeners. */
async function reset(page: Page): Promise<void> {
  if (page.isClosed()) return;
  try {
    for (const event of ['console', 'pageerror'] as const) page.removeAllListeners(event);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // A picture from the same server. A page that went to about:blank would need a new process.
    await page.goto('/oja.svg');
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.setViewportSize(sizes.large);
    await page.emulateMedia({ media: null, colorScheme: null });
  } catch {
    await page.close();
  }
}

/**
 * Starts a provider that reports no outcome until it is woken, so each purchase stays pending.
 * After that it is the simulator.
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

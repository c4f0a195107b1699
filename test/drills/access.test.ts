/**
 * Access: each cell of the table is tried on a running gateway, and the table is compared with
 * rules that are written by hand. The gate tries a third of the cells: each route and operation
 * with a third of the callers, and each caller with a third of those. The proof tries all.
 */
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { Agent, request } from 'undici';
import { operations } from '../../src/backoffice/operations/registry.ts';
import { isSensitive, merchantRoles, roles } from '../../src/core/operation.ts';
import { productNames } from '../../src/core/products/product.ts';
import { accessPagePath, pageOfAccess, readRoutes } from '../backoffice/access/page.ts';
import {
  type ConsoleNeed,
  consoleRules,
  fileRule,
  needsStepUp,
  openPaths,
  operatorRules,
  portalRules,
  signedPath,
} from '../backoffice/access/rules.ts';
import {
  type ApiKind,
  apiKinds,
  apiWord,
  isOpen,
  isOpenByDocument,
  operatorWord,
  portalWord,
  type RegisteredOperation,
  type Route,
  strangersToAdmin,
  strangersToConsole,
  type Word,
} from '../backoffice/access/table.ts';
import { readDocument } from '../support/api-document.ts';
import { startTestBank, type TestBank } from '../support/bank.ts';
import { isGate } from '../support/budget.ts';
import { type Gateway, type KeyPair, startGateway } from '../support/gateway.ts';
import { type MarkedMerchant, makeMarked } from '../support/marked-merchants.ts';
import { makeSession, makeToken, operate, type Run } from '../support/people.ts';
import { until } from '../support/until.ts';

const routes = await readRoutes();
let bank: TestBank;
let gateway: Gateway;
let run: Run;
let alpha: MarkedMerchant;
let beta: MarkedMerchant;
const urls = { console: '', portal: '' };
const agent = new Agent({ connections: 8 });

before(async () => {
  bank = await startTestBank({}, { silent: true });
  gateway = await startGateway({
    simulatorUrl: bank.url,
    settings: { OJA_TRUSTED_PROXIES: '127.0.0.1', OJA_LOG_LEVEL: 'error' },
  });
  run = await operate(gateway);
  alpha = await makeMarked(gateway, run, { code: 'ALPHA', word: 'quokkazebra', phone: '08037654321' });
  beta = await makeMarked(gateway, run, { code: 'BETA', word: 'narwhaltulip', phone: '08037654322' });
  urls.console = /Console +(http:\S+)/.exec(gateway.output())?.[1] ?? '';
  urls.portal = /Portal +(http:\S+)/.exec(gateway.output())?.[1] ?? '';
});
after(async () => {
  await agent.destroy();
  await gateway[Symbol.asyncDispose]();
  await bank[Symbol.asyncDispose]();
});

type Sent = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

let calls = 0;

async function send({ method, url, headers, body }: Sent): Promise<{ status: number; text: string }> {
  calls += 1;
  const answer = await request(url, {
    method: method as 'GET',
    dispatcher: agent,
    headers: {
      // No rate limit applies.
      'x-forwarded-for': `10.${(calls >> 14) & 127}.${(calls >> 7) & 127}.${calls & 127}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

/** Pairs each row with each column. In the gate, each row gets a different third of the columns. */
function cellsOf<Row, Column>(rows: readonly Row[], columns: readonly Column[]): [Row, Column][] {
  return rows.flatMap((row, down) =>
    columns
      .filter((_, across) => !isGate || (down + across) % 3 === 0)
      .map((column): [Row, Column] => [row, column]),
  );
}

/** Runs some at a time. Fails with all failing cells. */
async function tryAll<Cell>(cells: readonly Cell[], judge: (cell: Cell) => Promise<string | undefined>) {
  const wrong: string[] = [];
  const left = [...cells];
  const lane = async (): Promise<void> => {
    for (let cell = left.pop(); cell !== undefined; cell = left.pop()) {
      const words = await judge(cell);
      if (words !== undefined) wrong.push(words);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  assert.deepEqual(wrong, []);
}

describe('the table', () => {
  it('the table matches the documentation', async () => {
    assert.equal(
      await readFile(accessPagePath, 'utf8'),
      pageOfAccess(routes),
      'npm run access writes it anew',
    );
  });

  it('the table has a rule for each operation, and the registry has the same', () => {
    for (const operation of operations) {
      const { name, portal } = operation;
      const [, , who] = operatorRules.find(([, names]) => names.test(name)) ?? [];
      assert.deepEqual(operation.roles, who, `${name}: test/backoffice/access/rules.ts says who may run it`);
      const [, , atPortal] = portalRules.find(([, names]) => names.test(name)) ?? [];
      const open = portal === undefined ? undefined : portal.roles.filter((role) => role !== 'owner');
      assert.deepEqual(
        open,
        atPortal,
        `${name}: test/backoffice/access/rules.ts says who may run it at the portal`,
      );
      assert.equal(isSensitive(operation), needsStepUp(operation), `${name}: the password once more`);
      assert.equal(operation.listsPeople === true, fileRule.names.test(name), `${name}: as a file`);
    }
  });

  it('the table has a rule for each route, and the document has the same', async () => {
    const document = await readDocument();
    assert.ok(routes.api.length > 50 && routes.console.length > 20);
    for (const route of routes.api) {
      const said = isOpenByDocument(document, route);
      if (said !== undefined) assert.equal(said, isOpen(route.path), `${route.method} ${route.path}`);
    }
    for (const [rule, path] of openPaths)
      assert.ok(
        routes.api.some((route) => path.test(route.path)),
        rule,
      );
    const listed = routes.console.filter(({ path, method }) => path.startsWith('/api/') && method !== 'HEAD');
    const own = listed.filter(({ path }) => !/\/(?::name|\*)$/.test(path));
    assert.deepEqual(
      own.map(({ method, path }) => `${method} ${path}`).toSorted(),
      Object.keys(consoleRules).toSorted(),
    );
  });
});

describe('the merchants’ API', () => {
  const headersOf = ({ key, secret }: KeyPair) => ({ 'x-merchant-key': key, 'x-merchant-secret': secret });

  async function makeKinds(): Promise<Record<ApiKind, Readonly<Record<string, string>>>> {
    const issue = async (input: Readonly<Record<string, unknown>>): Promise<KeyPair> =>
      await run('credential.issue', { merchant: 'ALPHA', environment: 'test', rate: 0, ...input });
    const revoked = await issue({});
    await run('credential.revoke', { credential: revoked.key });
    const expired = await issue({ expires_in: '1h' });
    await gateway.database.query(
      "update credentials set expires_at = now() - interval '1 second' where key_id = $1",
      [expired.key],
    );
    await run('merchant.create', { code: 'STOPPED', name: 'Stopped' });
    for (const product of productNames)
      await run('merchant.enable_product', { merchant: 'STOPPED', product });
    await run('funding.enable', { merchant: 'STOPPED', currency: 'NGN', environment: 'test' });
    const suspended = await issue({ merchant: 'STOPPED' });
    await run('merchant.suspend', { merchant: 'STOPPED' });
    const { key, secret } = alpha.test;
    return {
      none: {},
      nonsense: headersOf({ key: 'oja_test_nonsense', secret: 'nonsense' }),
      'wrong secret': headersOf({ key, secret: beta.test.secret }),
      'key alone': { 'x-merchant-key': key },
      Basic: { authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}` },
      Bearer: { authorization: `Bearer ${secret}` },
      'admin token': { authorization: `Bearer ${await makeToken(gateway.database, ['admin'])}` },
      revoked: headersOf(revoked),
      expired: headersOf(expired),
      'other address': headersOf(await issue({ ip: ['203.0.113.7'] })),
      suspended: headersOf(suspended),
      test: headersOf(alpha.test),
      live: headersOf(alpha.live),
      "another merchant's": headersOf(beta.test),
    };
  }

  /** Names objects of ALPHA, and no item that would be bought. */
  function addressOf({ path }: Route): string {
    const { named } = alpha;
    const words: Readonly<Record<string, string | undefined>> = {
      ':id': path.includes('/deliveries/') ? named.delivery : named.endpoint,
      ':request_id': path.includes('esim') ? named.esim : named.card,
      ':plan_id': path.includes('esim') ? named.esimPlan : named.cardPlan,
      ':network': 'mtn',
      ':product': 'electricity',
      '*': 'nothing',
    };
    const filled = path.replaceAll(/:\w+|\*/g, (name) => words[name] ?? 'nothing');
    return path.endsWith('/status') ? `${filled}?request_ref=${named.reference}` : filled;
  }

  /**
   * Requests that a suspended merchant, or a live credential, must not make although they are
   * valid.
   */
  function bodyOf({ method, path }: Route, kind: ApiKind): unknown {
    if (!['POST', 'PATCH'].includes(method)) return undefined;
    if (path === '/v1/test/clock') return { advance_s: 1 };
    if (path === '/v1/test/deposits') return { amount: '100', reference: 'access-1' };
    if (kind !== 'suspended' && kind !== "another merchant's") return {};
    const merchant = kind === 'suspended' ? 'STOPPED' : 'ALPHA';
    const reference = { request_ref: `access-${calls}`, request_id: `access-${calls}` };
    if (/verify|transactions/.test(path)) {
      const plan = path.includes('data') ? { plan_code: 'MTN-1' } : {};
      return {
        merchant,
        msisdn: '08031234567',
        network: 'mtn',
        amount: '100',
        product: 'airtime',
        ...plan,
        request_ref: reference.request_ref,
      };
    }
    if (path === '/v1/giftcards/orders')
      return { request_id: reference.request_id, plan_id: Number(alpha.named.cardPlan) };
    if (path === '/v1/giftcards/redeem')
      return {
        request_id: reference.request_id,
        code: 'NOBODYS-CODE',
        product: 'ESIM',
        plan: alpha.named.esimPlan,
      };
    if (path === '/v1/esim/orders')
      return { request_id: reference.request_id, plan_id: alpha.named.esimPlan };
    return {};
  }

  it('the merchants’ API follows the table, route by route', async () => {
    const kinds = await makeKinds();
    await until('the new credentials are known', async () => {
      const answers = await Promise.all(
        (['revoked', 'expired'] as const).map((kind) =>
          send({ method: 'GET', url: `${gateway.url}/v1/wallet/balance`, headers: kinds[kind] }),
        ),
      );
      return answers.every(({ status }) => status === 401);
    });
    const foreign = async () =>
      await Promise.all(
        [
          // Without the columns that continuing deliveries change.
          ['webhook_endpoints', 'id, url, description, types, with_goods, secret, old_secret, state'],
          ['purchases', 't.*'],
          ['purchase_outcomes', 't.*'],
          ['wallet_owners', 't.*'],
          ['deposits', 't.*'],
        ].map(([table, columns]) =>
          gateway.database.query(
            `select ${columns} from ${table} t where merchant_id = $1 order by t::text`,
            [alpha.id],
          ),
        ),
      );
    const behind = routes.api.filter(({ path }) => !signedPath.test(path));
    const own = (Object.keys(apiKinds) as ApiKind[]).filter((kind) => kind !== "another merchant's");
    const cells = cellsOf(behind, own).map(([route, kind]) => ({ route, kind }));
    const judge = async ({ route, kind }: { route: Route; kind: ApiKind }): Promise<string | undefined> => {
      const sent = { method: route.method, url: `${gateway.url}${addressOf(route)}`, headers: kinds[kind] };
      const body = bodyOf(route, kind);
      const { status, text } = await send(body === undefined ? sent : { ...sent, body });
      const word = status === 401 || status === 403 ? String(status) : status < 500 ? 'yes' : 'failed';
      const what = `${route.method} ${route.path}, ${kind}: ${status} ${text.slice(0, 200)}`;
      if (kind !== "another merchant's") return word === apiWord(route, kind) ? undefined : what;
      const isLeak = alpha.secrets.some((secret) => text.includes(secret));
      return word === '401' || word === 'failed' || isLeak ? what : undefined;
    };
    // Callers with access delete nothing here, because the other callers need ALPHA's objects.
    await tryAll(
      cells.filter(
        ({ route: { method }, kind }) =>
          method !== 'DELETE' || apiWord({ method, path: '/v1' }, kind) !== 'yes',
      ),
      judge,
    );
    await until('all that ALPHA has bought is final, with its goods', async () => {
      const rows = await gateway.database.query(
        `select from pending_purchases where merchant_id = $1
         union all
         select from pending_fulfilments where merchant_id = $1`,
        [alpha.id],
      );
      return rows.length === 0;
    });
    const before = await foreign();
    await tryAll(
      behind.map((route) => ({ route, kind: "another merchant's" as const })),
      judge,
    );
    assert.deepEqual(await foreign(), before, 'nothing of the other merchant has changed');
    await tryAll(
      cells.filter(({ route: { method } }) => method === 'DELETE'),
      judge,
    );
  });

  it('accepts notices that a bank signed, and no others', async () => {
    const body = {
      event: 'charge.success',
      data: { reference: 'nobody-knows', status: 'success', channel: 'x' },
    };
    const text = JSON.stringify(body);
    for (const [name, header, secret] of [
      ['paystack', 'x-paystack-signature', 'sk_test_simulator'],
      ['monnify', 'monnify-signature', 'simulator-monnify-secret'],
      ['payvessel', 'payvessel-http-signature', 'PVSECRET-simulator'],
    ] as const) {
      const sign = (key: string): string => createHmac('sha512', key).update(text).digest('hex');
      const notify = async (headers: Readonly<Record<string, string>>) =>
        (await send({ method: 'POST', url: `${gateway.url}/hooks/${name}`, headers, body })).status;
      const statuses = [];
      for (const headers of [
        { [header]: sign(secret) },
        { [header]: sign('another') },
        { [header]: 'x' },
        {},
      ]) {
        statuses.push(await notify(headers));
      }
      assert.deepEqual(statuses, [200, 401, 401, 401], name);
      const { key, secret: ofMerchant } = alpha.test;
      assert.equal(await notify(headersOf({ key, secret: ofMerchant })), 401, `${name}, by a merchant`);
    }
    const nobody = await send({ method: 'POST', url: `${gateway.url}/hooks/nobody`, headers: {}, body });
    assert.equal(nobody.status, 404);
  });
});

/** An input that no operation accepts: an authorised caller gets an error, and nothing is done. */
const nonsense = { 'no such field': 1 };

describe('the admin API', () => {
  it('the admin API follows the roles of the table, operation by operation', async () => {
    const { database, adminUrl } = gateway;
    const right = await makeToken(database, ['admin']);
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const strangers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      none: {},
      nonsense: bearer('nonsense'),
      'wrong secret': bearer(`${right.slice(0, -43)}${'A'.repeat(43)}`),
      Basic: { authorization: `Basic ${Buffer.from(`x:${right}`).toString('base64')}` },
      "a merchant's key": { 'x-merchant-key': alpha.test.key, 'x-merchant-secret': alpha.test.secret },
      revoked: bearer(await makeToken(database, ['admin'], 'revoked')),
      expired: bearer(await makeToken(database, ['admin'], 'expired')),
    };
    assert.deepEqual(Object.keys(strangers), strangersToAdmin);
    const kinds: {
      name: string;
      headers: Readonly<Record<string, string>>;
      word: (one: RegisteredOperation) => Word;
    }[] = Object.entries(strangers).map(([name, headers]) => ({ name, headers, word: () => '401' }));
    for (const role of roles) {
      const headers = bearer(await makeToken(database, [role]));
      kinds.push({ name: role, headers, word: (operation) => operatorWord(operation, role) });
    }
    await tryAll(cellsOf(operations, kinds), async ([operation, { name, headers, word }]) => {
      const [method = 'GET', path = ''] = operation.route.split(' ');
      const address = `${adminUrl}${path.replaceAll(/\{\w+\}/g, 'nobody')}`;
      const sent =
        method === 'GET'
          ? { method, url: `${address}?no%20such%20field=1` }
          : { method, url: address, body: nonsense };
      const { status, text } = await send({ ...sent, headers });
      const told = status === 400 ? 'yes' : String(status);
      return told === word(operation)
        ? undefined
        : `${operation.name}, ${name}: ${status} ${text.slice(0, 200)}`;
    });
  });
});

describe('the console and the portal', () => {
  const cookieName = { console: '__Host-oja_console', portal: '__Host-oja_portal' } as const;

  async function strangersAt(face: 'console' | 'portal'): Promise<Record<string, string>> {
    const { database } = gateway;
    const terms =
      face === 'console'
        ? ({ roles: ['admin'], steppedUp: true } as const)
        : ({ roles: ['owner'], steppedUp: true, merchant: alpha } as const);
    const of = async (state: 'half' | 'ended' | 'idle' | 'expired' | 'of a suspended user' | 'open') =>
      await makeSession(database, { ...terms, state });
    const other = await makeSession(
      database,
      face === 'portal'
        ? { roles: ['admin'], steppedUp: true }
        : { roles: ['owner'], steppedUp: true, merchant: alpha },
    );
    return {
      none: '',
      nonsense: `${cookieName[face]}=${'A'.repeat(43)}`,
      'half open': await of('half'),
      ended: await of('ended'),
      idle: await of('idle'),
      expired: await of('expired'),
      'of a suspended user': await of('of a suspended user'),
      'of the other listener': `${cookieName[face]}=${other.split('=')[1]}`,
      'from another site': await of('open'),
    };
  }

  async function ask(
    face: 'console' | 'portal',
    path: string,
    cookie: string,
    body: unknown,
    site = 'same-origin',
  ) {
    const headers = { 'sec-fetch-site': site, ...(cookie !== '' && { cookie }) };
    const { status, text } = await send({ method: 'POST', url: `${urls[face]}${path}`, headers, body });
    const code: unknown = JSON.parse(text).error?.code;
    return { status, code, text };
  }

  type Kind = { name: string; cookie: string; site?: string; word: (operation: RegisteredOperation) => Word };

  async function tryOperations(face: 'console' | 'portal', open: readonly Kind[]): Promise<void> {
    const cookies = await strangersAt(face);
    assert.deepEqual(
      Object.keys(cookies),
      strangersToConsole.map(({ name }) => name),
    );
    const strangers = strangersToConsole.map(({ name, word }) => ({
      name,
      cookie: cookies[name] ?? '',
      word: () => word,
      site: name === 'from another site' ? 'cross-site' : 'same-origin',
    }));
    const kinds: readonly Kind[] = [...strangers, ...open];
    await tryAll(cellsOf(operations, kinds), async ([operation, { name, cookie, site, word }]) => {
      const { status, code, text } = await ask(
        face,
        `/api/operations/${operation.name}`,
        cookie,
        nonsense,
        site,
      );
      const told = code === 'step_up_needed' ? 'step' : status === 400 ? 'yes' : String(status);
      return told === word(operation)
        ? undefined
        : `${operation.name}, ${name}: ${status} ${text.slice(0, 200)}`;
    });
  }

  const unlessStepped = (operation: RegisteredOperation, word: Word): Word =>
    word === 'yes' && isSensitive(operation) ? 'step' : word;

  it('runs an operation only for its roles, and a sensitive one only after the password', async () => {
    const { database } = gateway;
    const kinds: Kind[] = [];
    for (const role of roles) {
      const fresh = await makeSession(database, { roles: [role] });
      const stepped = await makeSession(database, { roles: [role], steppedUp: true });
      const word = (operation: RegisteredOperation): Word => operatorWord(operation, role);
      kinds.push({
        name: role,
        cookie: fresh,
        word: (operation) => unlessStepped(operation, word(operation)),
      });
      kinds.push({ name: `${role}, stepped up`, cookie: stepped, word });
    }
    await tryOperations('console', kinds);
  });

  it('runs at the portal for a merchant’s roles, and never for another merchant', async () => {
    const { database } = gateway;
    const kinds: Kind[] = [];
    for (const role of merchantRoles) {
      const terms = { roles: [role], merchant: alpha } as const;
      const word = (operation: RegisteredOperation): Word => portalWord(operation, role);
      const fresh = await makeSession(database, terms);
      kinds.push({
        name: role,
        cookie: fresh,
        word: (operation) => unlessStepped(operation, word(operation)),
      });
      kinds.push({
        name: `${role}, stepped up`,
        cookie: await makeSession(database, { ...terms, steppedUp: true }),
        word,
      });
    }
    await tryOperations('portal', kinds);
    const owner = await makeSession(database, { roles: ['owner'], merchant: beta, steppedUp: true });
    await tryAll(operations, async (operation) => {
      const { status, text } = await ask('portal', `/api/operations/${operation.name}`, owner, {
        merchant: 'ALPHA',
      });
      const wanted = operation.portal === undefined ? 403 : 404;
      return status === wanted
        ? undefined
        : `${operation.name}, BETA's owner: ${status} ${text.slice(0, 200)}`;
    });
  });

  it('requires a session where the rules say so, besides operations', async () => {
    // The form of these requests is checked first.
    const bodies: Readonly<Record<string, object>> = {
      '/api/sign-in/code': { code: '000000' },
      '/api/step-up/passkey/options': {},
      '/api/sessions/end': { id: randomUUID() },
    };
    const { database } = gateway;
    const states = ['none', 'half', 'open', 'stepped up'] as const;
    const needs: Readonly<Record<ConsoleNeed, (typeof states)[number]>> = {
      nobody: 'none',
      'a half-open session': 'half',
      'a session': 'open',
      'a stepped-up session': 'stepped up',
    };
    const cells = Object.entries(consoleRules).flatMap(([route, need]) =>
      states.map((state) => ({ route, need, state })),
    );
    await tryAll(cells, async ({ route, need, state }) => {
      const [method = '', path = ''] = route.split(' ');
      // A separate one, because some of the requests end it.
      const cookie =
        state === 'none'
          ? ''
          : await makeSession(database, {
              roles: ['viewer'],
              state: state === 'half' ? 'half' : 'open',
              steppedUp: state === 'stepped up',
            });
      // Second-factor routes check the request first: see test/backoffice/console/sign-in.test.ts.
      if (path.startsWith('/api/second-factor/')) return undefined;
      // For a caller with access, the stream continues.
      if (path === '/api/live' && (state === 'open' || state === 'stepped up')) return undefined;
      const headers = { 'sec-fetch-site': 'same-origin', ...(cookie !== '' && { cookie }) };
      const sent = { method, url: `${urls.console}${path}`, headers };
      const { status, text } = await send(
        method === 'GET' ? sent : { ...sent, body: bodies[path] ?? nonsense },
      );
      const code: unknown = JSON.parse(text).error?.code;
      const isRefused = ['signed_out', 'second_factor_needed', 'step_up_needed'].includes(String(code));
      // Its code is for a session that is not open yet.
      const isEnough =
        need === 'a half-open session'
          ? state === 'half'
          : states.indexOf(state) >= states.indexOf(needs[need]);
      return isRefused === !isEnough ? undefined : `${route}, ${state}: ${status} ${text.slice(0, 200)}`;
    });
  });
});

/**
 * Authentication: both headers, the right secret, not revoked, not expired, from an allowed
 * address, as its own merchant.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { revokeCredential } from '../../src/merchants/operations/revoke-credential.ts';
import { setProduct } from '../../src/merchants/operations/set-product.ts';
import { setSuspended } from '../../src/merchants/operations/suspend-merchant.ts';
import { runOja } from '../cli/harness.ts';
import { type Answer, type Gateway, type KeyPair, startGateway } from '../support/gateway.ts';
import {
  airtime,
  airtimeSync,
  anyProduct,
  assertRefused,
  data,
  dataAsync,
  eventually,
  footprint,
  merchantCode,
  openSharedGateway,
  statusOf,
  walletOf,
} from './gateway-under-test.ts';
import { deliveriesTo } from './provider.ts';
import { issueKey, openShop } from './shop.ts';

const gateway = await openSharedGateway();
const { database, credentials } = gateway;

const protectedRoutes = [
  ['POST', '/v1/transactions'],
  ['POST', '/v1/transactions/airtime/sync'],
  ['POST', '/v1/transactions/airtime/async'],
  ['POST', '/v1/transactions/data/sync'],
  ['POST', '/v1/transactions/data/async'],
  ['GET', '/v1/transactions'],
  ['GET', '/v1/transactions/status?request_ref=x'],
  ['GET', '/v1/plans/mtn'],
  ['GET', '/v1/wallet/balance'],
] as const;

function balance(pair: KeyPair, gatewayUnderTest: Gateway = gateway): Promise<Answer> {
  return gatewayUnderTest.call('GET', '/v1/wallet/balance', { as: pair });
}

function buy(as: KeyPair, merchant: string): Promise<Answer> {
  return gateway.call('POST', airtimeSync, { as, body: airtime({ merchant }) });
}

/** Until the next request is checked again, because change notices take a moment. */
async function becomes(status: number, pair: KeyPair, gatewayUnderTest: Gateway = gateway): Promise<Answer> {
  return await eventually(`the credential is answered ${status}`, async () => {
    const answer = await balance(pair, gatewayUnderTest);
    return answer.status === status ? answer : undefined;
  });
}

describe('without credentials', () => {
  for (const [method, path] of protectedRoutes) {
    it(`answers ${method} ${path} with 401, whatever the body`, async () => {
      const before = await footprint(database);
      assertRefused(await gateway.call(method, path, { as: 'nobody' }), 401);
      if (method === 'POST') {
        assertRefused(await gateway.call(method, path, { as: 'nobody', body: airtime() }), 401);
        assertRefused(await gateway.call(method, path, { as: 'nobody', body: '{"broken' }), 401);
      }
      assert.deepEqual(await footprint(database), before);
    });
  }

  it('the health check, the documents and the hooks need no credentials', async () => {
    for (const path of ['/v1/healthz', '/openapi.json']) {
      assert.equal((await gateway.call('GET', path, { as: 'nobody' })).status, 200);
    }
    assert.equal((await gateway.call('POST', '/hooks/vtpass', { as: 'nobody', body: {} })).status, 200);
  });

  it('a path that does not exist is 404', async () => {
    for (const path of [
      '/',
      '/v1',
      '/v2/healthz',
      '/v1/transactions/airtime',
      '/metrics',
      '/books',
      '/admin',
    ]) {
      assertRefused(await gateway.call('GET', path, { as: 'nobody' }), 404);
    }
    assertRefused(await gateway.call('DELETE', '/v1/transactions', { as: 'test' }), 405);
    assertRefused(await gateway.call('PUT', airtimeSync, { as: 'test', body: airtime() }), 405);
  });
});

describe('wrong credentials', () => {
  const { test, live } = credentials;
  const flipped = `${test.secret.slice(0, -1)}${test.secret.endsWith('x') ? 'y' : 'x'}`;
  for (const [what, headers] of Object.entries({
    'only the key': { 'x-merchant-key': test.key },
    'only the secret': { 'x-merchant-secret': test.secret },
    'an unknown key': { 'x-merchant-key': 'oja_test_nobody', 'x-merchant-secret': test.secret },
    'another secret': { 'x-merchant-key': test.key, 'x-merchant-secret': flipped },
    'the secret of another credential': { 'x-merchant-key': test.key, 'x-merchant-secret': live.secret },
    'key and secret exchanged': { 'x-merchant-key': test.secret, 'x-merchant-secret': test.key },
    'the secret in capitals': { 'x-merchant-key': test.key, 'x-merchant-secret': test.secret.toUpperCase() },
    'the key in capitals': { 'x-merchant-key': test.key.toUpperCase(), 'x-merchant-secret': test.secret },
    'an empty secret': { 'x-merchant-key': test.key, 'x-merchant-secret': '' },
    'a secret cut short': { 'x-merchant-key': test.key, 'x-merchant-secret': test.secret.slice(0, 20) },
    'an overlong key': { 'x-merchant-key': 'k'.repeat(5_000), 'x-merchant-secret': test.secret },
    'two keys in one': { 'x-merchant-key': `${test.key}, ${test.key}`, 'x-merchant-secret': test.secret },
    'a key with a quote': { 'x-merchant-key': "oja_test_' or 1=1 --", 'x-merchant-secret': test.secret },
    'another scheme': { authorization: `Bearer ${test.secret}` },
  })) {
    it(`answers ${what} with 401, the same for all, and stores nothing`, async () => {
      const before = await footprint(database);
      const answer = await gateway.call('POST', airtimeSync, { as: 'nobody', headers, body: airtime() });
      assertRefused(answer, 401);
      const blank = await gateway.call('POST', airtimeSync, { as: 'nobody', body: airtime() });
      assert.deepEqual(answer.body, blank.body);
      assert.deepEqual(await footprint(database), before);
    });
  }

  it('correct credentials work, also with header names in another case', async () => {
    const headers = { 'X-MERCHANT-KEY': test.key, 'X-MERCHANT-SECRET': test.secret };
    const answer = await gateway.call('POST', airtimeSync, { as: 'nobody', headers, body: airtime() });
    assert.equal(answer.body.response_code, '00');
  });
});

describe('the merchant of a purchase', () => {
  it('an unknown merchant code is 404', async () => {
    const before = await footprint(database);
    for (const merchant of ['NOBODY', 'DEMO2', 'DEM', '1', 'ọjà']) {
      assertRefused(await buy(credentials.test, merchant), 404, 'merchant');
    }
    assert.deepEqual(await footprint(database), before);
  });

  it('the code of another merchant is 403, and neither wallet moves', async () => {
    const shop = await openShop(gateway);
    const before = await footprint(database);
    for (const [path, body] of [
      [airtimeSync, airtime({ merchant: shop.code })],
      [dataAsync, data({ merchant: shop.code })],
      [anyProduct, airtime({ merchant: shop.code, product: 'airtime' })],
    ] as const) {
      assertRefused(await gateway.call('POST', path, { body }), 403, 'merchant');
    }
    assertRefused(await buy(shop.live, 'DEMO'), 403, 'merchant');
    assert.deepEqual(await footprint(database), before);
    assert.equal((await buy(shop.test, shop.code)).body.response_code, '00');
  });

  it('limits guesses at merchant codes by key, and serves a caller with its own code', async () => {
    const [guesser, honest] = [await openShop(gateway), await openShop(gateway)];
    const answers: Answer[] = [];
    for (let sent = 0; answers.at(-1)?.status !== 429; sent += 1) {
      assert.ok(sent < 25, 'no guess was refused');
      answers.push(await buy(guesser.test, sent % 2 === 0 ? honest.code : `NONE${sent}`));
    }
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [403, 404, 429]);
    assertRefused(answers.at(-1) as Answer, 429, 'merchant');
    assert.equal(answers.at(-1)?.body.reason, 'merchant_codes_limited');
    assert.match(String(answers.at(-1)?.headers['retry-after']), /^[1-9]\d?$/);
    assertRefused(await buy(guesser.test, 'NONE'), 429, 'merchant');
    const warnings = await eventually('it is logged', async () => {
      const lines = gateway.output().split('\n');
      const found = lines.filter((line) => line.includes(guesser.test.key) && line.includes('retryAfterS'));
      return found.length > 0 ? found : undefined;
    });
    assert.equal(warnings.length, 1);
    assert.equal((await buy(guesser.test, guesser.code)).body.response_code, '00');
    assert.equal((await buy(honest.test, honest.code)).body.response_code, '00');
    assertRefused(await buy(honest.test, guesser.code), 403, 'merchant');
  });

  it('a product that is not enabled in that environment is 403', async () => {
    const shop = await openShop(gateway);
    const change = { merchantCode: shop.code, environment: 'test', product: 'airtime' } as const;
    await database.transaction((tx) => setProduct(tx, { ...change, enabled: false }, 'test'));
    const refused = await eventually('airtime is off', async () => {
      const answer = await buy(shop.test, shop.code);
      return answer.status === 200 ? undefined : answer;
    });
    assertRefused(refused, 403);
    const before = await footprint(database);
    assertRefused(await buy(shop.test, shop.code), 403);
    assert.deepEqual(await footprint(database), before);
    assert.equal((await buy(shop.live, shop.code)).body.response_code, '00');
    const bundle = data({ merchant: shop.code });
    assert.equal((await gateway.call('POST', dataAsync, { as: shop.test, body: bundle })).status, 200);
    await database.transaction((tx) => setProduct(tx, { ...change, enabled: true }, 'test'));
    await eventually('airtime is on again', async () => {
      const answer = await buy(shop.test, shop.code);
      return answer.body.response_code === '00' ? true : undefined;
    });
  });
});

describe('a credential', () => {
  it('a credential is 401 once it has expired', async () => {
    const expiresAt = new Date(Date.now() + 5_000);
    const pair = await issueKey(gateway, merchantCode(), { environment: 'test', expiresAt });
    assert.equal((await balance(pair)).status, 200);
    await sleep(expiresAt.getTime() - Date.now() + 5);
    assertRefused(await balance(pair), 401);
    assertRefused(await gateway.call('POST', airtimeSync, { as: pair, body: airtime() }), 401);
  });

  it('a credential with a list of addresses works only from those, else 403', async () => {
    const terms = { environment: 'test' } as const;
    const here = await issueKey(gateway, merchantCode(), {
      ...terms,
      allowedIps: ['10.0.0.0/8', '127.0.0.0/8'],
    });
    const elsewhere = await issueKey(gateway, merchantCode(), {
      ...terms,
      allowedIps: ['10.0.0.0/8', '2001:db8::/32'],
    });
    assert.equal((await balance(here)).status, 200);
    const before = await footprint(database);
    assertRefused(await gateway.call('POST', airtimeSync, { as: elsewhere, body: airtime() }), 403);
    const forwarded = { 'x-forwarded-for': '10.1.2.3', 'x-real-ip': '10.1.2.3', forwarded: 'for=10.1.2.3' };
    assertRefused(
      await gateway.call('GET', '/v1/wallet/balance', { as: elsewhere, headers: forwarded }),
      403,
    );
    // Without the secret a caller does not learn that the address is wrong.
    assertRefused(await balance({ ...elsewhere, secret: 'wrong' }), 401);
    assert.deepEqual(await footprint(database), before);
  });

  it('refuses purchases with a credential of a suspended merchant, and accepts them when it is resumed', async () => {
    const shop = await openShop(gateway);
    assert.equal((await balance(shop.test)).status, 200);
    await database.transaction((tx) =>
      setSuspended(tx, { merchantCode: shop.code, suspended: true }, 'test'),
    );
    await eventually('purchases are refused', async () =>
      (await buy(shop.test, shop.code)).status === 403 ? true : undefined,
    );
    const before = await footprint(database);
    assertRefused(await buy(shop.test, shop.code), 403);
    assertRefused(await buy(shop.live, shop.code), 403);
    assert.deepEqual(await footprint(database), before);
    assert.equal((await balance(credentials.test)).status, 200);
    await database.transaction((tx) =>
      setSuspended(tx, { merchantCode: shop.code, suspended: false }, 'test'),
    );
    await eventually('purchases are served', async () =>
      (await buy(shop.test, shop.code)).status === 200 ? true : undefined,
    );
  });

  it('accepts a credential that was issued while the gateway runs at once, even after a failed attempt', async () => {
    const guess = { key: 'oja_test_0000000000000000', secret: 'guess' };
    for (let tries = 0; tries < 3; tries += 1) assertRefused(await balance(guess), 401);
    const pair = await issueKey(gateway, merchantCode(), { environment: 'live' });
    assert.equal((await balance(pair)).status, 200);
  });
});

describe('a credential at two processes, one of them behind a proxy', () => {
  let second: Gateway;
  before(async () => {
    const { databaseUrl, dataDir, simulatorUrl } = gateway;
    const settings = { OJA_TRUSTED_PROXIES: '127.0.0.1' };
    second = await startGateway({ databaseUrl, dataDir, simulatorUrl, settings });
  });
  after(() => second[Symbol.asyncDispose]());

  it('a revoked credential is 401 at once, on every process; others of its merchant work on', async () => {
    const revoked = await issueKey(gateway, merchantCode(), { environment: 'test' });
    const kept = await issueKey(gateway, merchantCode(), { environment: 'test' });
    for (const gatewayUnderTest of [gateway, second]) {
      assert.equal((await balance(revoked, gatewayUnderTest)).status, 200);
      assert.equal((await balance(kept, gatewayUnderTest)).status, 200);
    }
    await database.transaction((tx) => revokeCredential(tx, revoked.key, 'test'));
    for (const gatewayUnderTest of [gateway, second]) {
      assertRefused(await becomes(401, revoked, gatewayUnderTest), 401);
      assert.equal((await balance(kept, gatewayUnderTest)).status, 200);
    }
    assertRefused(await gateway.call('POST', airtimeSync, { as: revoked, body: airtime() }), 401);
  });

  it('a credential with a list of addresses is checked by the address that a trusted proxy names', async () => {
    const pair = await issueKey(gateway, merchantCode(), { environment: 'test', allowedIps: ['10.1.2.3'] });
    const from = async (address: string): Promise<number> => {
      const headers = { 'x-forwarded-for': address };
      return (await second.call('GET', '/v1/wallet/balance', { as: pair, headers })).status;
    };
    assert.equal(await from('10.1.2.3'), 200);
    assert.equal(await from('10.1.2.4'), 403);
    // The caller wrote everything before the last address.
    assert.equal(await from('10.1.2.3, 10.9.9.9'), 403);
    assert.equal(await from('10.9.9.9, 10.1.2.3'), 200);
    assertRefused(await balance(pair, second), 403);
  });
});

describe('test and live', () => {
  it('test and live are separate: one reference in both is two purchases on two wallets', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const body = airtime({ merchant: shop.code, msisdn: '08061234567', amount: '150' });
    const first = await gateway.call('POST', airtimeSync, { as: shop.test, body });
    assert.equal(first.body.response_code, '00');
    assert.equal((await walletOf(gateway, shop.live)).balance, '1000.00');
    assertRefused(await statusOf(gateway, body.request_ref, shop.live), 404);
    assert.deepEqual(await deliveriesTo(gateway, body.msisdn), []);
    const second = await gateway.call('POST', airtimeSync, { as: shop.live, body });
    assert.equal(second.body.response_code, '00');
    assert.notEqual(first.body.data.internal_reference, second.body.data.internal_reference);
    assert.equal((await deliveriesTo(gateway, body.msisdn)).length, 1);
    for (const [pair, created] of [
      [shop.test, first],
      [shop.live, second],
    ] as const) {
      assert.equal((await walletOf(gateway, pair)).balance, '850.00');
      const found = await statusOf(gateway, body.request_ref, pair);
      assert.equal(found.body.payload.internal_reference, created.body.data.internal_reference);
      assertRefused(await gateway.call('POST', airtimeSync, { as: pair, body }), 422);
    }
  });

  it('two merchants may use one reference', async () => {
    const [one, two] = [await openShop(gateway), await openShop(gateway)];
    const request_ref = 'order-1';
    for (const shop of [one, two]) {
      const body = airtime({ merchant: shop.code, request_ref });
      assert.equal(
        (await gateway.call('POST', airtimeSync, { as: shop.live, body })).body.response_code,
        '00',
      );
    }
  });
});

describe('the console and the portal', () => {
  it('console and portal listen separately, and the demo prints a link for each that signs in once', async () => {
    for (const [title, face] of [
      ['Console', 'console'],
      ['Portal', 'portal'],
    ]) {
      const line = new RegExp(`${title} +(http:\\S+) +sign in once at \\1/sign-in#token=(\\S+)`);
      const [, url = '', token = ''] = line.exec(gateway.output()) ?? [];
      const signIn = () =>
        request(`${url}/api/sign-in/link`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: url },
          body: JSON.stringify({ token }),
        });
      const { statusCode, headers, body } = await signIn();
      assert.deepEqual([statusCode, await body.json()], [200, { data: { next: 'done' } }]);
      const cookie = [headers['set-cookie'] ?? []].flat().map((one) => one.split(';', 1)[0]);
      const session = await request(`${url}/api/session`, { headers: { cookie: cookie.join('; ') } });
      const { data } = (await session.body.json()) as { data: { face: string; operations: string[] } };
      assert.deepEqual([data.face, data.operations.includes('wallet.show')], [face, true]);
      const again = await signIn();
      await again.body.dump();
      assert.equal(again.statusCode, 404);
      assert.equal((await gateway.call('GET', '/api/session', { as: 'nobody' })).status, 404);
    }
  });
});

describe('a purchase that is tried', () => {
  it('tries a purchase over the API with a test key, and refuses a live key', async () => {
    const [shop, other] = [await openShop(gateway), await openShop(gateway)];
    const secretFile = join(gateway.dataDir, 'try-secret.txt');
    const { hostname, port } = new URL(gateway.url);
    const settings = { DATABASE_URL: gateway.databaseUrl, OJA_DATA_DIR: gateway.dataDir };
    const attempt = async (pair: KeyPair, at = port) => {
      await writeFile(secretFile, `${pair.secret}\n`, { mode: 0o600 });
      const flags = ['--secret-file', secretFile, '--number', '08000000101', '--reference', `try-${at}`];
      return await runOja({ ...settings, HOST: hostname, PORT: at }, [
        ...['merchant-purchase', 'try', shop.code, pair.key, ...flags, '--json'],
      ]);
    };
    const tried = await attempt(shop.test);
    assert.equal(tried.code, 0, tried.err);
    const { request: sent, answer, reference } = JSON.parse(tried.out).data;
    assert.equal(sent.path, '/v1/transactions/airtime/sync');
    assert.equal(sent.headers['X-Merchant-Key'], shop.test.key);
    assert.ok(!tried.out.includes(shop.test.secret));
    assert.equal(JSON.parse(answer.body).response_code, '01');
    const found = await gateway.call('GET', `/v1/transactions/status?request_ref=${reference}`, {
      as: shop.test,
    });
    assert.ok(found.status === 200 && found.text.includes(reference), found.text);
    const wrong = await attempt({ ...shop.test, secret: 'not-the-secret' });
    assert.equal(JSON.parse(wrong.out).data.answer.status, 401);
    for (const refused of [
      await attempt(shop.live),
      await attempt(other.test),
      await attempt(shop.test, '1'),
    ]) {
      assert.deepEqual([refused.code, refused.out], [1, '']);
      assert.notEqual(refused.err, '');
    }
  });
});

describe('the admin API', () => {
  it('the admin API listens separately, accepts only tokens, and takes effect for merchants at once', async () => {
    const shop = await openShop(gateway);
    const pair = shop.live;
    const made = await runOja({ DATABASE_URL: gateway.databaseUrl }, [
      ...['token', 'create', '--role', 'support', '--name', 'ada'],
    ]);
    const [token = ''] = made.out.split('\n');
    const admin = async (path: string, authorization: string): Promise<number> => {
      const { statusCode, body } = await request(`${gateway.adminUrl}${path}`, {
        method: 'POST',
        headers: { authorization },
      });
      await body.dump();
      return statusCode;
    };
    const suspend = `/merchants/${shop.code}/suspend`;
    assert.equal(await admin(suspend, `Bearer ${pair.secret}`), 401);
    assert.equal((await balance({ key: token, secret: token })).status, 401);
    assert.equal((await gateway.call('GET', '/admin/v1/merchants')).status, 404);
    assert.equal((await buy(pair, shop.code)).status, 200);
    assert.equal(await admin(suspend, `Bearer ${token}`), 200);
    await eventually('a purchase is refused', async () =>
      (await buy(pair, shop.code)).status === 403 ? true : undefined,
    );
  });
});

/**
 * The simulator's answers for unknown paths and methods: each provider in its own format, after its
 * check of keys.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask, type Call } from './ask.ts';
import { KEYS, openBench } from './bench.ts';

const ESIM_UNSIGNED =
  '{"success":false,"errorCode":"101003","errorMsg":"The request signature is not right","obj":null}';
const ESIM_NOT_POST =
  '{"success":false,"errorCode":"000103","errorMsg":"The request method is not supported","obj":null}';
const NO_KEY =
  '{"code":"087","response_description":"INVALID CREDENTIALS","content":{"errors":["INVALID CREDENTIALS"]}}';
const NOT_FOUND = '{"message":"Not Found"}';
const NOMBA_ACCOUNT = { accountid: '00000000-0000-4000-8000-00000000a001' };
const OGDAMS_KEY = { authorization: 'Bearer sk_live_simulator' };
const PAYSTACK_KEY = { authorization: 'Bearer sk_test_simulator' };
const CLUBKONNECT = 'UserID=CK0000001&APIKey=simulator-clubkonnect-key';
const SMEPLUG_KEY = { authorization: 'Bearer simulator-smeplug-key' };
const FLUTTERWAVE_KEY = { authorization: 'Bearer FLWSECK_TEST-simulator' };
const BUYPOWER_KEY = { authorization: 'Bearer simulator-buypower-token' };
const PAYVESSEL_KEY = { 'api-key': 'PVKEY-simulator', 'api-secret': 'PVSECRET-simulator' };
const MONNIFY_BASIC = `Basic ${Buffer.from('MK_TEST_SIMULATOR:simulator-monnify-secret').toString('base64')}`;

async function tokenOf(url: string, call: Call): Promise<{ authorization: string }> {
  const { text } = await ask(url, { method: 'POST', ...call });
  const token = /"access_?[tT]oken":"([^"]+)"/.exec(text)?.[1];
  assert.ok(token, text);
  return { authorization: `Bearer ${token}` };
}

describe('an unknown path', () => {
  it('each provider refuses an unknown path in its own format, after its check of keys', async () => {
    await using bench = await openBench();
    const url = bench.url();
    const nomba = await tokenOf(`${url}/nomba/v1/auth/token/issue`, {
      headers: NOMBA_ACCOUNT,
      body: JSON.stringify({
        grant_type: 'client_credentials',
        client_id: '00000000-0000-4000-8000-00000000c001',
        client_secret: 'simulator-client-secret-0123456789abcdefghij',
      }),
    });
    const reloadly = await tokenOf(`${url}/reloadly/oauth/token`, {
      body: JSON.stringify({
        grant_type: 'client_credentials',
        client_id: 'simulator-client-id',
        client_secret: 'simulator-reloadly-secret-0123456789abcdefghij',
        audience: `${url}/reloadly`,
      }),
    });
    const monnify = await tokenOf(`${url}/monnify/api/v1/auth/login`, {
      headers: { authorization: MONNIFY_BASIC },
    });
    const cases: readonly (readonly [string, Call, status: number, text: string | RegExp])[] = [
      ['GET /nothing', {}, 404, NOT_FOUND],
      ['POST /books', {}, 404, NOT_FOUND],
      ['GET /healthz/', {}, 404, NOT_FOUND],
      ['GET /vtpass', {}, 404, NOT_FOUND],
      ['GET /vtpass/api', {}, 404, NOT_FOUND],
      ['GET /vtpass/api/', {}, 200, NO_KEY],
      ['POST /vtpass/api/nothing', {}, 200, NO_KEY],
      ['POST /vtpass/api/nothing', { headers: KEYS }, 404, NOT_FOUND],
      ['POST /vtpass/api/pay/', { headers: KEYS }, 404, NOT_FOUND],
      ['GET /vtpass/api/pay', { headers: KEYS }, 404, NOT_FOUND],
      ['GET /nomba', {}, 404, NOT_FOUND],
      ['GET /nomba/v1/nothing', {}, 401, '{"code":"401","description":"Invalid or expired token"}'],
      ['GET /nomba/v1/nothing', { headers: { ...NOMBA_ACCOUNT, ...nomba } }, 404, /^{"code":"404",/],
      ['POST /nomba/v3/bill/topup', { headers: { ...NOMBA_ACCOUNT, ...nomba } }, 404, /^{"code":"404",/],
      ['POST /nomba/v1/bill/topup/a.b', { headers: { ...NOMBA_ACCOUNT, ...nomba } }, 404, /^{"code":"404",/],
      ['POST /nomba/v2/bill/topup/a-b', { headers: { ...NOMBA_ACCOUNT, ...nomba } }, 400, /^{"code":"400",/],
      ['GET /reloadly/products/x', {}, 401, /"errorCode":"INVALID_TOKEN"/],
      [
        'GET /reloadly/products/x',
        { headers: reloadly },
        404,
        /"message":"Not Found","path":"\/","errorCode":null/,
      ],
      ['GET /reloadly/products/1', { headers: reloadly }, 404, /"errorCode":"INVALID_PRODUCT"/],
      ['GET /esimaccess/api/v1/open/esim/order', {}, 200, ESIM_NOT_POST],
      ['POST /esimaccess/nothing', {}, 200, ESIM_UNSIGNED],
      ['GET /vtung/nothing', {}, 404, /"code":"rest_no_route"/],
      ['GET /vtung/api/v2/balance', {}, 403, /"code":"jwt_auth_invalid_token"/],
      ['GET /easyaccess/api/nothing', {}, 404, NOT_FOUND],
      ['POST /easyaccess/api/live/v1/purchase-data', {}, 200, /"code":401,"status":"failed"/],
      ['GET /easyaccess/api/wallet_balance.php', {}, 200, /"success":"false"/],
      ['GET /ogdams/nothing', {}, 401, /"code":401/],
      ['GET /ogdams/nothing', { headers: OGDAMS_KEY }, 404, NOT_FOUND],
      ['GET /termii/nothing', {}, 404, NOT_FOUND],
      ['GET /monnify/nothing', {}, 401, /"responseMessage":"Unauthorized"/],
      ['GET /monnify/nothing', { headers: monnify }, 404, /"responseMessage":"Cannot find reserved account"/],
      ['PUT /monnify/nothing', { headers: monnify }, 404, /"responseMessage":"Not Found"/],
      ['GET /paystack/nothing', {}, 401, /"message":"Invalid key"/],
      ['GET /paystack/nothing', { headers: PAYSTACK_KEY }, 404, /"message":"Customer not found"/],
      ['PUT /paystack/nothing', { headers: PAYSTACK_KEY }, 404, /"message":"Not Found"/],
      ['GET /flutterwave/v3/nothing', {}, 401, /"message":"Invalid authorization key"/],
      ['GET /flutterwave/v3/nothing', { headers: FLUTTERWAVE_KEY }, 404, /"message":"Not Found"/],
      ['GET /flutterwave-bills/v3/nothing', {}, 401, /"message":"Invalid authorization key"/],
      ['GET /flutterwave-bills/v3/nothing', { headers: FLUTTERWAVE_KEY }, 404, /"message":"Not Found"/],
      ['GET /payvessel/nothing', {}, 401, /^{"error":401,/],
      ['GET /payvessel/nothing', { headers: PAYVESSEL_KEY }, 404, /^{"error":404,/],
      ['GET /buypower/v2/nothing', {}, 401, '{"message":"Unauthenticated."}'],
      ['GET /buypower/v2/nothing', { headers: BUYPOWER_KEY }, 404, NOT_FOUND],
      ['GET /bank/nothing', {}, 404, NOT_FOUND],
      ['GET /clubkonnect/APINothingV1.asp', {}, 200, '{"status":"INVALID_CREDENTIALS"}'],
      [`GET /clubkonnect/APINothingV1.asp?${CLUBKONNECT}`, {}, 404, NOT_FOUND],
      ['POST /clubkonnect/APIAirtimeV1.asp', {}, 404, NOT_FOUND],
      ['GET /clubkonnect/nothing', {}, 404, NOT_FOUND],
      ['GET /smeplug/nothing', {}, 403, /"msg":"Invalid Authorization/],
      ['GET /smeplug/nothing', { headers: SMEPLUG_KEY }, 404, '{"status":false,"msg":"Not found"}'],
    ];
    for (const [line, call, status, text] of cases) {
      const [method = '', path] = line.split(' ');
      const answer = await ask(`${url}${path}`, { ...call, method });
      const about = `${line} ${JSON.stringify(call.headers ?? {})}`;
      assert.equal(answer.status, status, about);
      if (typeof text === 'string') assert.equal(answer.text, text, about);
      else assert.match(answer.text, text, about);
      assert.equal(answer.headers['content-type'], 'application/json', about);
      assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.text)), about);
    }
  });

  it('refuses a known path with any other method', async () => {
    await using bench = await openBench();
    for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      for (const path of ['/healthz', '/vtpass/api/balance', '/termii/api/get-balance', '/bank/transfers']) {
        const answer = await ask(`${bench.url()}${path}`, { method, headers: KEYS });
        assert.equal(answer.status, 404, `${method} ${path}`);
        assert.equal(answer.text, method === 'HEAD' ? '' : NOT_FOUND, `${method} ${path}`);
        assert.equal(answer.headers['content-length'], String(NOT_FOUND.length), `${method} ${path}`);
      }
    }
  });

  it('accepts a path of the maximum length', async () => {
    await using bench = await openBench();
    const email = `${'long'.repeat(60)}%40example.com`;
    const answer = await ask(`${bench.url()}/paystack/customer/${email}`, { headers: PAYSTACK_KEY });
    assert.equal(answer.status, 404);
    assert.match(answer.text, /Customer not found/);
  });
});

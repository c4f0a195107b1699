/**
 * "Unknown is pending" for each provider of the registry and each product that it sells: an answer
 * that is not clear never makes a purchase fail or succeed, and neither does it when it is queried.
 */
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { SettingsReader } from '../../src/core/settings-reader.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import * as cases from '../conformance/products.ts';
import { commonSettings } from '../support/read-settings.ts';

const { airtime, betting, cable, data, eSim, giftCard, jamb, postpaid, prepaid, rechargeCard, waec } = cases;
const products = [airtime, data, prepaid, postpaid, cable, betting, waec, jamb, rechargeCard, giftCard, eSim];

const respond =
  (status: number, type: string, body: string) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': type }).end(body);
  };
const json = 'application/json';
/** A success in the words of each provider at once. */
const SUCCESS = JSON.stringify({
  status: 'success',
  Status: 'successful',
  success: true,
  current_status: 'success',
  code: '000',
  statuscode: '200',
  responseCode: 200,
  response_description: '000',
  error_code: '1986',
  data: { status: 'success', current_status: 'success', responseCode: 100, reference: 'x', recharge_id: '1' },
});
const html = '<html><body><h1>Bad gateway</h1></body></html>';

/** How the upstream answers each call but that for a token. */
const unclear: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'no answer in time': () => undefined,
  'a closed connection': (response) => response.destroy(),
  'a connection closed within the body': (response) => {
    response.writeHead(200, { 'content-type': json, 'content-length': '500' });
    response.write('{"status":', () => response.destroy());
  },
  'half a body': respond(200, json, '{"status":"success","data":{"sta'),
  'an empty body': respond(200, json, ''),
  'a page': respond(200, 'text/html', html),
  'a page with an error': respond(502, 'text/html', html),
  'an error without a body': respond(503, 'text/plain', ''),
  'an error in JSON': respond(500, json, '{"message":"Internal server error"}'),
  'a time-out in JSON': respond(504, json, '{"message":"Endpoint request timed out"}'),
  'an empty object': respond(200, json, '{}'),
  'an empty list': respond(200, json, '[]'),
  nothing: respond(200, json, 'null'),
  'an error with HTTP 200': respond(200, json, '{"error":"Service is not available","detail":"x"}'),
  'a redirect that says success': (response) => {
    response.setHeader('location', '/elsewhere/');
    respond(301, json, SUCCESS)(response);
  },
  'codes as fractions': respond(
    200,
    json,
    '{"status":"1.0","code":"200.00","statuscode":"200.00","responseCode":"200.5","data":{"status":"1.0"}}',
  ),
  'unknown codes': respond(
    200,
    json,
    '{"status":"QUEUED?","code":"zz9","statuscode":"zz9","responseCode":"zz9","data":{"status":"zz9"}}',
  ),
};

const tokens = {
  code: '00',
  description: 'ok',
  token: 'token',
  access_token: 'token',
  expires_in: 3_600,
  data: { access_token: 'token', refresh_token: 'token', expiresAt: '2099-01-01T00:00:00Z' },
};

let treat = unclear['an empty object'];
let received = 0;
const server = createServer((request, response) => {
  if (/token/.test(request.url ?? '')) {
    respond(200, json, JSON.stringify(tokens))(response);
    return;
  }
  received += 1;
  request.resume().on('end', () => treat?.(response));
});
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close().closeAllConnections());

/** The text of each required setting, by a part of its name. */
function settingText(name: string, url: string): string | undefined {
  if (/URL$/.test(name)) return url;
  if (/MAPPING$/.test(name))
    return JSON.stringify({
      preset: 'msorg',
      networks: { MTN: '1', DSTV: '2', 'Ikeja Electric': '1', WAEC: '1' },
    });
  return /KEY|SECRET|CLIENT_ID|USER|ACCOUNT_ID|PASSWORD|TOKEN|CODE|PIN$/.test(name)
    ? 'a-secret-of-the-test'
    : undefined;
}

async function open(definition: (typeof builtInProviders)[number], timeScale: number): Promise<Provider> {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const texts = Object.keys(definition.settings).flatMap((name) => {
    const text = settingText(name, url);
    return text === undefined ? [] : [[name, text] as const];
  });
  const read = new SettingsReader({ OJA_TIME_SCALE: String(timeScale), ...Object.fromEntries(texts) });
  const configured = definition.read(read, { ...commonSettings, timeScale });
  assert.ok(configured, `${definition.name}: ${read.faults.join('; ')}`);
  return await configured.open();
}

// The sandbox sends no calls.
const live = builtInProviders.filter(({ environment }) => environment === 'live');

/** VTU.ng sells betting without codes. */
const isSold = (
  { name, products: sold }: (typeof live)[number],
  { wanted, codes }: cases.ProductCase,
): boolean =>
  sold.has(wanted.product as never) &&
  (Object.keys(codes).length === 0 || codes[name] !== undefined || wanted.product === 'BETTING');

describe('an unclear answer', { concurrency: 1 }, () => {
  for (const definition of live) {
    const sold = products.filter((product) => isSold(definition, product));
    const called = new Set<string>();

    it(`covers each product of ${definition.name}`, () => {
      const covered = new Set(sold.map(({ wanted }) => wanted.product));
      assert.deepEqual([...covered].sort(), [...definition.products].sort());
    });

    for (const [title, answer] of Object.entries(unclear)) {
      it(`of ${definition.name} decides no purchase: ${title}`, async () => {
        treat = answer;
        // Only a call without an answer waits for its deadline.
        const provider = await open(definition, title === 'no answer in time' ? 0.0005 : 0.01);
        try {
          for (const product of sold) {
            const order = cases.orderOf(provider, product, product.customer(1));
            received = 0;
            const bought = await provider.purchase(order);
            // A slow machine may cancel the call before it leaves.
            const kinds = received > 0 ? ['unknown'] : ['unknown', 'not_sent'];
            if (received > 0) called.add(product.name);
            assert.ok(kinds.includes(bought.kind), `${product.name}: ${bought.kind} ${bought.message}`);
            const queried = await provider.query({ ...order, providerId: '12345', sentMs: 60_000 });
            // An empty list of orders is a clear answer of some.
            const mayBe = title === 'an empty list' ? ['unknown', 'not_found'] : ['unknown', 'not_sent'];
            assert.ok(
              mayBe.includes(queried.kind),
              `query of ${product.name}: ${queried.kind} ${queried.message}`,
            );
          }
        } finally {
          await provider[Symbol.asyncDispose]();
        }
      });
    }

    it(`was given to ${definition.name} for each product`, () => {
      assert.deepEqual([...called].sort(), sold.map(({ name }) => name).sort());
    });
  }
});

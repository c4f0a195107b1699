/**
 * Invalid input: each item is refused with the right status and names its field, stores nothing and
 * moves no money. The proof checks this after every request.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Answer } from '../support/gateway.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  anyProduct,
  assertRefused,
  data,
  dataAsync,
  dataSync,
  type Fields,
  footprint,
  newReference,
  openSharedGateway,
  walletOf,
} from './gateway-under-test.ts';
import { openShop } from './shop.ts';

const gateway = await openSharedGateway();
const shop = await openShop(gateway);

const airtimeRoutes = [airtimeSync, airtimeAsync];
const dataRoutes = [dataSync, dataAsync];
const createRoutes = [...airtimeRoutes, ...dataRoutes, anyProduct];

const untouched = await footprint(gateway.database);

async function refused(
  path: string,
  body: unknown,
  status: number,
  field?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await gateway.call('POST', path, { body, headers });
  assertRefused(answer, status, field);
  assert.deepEqual(await footprint(gateway.database), untouched, `${path} left a trace: ${answer.text}`);
  return answer;
}

/** A valid body for the route. */
function goodBody(path: string, fields: Fields = {}): Record<string, unknown> {
  if (path === anyProduct) return data({ product: 'data', ...fields });
  return dataRoutes.includes(path) ? data(fields) : airtime(fields);
}

function without(body: Record<string, unknown>, field: string): Record<string, unknown> {
  const { [field]: _, ...rest } = body;
  return rest;
}

function requiredFields(path: string): string[] {
  return Object.keys(goodBody(path));
}

describe('a body that is no JSON object', () => {
  const bodies = {
    'broken JSON': '{"merchant": "DEMO", ',
    'half a string': '{"merchant": "DEM',
    'single quotes': "{'merchant': 'DEMO'}",
    'a trailing comma': '{"merchant": "DEMO",}',
    'two values': '{} {}',
    words: 'merchant=DEMO&amount=100',
    'an empty body': '',
    blanks: ' \n ',
    'an array': '[]',
    'an array of purchases': JSON.stringify([airtime()]),
    null: 'null',
    'a number': '7',
    'a string': '"merchant"',
    'not a number': 'NaN',
    'two byte order marks': `\ufeff\ufeff${JSON.stringify(airtime())}`,
    HTML: '<html></html>',
  };
  for (const [what, body] of Object.entries(bodies)) {
    it(`refuses a body: ${what}`, async () => {
      for (const path of createRoutes) await refused(path, body, 400);
    });
  }

  it('refuses bytes that are not UTF-8, and disguised bytes', async () => {
    const text = JSON.stringify(airtime());
    for (const body of [Buffer.from(text, 'utf16le'), Buffer.from('{"merchant":"\xe9"}', 'latin1')]) {
      assert.equal((await sendRaw(body)).status, 400);
    }
    assert.equal((await sendRaw(gzipSync(text), 'content-encoding: gzip\r\n')).status, 400);
    assert.deepEqual(await footprint(gateway.database), untouched);
  });

  it('refuses deep nesting, in a known field and in an unknown one', async () => {
    for (const field of ['msisdn', 'note']) {
      for (const depth of [20, 5_000]) {
        const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
        const body = JSON.stringify(airtime({ [field]: '?' })).replace('"?"', nested);
        await refused(airtimeSync, body, 400, field);
        const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
        await refused(
          airtimeSync,
          JSON.stringify(airtime({ [field]: '?' })).replace('"?"', objects),
          400,
          field,
        );
      }
    }
    await refused(airtimeSync, '['.repeat(60_000), 400);
  });

  it('refuses 3 MB that begin with a valid part, in a field, or in white space', async () => {
    const big = 'x'.repeat(3_000_000);
    const answer = await refused(airtimeSync, airtime({ note: big }), 400);
    assertRefused(answer, 400, { reason: 'body_too_large' });
    await refused(airtimeSync, airtime({ msisdn: big }), 400);
    await refused(dataAsync, JSON.stringify(data()) + ' '.repeat(3_000_000), 400);
    await refused(anyProduct, `[${'1,'.repeat(1_500_000)}1]`, 400);
  });

  it('refuses an oversized body', async () => {
    const answer = await gateway
      .call('POST', airtimeSync, { body: ' '.repeat(40_000_000) })
      .catch(() => undefined);
    // The connection may be closed while a client is still sending.
    if (answer !== undefined) assertRefused(answer, 400);
    assert.deepEqual(await footprint(gateway.database), untouched);
  });

  it('refuses a disguised prototype', async () => {
    const body = JSON.stringify(without(airtime(), 'merchant')).replace(
      '{',
      '{"__proto__":{"merchant":"DEMO"},"constructor":{"prototype":{"merchant":"DEMO"}},',
    );
    await refused(airtimeSync, body, 400, '__proto__');
    await refused(airtimeSync, body.replace('"__proto__":{"merchant":"DEMO"},', ''), 422, 'merchant');
  });
});

describe('a field that is missing', () => {
  for (const path of createRoutes) {
    for (const field of requiredFields(path)) {
      it(`a missing field is 422 and named: ${field} on ${path}`, async () => {
        const answer = await refused(path, without(goodBody(path), field), 422, field);
        assert.deepEqual(
          answer.body.errors.map((fault: { field: string }) => fault.field),
          [field],
        );
      });
    }
  }

  it('names a missing field with all other faults', async () => {
    const answer = await refused(dataSync, {}, 422);
    assert.deepEqual(answer.body.errors.map((fault: { field: string }) => fault.field).sort(), [
      'amount',
      'merchant',
      'msisdn',
      'network',
      'plan_code',
      'request_ref',
    ]);
  });

  it('a missing field is 422 also when others are wrong, and all are named', async () => {
    const answer = await refused(
      airtimeSync,
      without(airtime({ amount: 'x', network: 5 }), 'msisdn'),
      422,
      'msisdn',
    );
    assert.deepEqual(answer.body.errors.map((fault: { field: string }) => fault.field).sort(), [
      'amount',
      'msisdn',
      'network',
    ]);
  });

  it('a field of a similar name does not replace a missing one', async () => {
    for (const name of ['Merchant', 'MERCHANT', 'merchant ', 'merchantCode', 'merchant_id']) {
      await refused(airtimeSync, { ...without(airtime(), 'merchant'), [name]: 'DEMO' }, 422, 'merchant');
    }
  });
});

describe('a field of the wrong type', () => {
  for (const path of [airtimeSync, dataAsync, anyProduct]) {
    for (const field of requiredFields(path)) {
      it(`a field of the wrong type is 400 and named: ${field} on ${path}`, async () => {
        const number = { amount: 100, msisdn: 8031234567, plan_code: 1 }[field] ?? 7;
        for (const value of [number, 0, -1, 1.5, true, false, [], {}, ['DEMO'], { value: 'DEMO' }]) {
          await refused(path, goodBody(path, { [field]: value }), 400, field);
        }
      });
    }
  }
});

describe('text that cannot be', () => {
  for (const path of [airtimeAsync, dataSync, anyProduct]) {
    for (const field of requiredFields(path)) {
      it(`malformed text is 400 and named: ${field} on ${path}`, async () => {
        const good = String(goodBody(path)[field]);
        const texts = [
          '',
          ' ',
          `${good}\u0000`,
          `\u0000${good}`,
          '\ud800',
          `${good}\udfff`,
          `${good}\n`,
          ` ${good}`,
        ];
        for (const value of texts) await refused(path, goodBody(path, { [field]: value }), 400, field);
        await refused(path, goodBody(path, { [field]: 'x'.repeat(101) }), 400, field);
      });
    }
  }

  it('refuses NUL and unpaired surrogates also in unknown fields', async () => {
    await refused(airtimeSync, airtime({ note: 'a\u0000b' }), 400, 'note');
    await refused(airtimeSync, airtime({ note: { deep: ['\udc00'] } }), 400, 'note');
  });
});

describe('an amount', () => {
  const amounts = [
    ...[
      '0',
      '0.0',
      '0.00',
      '-100',
      '-0.01',
      '100.001',
      '0.001',
      '1e3',
      '1E3',
      '1e-2',
      '+100',
      '100.',
      '.5',
      '00100',
    ],
    ...[
      '1'.repeat(30),
      `1${'0'.repeat(29)}`,
      '9'.repeat(19),
      '10000000000000.00',
      '1,000',
      '1 000',
      '1_000',
      '0x64',
    ],
    ...[
      'NaN',
      'Infinity',
      '-Infinity',
      'null',
      'abc',
      '100 NGN',
      '₦100',
      '100\u00a0',
      '١٠٠',
      '１００',
      '100.0.0',
    ],
  ];
  for (const amount of amounts) {
    it(`refuses the amount ${amount}, for airtime and for data`, async () => {
      await refused(airtimeSync, airtime({ amount }), 400, 'amount');
      await refused(dataSync, data({ amount }), 400, 'amount');
    });
  }

  it('refuses airtime under 10 or over 500,000 naira', async () => {
    for (const amount of ['0.01', '9.99', '500000.01', '9999999999.99']) {
      await refused(airtimeSync, airtime({ amount }), 400, 'amount');
    }
  });

  it('refuses an amount that is not the price of the plan, with the price', async () => {
    const answer = await refused(dataSync, data({ amount: '99.99' }), 400, 'amount');
    assertRefused(answer, 400, { field: 'amount', reason: 'amount_not_price' });
    assert.ok(answer.body.message.includes('100.00'));
  });
});

describe('a number, network, plan or product', () => {
  const numbers = [
    '0803',
    '080312345678',
    '8031234567',
    '+15550100',
    '0803123456x',
    '0803-123-4567',
    '234-803',
  ];
  for (const msisdn of [
    ...numbers,
    '07001234567',
    '08001234567',
    '08501234567',
    '00000000000',
    '+2348031234567890',
  ]) {
    it(`refuses the number ${msisdn}`, async () => {
      await refused(airtimeSync, airtime({ msisdn }), 400, 'msisdn');
      await refused(dataAsync, data({ msisdn }), 400, 'msisdn');
    });
  }

  for (const network of [
    'vodafone',
    'mtn-ng',
    'DSTV',
    'Ikeja Electric',
    'BET9JA',
    'm',
    '__proto__',
    'toString',
  ]) {
    it(`refuses the network ${network}`, async () => {
      await refused(airtimeSync, airtime({ network }), 400, 'network');
      await refused(anyProduct, airtime({ network, product: 'airtime' }), 400, 'network');
    });
  }

  it('refuses a plan of another network', async () => {
    const answer = await refused(dataSync, data({ plan_code: 'GLO-2' }), 400, 'plan_code');
    assertRefused(answer, 400, { field: 'plan_code', reason: 'data_plan_of_other_network' });
  });

  it('refuses an unknown plan', async () => {
    for (const plan_code of ['MTN-0', 'MTN-', 'x', "' or 1=1 --"]) {
      await refused(dataSync, data({ plan_code }), 400, 'plan_code');
    }
  });

  for (const product of ['cash', 'AIRTIMES', 'sms', '__proto__']) {
    it(`refuses the product ${product}`, async () => {
      await refused(anyProduct, airtime({ product }), 400, 'product');
    });
  }

  it('refuses a product that is not enabled with 403', async () => {
    const own = { 'x-merchant-key': shop.test.key, 'x-merchant-secret': shop.test.secret };
    const bill = airtime({ merchant: shop.code, msisdn: '10000000001', amount: '5000.00' });
    for (const fields of [
      { product: 'ELECTRICITY', network: 'EKEDC', plan_code: '2003' },
      { product: 'CABLE', network: 'dstv', plan_code: '2113' },
      { product: 'BETTING', network: 'bet9ja', plan_code: '2201', phone: '08031234567' },
    ]) {
      await refused(anyProduct, { ...bill, ...fields }, 403, undefined, own);
    }
  });

  it('refuses a bill of a network that does not sell it', async () => {
    await refused(
      anyProduct,
      airtime({ product: 'ELECTRICITY', network: 'DSTV', plan_code: '1' }),
      400,
      'network',
    );
    await refused(anyProduct, airtime({ product: 'data', network: 'EKEDC', plan_code: '1' }), 400, 'network');
  });
});

describe('a merchant', () => {
  it('an unknown merchant is 404', async () => {
    for (const path of createRoutes)
      await refused(path, goodBody(path, { merchant: 'NOBODY' }), 404, 'merchant');
  });

  it('another merchant is 403', async () => {
    for (const path of createRoutes)
      await refused(path, goodBody(path, { merchant: shop.code }), 403, 'merchant');
    assert.equal((await walletOf(gateway, shop.test)).balance, '100000.00');
  });
});

describe('bad headers', () => {
  it('an unknown expectation is 417, too large headers 431, malformed HTTP 400', async () => {
    const text = JSON.stringify(airtime());
    assert.equal((await sendRaw(Buffer.from(text), 'expect: a miracle\r\n')).status, 417);
    assert.equal((await sendRaw(Buffer.from(text), `x-filler: ${'x'.repeat(40_000)}\r\n`)).status, 431);
    assert.equal((await sendRaw(Buffer.from(text), 'bad header\r\n')).status, 400);
    assert.equal((await sendRaw(Buffer.from(text), 'content-length: 5\r\n')).status, 400);
    assert.equal((await speak('GET nonsense\r\n\r\n')).status, 400);
    assert.deepEqual(await footprint(gateway.database), untouched);
  });

  it('a wrong content length makes no purchase of half a body', async () => {
    const text = JSON.stringify(airtime());
    const { key, secret } = gateway.credentials.test;
    const head = `POST ${airtimeSync} HTTP/1.1\r\nhost: x\r\nx-merchant-key: ${key}\r\nx-merchant-secret: ${secret}\r\n`;
    // The rest is not a request: the connection is closed, with or without an answer to the first.
    const short = await speak(`${head}content-length: ${text.length - 5}\r\n\r\n${text}`);
    assert.ok(short.text === '' || short.status === 400, short.text);
    await hangUp(`${head}content-length: ${text.length + 5}\r\n\r\n${text}`);
    await hangUp(`${head}transfer-encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n`);
    assert.equal((await gateway.call('GET', '/v1/wallet/balance')).status, 200);
    assert.deepEqual(await footprint(gateway.database), untouched);
  });
});

describe('a reference', () => {
  it('accepts a reference of 100 characters, and not of 101', async () => {
    const stem = newReference();
    await refused(airtimeSync, airtime({ request_ref: stem.padEnd(101, 'x') }), 400, 'request_ref');
    const body = airtime({ request_ref: stem.padEnd(100, 'x') });
    assert.equal((await gateway.call('POST', airtimeSync, { body })).body.data.request_id, body.request_ref);
  });
});

it('the same gateway still sells afterwards', async () => {
  for (const path of createRoutes) {
    const answer = await gateway.call('POST', path, { body: goodBody(path) });
    assert.equal(answer.status, 200, answer.text);
  }
});

type RawAnswer = { readonly status: number; readonly text: string };

function sendRaw(body: Buffer, headers = ''): Promise<RawAnswer> {
  const { key, secret } = gateway.credentials.test;
  const head =
    `POST ${airtimeSync} HTTP/1.1\r\nhost: x\r\nx-merchant-key: ${key}\r\nx-merchant-secret: ${secret}\r\n` +
    `content-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n${headers}\r\n`;
  return speak(Buffer.concat([Buffer.from(head), body]));
}

/** The reply to these bytes, until the other side closes. */
function speak(bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.setTimeout(10_000, () => socket.destroy(new Error(`no answer: ${text}`)));
    socket.once('error', reject);
    socket.once('close', () => resolve({ status: Number(text.split(' ')[1]), text }));
  });
}

/** Sends these bytes and disconnects once the other side has them. */
function hangUp(bytes: string): Promise<void> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.end()));
    socket.resume();
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

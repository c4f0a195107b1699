/**
 * Observed habits of the real providers, at the simulated ones: they accept the requests of
 * third-party clients and answer in the known shapes.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { ask } from '../simulator/ask.ts';
import { codeOf, eventually, KEYS, newId, openBench, statusOf } from '../simulator/bench.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';

type Bench = Awaited<ReturnType<typeof openBench>>;
type Fields = Readonly<Record<string, unknown>>;

const AIRTIME = { serviceID: 'mtn', amount: '100.00', phone: '08031234567' };

// An id of a purchase belongs to a day.
await awayFromMidnight();

describe('VTpass', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
  });
  after(() => bench[Symbol.asyncDispose]());

  const call = async (
    path: string,
    { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
  ): Promise<Fields> => {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await ask(`${bench.url()}/vtpass/api${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    return JSON.parse(answer.text) as Fields;
  };

  it('accepts an e-mail and its password in place of keys, to read and to buy, and no others', async () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    const headers = basic('sandbox@vtpass.com:sandbox');
    assert.equal((await call('/balance', { headers })).code, 1);
    const body = JSON.stringify({ ...AIRTIME, request_id: newId() });
    assert.equal(codeOf(await call('/pay', { headers, body })), '000');
    assert.equal(codeOf(await call('/pay', { headers: basic('sandbox@vtpass.com:other'), body })), '087');
  });

  it('accepts numbers for text', async () => {
    const common = { serviceID: 'ikeja-electric', variation_code: 'prepaid', request_id: newId() };
    for (const fields of [
      { ...AIRTIME, amount: 100, phone: 8_031_234_567, request_id: newId() },
      { ...AIRTIME, phone: '+2348031234567', request_id: newId() },
      { ...common, billersCode: 45_002_000_001, amount: 2000, phone: 2_348_031_234_567 },
    ]) {
      assert.equal(statusOf(await bench.pay(fields)), 'delivered', JSON.stringify(fields));
    }
  });

  it('treats a bouquet without a type of subscription as a change', async () => {
    const card = { serviceID: 'dstv', variation_code: 'dstv-padi', billersCode: 1_212_121_212, quantity: 1 };
    const reply = await bench.pay({ ...card, phone: '08031234567', request_id: newId() });
    assert.equal(statusOf(reply), 'delivered');
  });

  it('accepts ids longer than 36 characters', async () => {
    const request_id = `${newId()}${'x'.repeat(40)}`;
    assert.equal(statusOf(await bench.pay({ ...AIRTIME, request_id })), 'delivered');
    assert.equal(statusOf(await bench.requery(request_id)), 'delivered');
  });

  it('accepts forms, of both kinds', async () => {
    const fields = { ...AIRTIME, request_id: newId() };
    const parts = Object.entries({ ...fields, request_id: newId() }).map(
      ([name, value]) => `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', new URLSearchParams(fields).toString()],
      ['multipart/form-data; boundary=edge', `${parts.join('')}--edge--\r\n`],
      ['multipart/form-data; boundary=other', `${parts.join('')}--edge--\r\n`],
    ] as const) {
      const reply = await call('/pay', { headers: { ...KEYS, 'content-type': type }, body });
      assert.equal(codeOf(reply), type.endsWith('other') ? '085' : '000', type);
    }
  });

  it('refuses without naming a request, with a list of errors', async () => {
    const request_id = newId();
    const reply = await bench.pay({ ...AIRTIME, serviceID: 'none', request_id });
    assert.deepEqual(reply, {
      code: '012',
      response_description: 'PRODUCT DOES NOT EXIST',
      content: { errors: ['PRODUCT DOES NOT EXIST'] },
    });
  });

  it('calls a pending order 099 to one customer and 000 to the other', async () => {
    await bench.fault({ fault: 'pending_then_success', settle_ms: 60_000 });
    const told: string[] = [];
    for (const phone of ['08031234561', '08031234560']) {
      const reply = await bench.pay({ ...AIRTIME, phone, request_id: newId() });
      assert.equal(statusOf(reply), 'pending');
      told.push(codeOf(reply));
    }
    assert.deepEqual(told, ['099', '000']);
  });

  it('reports "system error" as HTTP 500 with a code, delivered or not', async () => {
    for (const delivered of [false, true]) {
      await bench.fault({ fault: 'system_error', delivered });
      const request_id = newId();
      const body = JSON.stringify({ ...AIRTIME, request_id });
      const answer = await ask(`${bench.url()}/vtpass/api/pay`, { method: 'POST', headers: KEYS, body });
      assert.deepEqual([answer.status, codeOf(JSON.parse(answer.text))], [500, '083']);
      assert.equal(codeOf(await bench.requery(request_id)), delivered ? '000' : '015');
    }
  });

  it('refuses a likely duplicate, also after a restart, and charges nothing for it', async () => {
    await using strict = await openBench({ OJA_SIMULATOR_NEAR_DUPLICATES: 'on' });
    const [first, second] = [newId(), newId()];
    assert.equal(codeOf(await strict.pay({ ...AIRTIME, request_id: first })), '000');
    const balance = await strict.balance();
    assert.equal(codeOf(await strict.pay({ ...AIRTIME, request_id: second })), '019');
    await strict.restart();
    const reply = (await strict.requery(second)) as Fields;
    assert.deepEqual([codeOf(reply), reply.requestId], ['019', undefined]);
    assert.equal(codeOf(await strict.pay({ ...AIRTIME, request_id: second })), '014');
    assert.deepEqual([(await strict.books()).length, await strict.balance()], [1, balance]);
  });

  it('reverses a delivery later, also after a restart, and reports it only to queries', async () => {
    await using own = await openBench();
    const before = await own.balance();
    await own.fault({ fault: 'reversed_later', settle_ms: 5_000 });
    const request_id = newId();
    assert.equal(statusOf(await own.pay({ ...AIRTIME, request_id })), 'delivered');
    await own.restart();
    assert.equal(statusOf(await own.requery(request_id)), 'delivered');
    await eventually(async () => codeOf(await own.requery(request_id)) === '040');
    assert.equal(statusOf(await own.requery(request_id)), 'reversed');
    assert.deepEqual([(await own.books()).length, await own.balance()], [1, before]);
  });

  it('spells the goods of each company as the company does', async () => {
    const buy = async (serviceID: string, billersCode: string): Promise<Fields[]> => {
      const meter = { serviceID, variation_code: 'prepaid', billersCode, amount: 2000, phone: '08031234567' };
      const request_id = newId();
      const told = await bench.pay({ ...meter, request_id });
      return [told as Fields, (await bench.requery(request_id)) as Fields];
    };
    await bench.putFaults({
      rules: [{ fault: 'pending_fulfilments', recipient: '45002000009', fulfilment_ms: 60_000 }],
    });
    const [late] = await buy('kano-electric', '45002000009');
    assert.deepEqual([late?.Token, late?.purchased_code], ['null', '']);
    const [bonus] = await buy('eko-electric', '45002000002');
    assert.match(String(bonus?.bonusToken), /^\d{20}$/);
    const [two] = await buy('eko-electric', '45002000003');
    assert.match(String(two?.token), /^\d{20}, \d{20}$/);
    const [change] = await buy('ikeja-electric', '10000000003');
    assert.match(`${change?.resetToken} ${change?.configureToken}`, /^\d{20} \d{20}$/);
    const [abuja] = await buy('abuja-electric', '45002000004');
    assert.equal(typeof abuja?.PurchasedUnits, 'number');
    const [sold, asked] = await buy('portharcourt-electric', '45002000005');
    assert.deepEqual([sold?.token === undefined, asked?.token], [false, undefined]);
    const content = asked?.content as { transactions: { extras: string } } | undefined;
    const extras = JSON.parse(content?.transactions.extras ?? '') as Fields;
    assert.equal(extras.token, sold?.token);
  });

  it('lists variations to any caller, and services only with keys', async () => {
    const variations = await call('/service-variations?serviceID=mtn-data');
    assert.equal(variations.response_description, '000');
    assert.equal(codeOf(await call('/services?identifier=data')), '087');
  });

  it('lists its categories', async () => {
    const { content } = await call('/service-categories', { headers: KEYS });
    const identifiers = (content as { identifier: string }[]).map(({ identifier }) => identifier);
    assert.ok(identifiers.includes('airtime') && identifiers.includes('electricity-bill'));
  });
});

describe('Termii', () => {
  it('accepts a list of phones, with a plus or not, and writes a message to each', async () => {
    await using bench = await openBench();
    const common = { api_key: 'simulator-termii-key', from: 'Oja', sms: 'Hi', type: 'plain', channel: 'dnd' };
    const send = async (to: unknown): Promise<number> => {
      const body = JSON.stringify({ ...common, to });
      return (await ask(`${bench.url()}/termii/api/sms/send`, { method: 'POST', body })).status;
    };
    assert.equal(await send(['2348031234567', '+2348031234568']), 200);
    assert.equal(await send('+2348031234569'), 200);
    assert.equal(await send([2348031234560]), 200);
    for (const to of [[], ['2348031234567', 'nobody'], '++2348031234567', null]) {
      assert.equal(await send(to), 422, JSON.stringify(to));
    }
    const { text } = await ask(`${bench.url()}/messages`);
    const phones = text
      .split('\n')
      .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { to: string }).to));
    assert.deepEqual(phones.map((phone) => phone.slice(-2)).toSorted(), ['60', '67', '68', '69']);
  });
});

describe('eSIM Access', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench({ OJA_SIMULATOR_ALLOCATE_MS: '0' });
  });
  after(() => bench[Symbol.asyncDispose]());

  const ACCESS_CODE = 'simulator-access-code';
  const SECRET = 'simulator-esimaccess-secret-0123456789abcdefghij';

  const send = async (
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<Fields> => {
    const answer = await ask(`${bench.url()}/esimaccess/api/v1/open${path}`, {
      method: 'POST',
      headers,
      ...(body !== undefined && { body }),
    });
    return JSON.parse(answer.text) as Fields;
  };
  /** With only the access code. */
  const call = async (path: string, body?: unknown): Promise<Fields> =>
    send(path, body === undefined ? undefined : JSON.stringify(body), { 'rt-accesscode': ACCESS_CODE });
  const esims = async (filter: Fields): Promise<readonly Fields[]> => {
    const reply = await call('/esim/query', { pager: { pageNum: 1, pageSize: 500 }, ...filter });
    return (reply.obj as { esimList: Fields[] }).esimList;
  };
  let orders = 0;
  const order = async (fields: Fields = {}, packageInfo: Fields = {}): Promise<Fields> => {
    orders += 1;
    const packageInfoList = [{ packageCode: 'US_1_7', count: 1, ...packageInfo }];
    return await call('/esim/order', { transactionId: `order-${orders}`, packageInfoList, ...fields });
  };
  const orderNo = async (...of: Parameters<typeof order>): Promise<string> =>
    ((await order(...of)).obj as { orderNo: string }).orderNo;

  it('accepts the access code only, and an empty body as an error', async () => {
    assert.equal((await call('/balance/query')).success, true);
    const other = await send('/balance/query', undefined, { 'rt-accesscode': 'other' });
    assert.deepEqual([other.success, other.errorCode], [false, '101003']);
  });

  it('checks a signature if there is one, over the raw body', async () => {
    const body =
      '{ "transactionId": "spaced-1", "packageInfoList": [ { "packageCode": "US_1_7", "count": 1 } ] }';
    const headers = (timestamp: string, secret = SECRET) => ({
      'rt-accesscode': ACCESS_CODE,
      'rt-timestamp': timestamp,
      'rt-requestid': 'any',
      'rt-signature': createHmac('sha256', secret)
        .update(`${timestamp}any${ACCESS_CODE}${body}`)
        .digest('hex')
        .toUpperCase(),
    });
    // In seconds, and in milliseconds.
    for (const timestamp of ['1628670421', '1628670421000']) {
      assert.equal((await send('/esim/order', body, headers(timestamp))).success, true);
    }
    assert.equal((await send('/esim/order', body, headers('1628670421', 'other'))).errorCode, '101003');
  });

  it('lists by any number of an eSIM, treats null as absent, and lists all without a filter', async () => {
    const number = await orderNo();
    const [one] = await esims({ orderNo: number, iccid: null, startTime: null, endTime: '' });
    assert.ok(one);
    for (const filter of [{ iccid: one.iccid }, { esimTranNo: one.esimTranNo }]) {
      assert.deepEqual(await esims(filter), [one]);
    }
    assert.ok((await esims({})).length > 1);
    assert.deepEqual(await esims({ orderNo: 'none' }), []);
  });

  it('sells several by its listed code, at the listed price as a number or text', async () => {
    const { obj } = await call('/package/list', { locationCode: 'US', type: '', packageCode: null });
    const [plan] = (obj as { packageList: Fields[] }).packageList;
    const { packageCode, price } = plan as { packageCode: string; price: number };
    const number = await orderNo({ amount: 3 * price }, { packageCode, price: String(price), count: 3 });
    const several = await esims({ orderNo: number });
    assert.equal(new Set(several.map(({ iccid, esimTranNo }) => `${iccid} ${esimTranNo}`)).size, 3);
    assert.equal((await order({ amount: price }, { packageCode, count: 3 })).errorCode, '200006');
    assert.equal((await order({ amount: null }, { packageCode, price: null })).success, true);
  });

  it('suspends, resumes, revokes, and cancels unused eSIMs', async () => {
    const stateOf = async (number: string): Promise<unknown> =>
      (await esims({ orderNo: number }))[0]?.esimStatus;
    const number = await orderNo({ transactionId: 'state-3' });
    const [{ esimTranNo, iccid } = {}] = await esims({ orderNo: number });
    assert.equal((await call('/esim/suspend', { esimTranNo })).success, true);
    assert.equal(await stateOf(number), 'SUSPENDED');
    assert.equal((await call('/esim/cancel', { esimTranNo })).errorCode, '200002');
    await call('/esim/unsuspend', { iccid });
    assert.equal(await stateOf(number), 'GOT_RESOURCE');
    await call('/esim/revoke', { esimTranNo });
    assert.equal(await stateOf(number), 'REVOKED');
    const cancelled = await orderNo({ transactionId: 'state-4' });
    const [{ esimTranNo: unused } = {}] = await esims({ orderNo: cancelled });
    assert.equal((await call('/esim/cancel', { esimTranNo: unused })).success, true);
    assert.equal(await stateOf(cancelled), 'CANCEL');
    assert.equal((await call('/esim/cancel', { esimTranNo: 'none' })).success, false);
    const lines = (await bench.books()).filter(({ reference }) => reference.startsWith('state-'));
    assert.equal(lines.length, 2, 'delivered once each');
  });

  it('has some installed by their customers, and some with an LPA of 255 characters', async () => {
    const [used] = await esims({ orderNo: await orderNo({ transactionId: 'habit-0' }) });
    assert.equal(used?.esimStatus, 'ONBOARDING');
    const [long] = await esims({ orderNo: await orderNo({ transactionId: 'habit-1' }) });
    assert.equal(String(long?.ac).length, 255);
  });

  it('reports the use of eSIMs, and where it sells', async () => {
    const [one] = await esims({ orderNo: await orderNo() });
    const { obj } = await call('/esim/usage/query', { esimTranNoList: [one?.esimTranNo] });
    assert.equal((obj as { esimUsageList: Fields[] }).esimUsageList.length, 1);
    const places = (await call('/location/list', {})).obj as { locationList: { code: string }[] };
    assert.ok(places.locationList.some(({ code }) => code === 'US'));
  });
});

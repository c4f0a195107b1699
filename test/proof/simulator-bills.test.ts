/** The simulated billers, through VTpass and through Nomba: their customers, refusals and books. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { codeOf, eventually, newId, openBench, post, statusOf } from '../simulator/bench.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';

type Bench = Awaited<ReturnType<typeof openBench>>;
type Fields = Readonly<Record<string, unknown>>;

const METER = {
  serviceID: 'ikeja-electric',
  variation_code: 'prepaid',
  billersCode: '45002000001',
  amount: '2000.00',
  phone: '08031234567',
};
const CARD = {
  serviceID: 'dstv',
  subscription_type: 'change',
  variation_code: 'dstv-padi',
  billersCode: '7002000001',
  amount: '4400.00',
  phone: '08031234567',
};

// An id of a purchase belongs to a day.
await awayFromMidnight();

describe('VTpass’s billers', () => {
  it('delivers to any plausible customer, and records it', async () => {
    await using bench = await openBench();
    const [meter, card] = [newId(), newId()];
    assert.equal(statusOf(await bench.pay({ ...METER, request_id: meter })), 'delivered');
    assert.equal(statusOf(await bench.pay({ ...CARD, request_id: card, amount: '1.00' })), 'delivered');
    const common = { provider: 'vtpass' };
    assert.deepEqual(
      (await bench.books()).map(({ delivered_at, ...rest }) => rest),
      [
        { ...common, reference: meter, product: 'ELECTRICITY', recipient: '45002000001', amount: '2000.00' },
        { ...common, reference: card, product: 'CABLE', recipient: '7002000001', amount: '4400.00' },
      ],
    );
  });

  it('accepts unknown customers, the wrong kind and the wrong network, and fails the orders', async () => {
    await using bench = await openBench();
    for (const fields of [
      { ...METER, billersCode: '45002000000' },
      { ...METER, billersCode: '10000000002' },
      { ...METER, billersCode: '10000000005' },
      { ...METER, billersCode: '10000000001', variation_code: 'postpaid' },
      { ...METER, billersCode: '1010101010101' },
      { ...CARD, billersCode: '7002000000' },
      { ...CARD, billersCode: '10000000020' },
    ]) {
      const request_id = newId();
      for (const reply of [await bench.pay({ ...fields, request_id }), await bench.requery(request_id)]) {
        assert.equal(codeOf(reply), '016', JSON.stringify(fields));
        assert.equal(statusOf(reply), 'failed');
      }
    }
    assert.deepEqual(await bench.books(), []);
    assert.equal(await bench.balance(), 1_000_000_000, 'and give the money back');
  });

  it('refuses what VTpass refuses, with its codes, and records none of it', async () => {
    await using bench = await openBench();
    const refusals: readonly (readonly [string, Fields])[] = [
      ['010', { ...METER, variation_code: 'weekly' }],
      ['011', { ...METER, billersCode: '12345' }],
      ['011', { ...METER, billersCode: '4500200000A' }],
      ['011', { ...METER, billersCode: 450020000 / 7 }],
      ['011', { ...METER, phone: '' }],
      ['012', { ...METER, serviceID: 'abedc-electric' }],
      ['013', { ...METER, amount: '99.99' }],
      ['017', { ...METER, amount: '10000000.01' }],
      ['010', { ...CARD, variation_code: 'none' }],
      ['011', { ...CARD, subscription_type: 'buy' }],
      ['011', { ...CARD, subscription_type: 'renew', amount: '123.00' }],
    ];
    for (const [code, fields] of refusals) {
      const request_id = newId();
      assert.equal(codeOf(await bench.pay({ ...fields, request_id })), code, JSON.stringify(fields));
      assert.equal(codeOf(await bench.requery(request_id)), '015');
    }
  });

  it('misbehaves for the documented numbers', async () => {
    await using bench = await openBench({ OJA_SIMULATOR_TIMEOUT_MS: '50' });
    for (const fields of [METER, CARD]) {
      const pay = (billersCode: string): Promise<unknown> =>
        bench.pay({ ...fields, billersCode, request_id: newId() }).catch((error: Error) => error.name);
      assert.equal(codeOf(await pay('201000000000')), '099');
      assert.equal(codeOf(await pay('500000000000')), '999');
      assert.equal(await pay('400000000000'), 'SyntaxError');
      assert.equal(await pay('300000000000'), 'TypeError');
    }
    assert.equal(
      statusOf(await bench.pay({ ...METER, billersCode: '1111111111111', request_id: newId() })),
      'delivered',
    );
    assert.equal(
      statusOf(await bench.pay({ ...CARD, billersCode: '1212121212', request_id: newId() })),
      'delivered',
    );
  });

  it('returns the same token each time, and a late one at its time, across restarts', async () => {
    await using bench = await openBench();
    const tokenOf = (reply: unknown): unknown => (reply as { token?: string }).token;
    const request_id = newId();
    const token = tokenOf(await bench.pay({ ...METER, request_id }));
    assert.match(String(token), /^\d{20}$/);
    assert.equal(tokenOf(await bench.requery(request_id)), token);
    await bench.fault({ fault: 'pending_fulfilments', fulfilment_ms: 5_000 });
    const late = newId();
    const sold = await bench.pay({ ...METER, request_id: late });
    assert.equal(statusOf(sold), 'delivered');
    assert.equal(tokenOf(sold), undefined);
    await bench.restart();
    assert.equal(tokenOf(await bench.requery(late)), undefined);
    await eventually(async () => tokenOf(await bench.requery(late)) !== undefined);
  });

  it('verifies by the number only, and reports a wrong one under the code of success', async () => {
    await using bench = await openBench();
    const verify = async (fields: Fields): Promise<Fields> => {
      const reply = await post(`${bench.url()}/vtpass/api/merchant-verify`, fields);
      return { code: codeOf(reply), ...(reply as { content: Fields }).content };
    };
    const meter = { serviceID: 'eko-electric', type: 'prepaid', billersCode: '45002000001' };
    const known = await verify(meter);
    assert.equal(known.code, '000');
    assert.ok(known.Customer_Name);
    assert.equal((await verify({ ...meter, serviceID: 'jos-electric' })).Customer_Name, known.Customer_Name);
    const unknown = await verify({ ...meter, billersCode: '45002000000' });
    assert.equal(unknown.code, '000');
    assert.equal(unknown.WrongBillersCode, true);
    assert.ok(unknown.error);
    assert.equal((await verify({ ...meter, type: 'daily' })).code, '011');
    assert.equal((await verify({ ...meter, billersCode: '1' })).code, '011');
    assert.equal((await verify({ ...meter, serviceID: 'mtn' })).code, '012');
    const card = { serviceID: 'gotv', billersCode: '7002000012' };
    const bouquet = await verify(card);
    assert.ok(bouquet.Current_Bouquet_Code && Number(bouquet.Renewal_Amount) > 0);
    assert.deepEqual(await verify(card), bouquet, 'the same every time');
    await bench.fault({ fault: 'biller_down', operation: 'verify' });
    assert.equal((await verify(card)).code, '030');
  });
});

const NOMBA = '00000000-0000-4000-8000-00000000a001';
const CREDENTIALS = {
  grant_type: 'client_credentials',
  client_id: '00000000-0000-4000-8000-00000000c001',
  client_secret: 'simulator-client-secret-0123456789abcdefghij',
};

type Reply = {
  readonly status: number;
  readonly code: string;
  readonly description: string;
  readonly data: Fields & { readonly meta: Fields };
};

type Principal = (path: string, body?: Fields, headers?: Record<string, string>) => Promise<Reply>;

function principalOf(bench: Bench): Principal {
  return async (path, body, headers = {}) => {
    const response = await fetch(`${bench.url()}/nomba${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { accountId: NOMBA, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as Omit<Reply, 'status'>) };
  };
}

/** Calls with a token. */
async function signIn(bench: Bench): Promise<Principal> {
  const call = principalOf(bench);
  const { data } = await call('/v1/auth/token/issue', CREDENTIALS);
  return (path, body) => call(path, body, { authorization: `Bearer ${data.access_token}` });
}

const RECORD = '/v1/transactions/accounts/single?merchantTxRef=';

const BILL = { customerId: '45002000001', amount: 2000, payerName: 'Oja' };
const PURCHASES: readonly (readonly [path: string, product: string, body: Fields])[] = [
  ['topup', 'airtime', { amount: 100, phoneNumber: '08031234567', network: 'MTN' }],
  ['data', 'data', { productId: 'mtn1', phoneNumber: '08031234567', network: 'mtn' }],
  ['electricity', 'ELECTRICITY', { ...BILL, disco: 'jed', meterType: 'prepaid' }],
  ['cabletv', 'CABLE', { ...BILL, customerId: '7002000001', cableTvType: 'dstv' }],
  [
    'betting',
    'BETTING',
    { ...BILL, customerId: 'PUNTER1', bettingProvider: 'bet9ja', phoneNumber: '08031234567' },
  ],
];

describe('Nomba', () => {
  it('sells every product, under both versions, and shows orders to its own account', async () => {
    await using bench = await openBench();
    const call = await signIn(bench);
    for (const [path, product, body] of PURCHASES) {
      for (const version of ['v1', 'v2']) {
        const merchantTxRef = newId();
        const sold = await call(`/${version}/bill/${path}`, { ...body, merchantTxRef });
        assert.equal(sold.data.meta.merchantTxRef, merchantTxRef);
        const isAtOnce = product !== 'airtime' && product !== 'data';
        assert.deepEqual(
          [sold.code, sold.data.status],
          isAtOnce ? ['00', 'SUCCESS'] : ['202', 'Processing...'],
        );
        const found = await call(`${RECORD}${merchantTxRef}`);
        assert.deepEqual([found.data.status, found.data.merchantTxRef], ['SUCCESS', merchantTxRef]);
        assert.equal(found.data.phcnVendToken, undefined);
        const elsewhere = await call(`/v1/transactions/accounts/sub-1/single?merchantTxRef=${merchantTxRef}`);
        assert.equal(elsewhere.code, '404');
        const delivery = (await bench.books()).at(-1);
        assert.deepEqual([delivery?.provider, delivery?.product], ['nomba', product]);
      }
    }
    assert.equal((await bench.books()).length, 2 * PURCHASES.length);
  });

  it('accepts a reference once', async () => {
    await using bench = await openBench();
    const call = await signIn(bench);
    const [path, , body] = PURCHASES[2] ?? ['', '', {}];
    const merchantTxRef = newId();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => call(`/v1/bill/${path}`, { ...body, merchantTxRef })),
    );
    assert.equal(replies.filter((reply) => reply.code === '00').length, 1);
    assert.equal((await bench.books()).length, 1);
  });

  it('refuses wrong credentials, and loses its tokens in a restart but not its orders', async () => {
    await using bench = await openBench();
    const call = principalOf(bench);
    for (const wrong of [{}, { ...CREDENTIALS, client_secret: 'x' }, { ...CREDENTIALS, grant_type: 'x' }]) {
      assert.equal((await call('/v1/auth/token/issue', wrong)).status, 401);
    }
    assert.equal((await call('/v1/auth/token/issue', CREDENTIALS, { accountId: 'other' })).status, 401);
    const { data } = await call('/v1/auth/token/issue', CREDENTIALS);
    const bearer = { authorization: `Bearer ${data.access_token}` };
    assert.equal((await call('/v1/accounts/balance', undefined, bearer)).code, '00');
    for (const headers of [{}, { authorization: 'Bearer x' }, { ...bearer, accountId: 'other' }]) {
      assert.equal((await call('/v1/accounts/balance', undefined, headers)).status, 401);
    }
    const refresh = { grant_type: 'refresh_token', refresh_token: data.refresh_token };
    assert.equal((await call('/v1/auth/token/refresh', refresh)).code, '00');
    assert.equal((await call('/v1/auth/token/refresh', refresh)).status, 401, 'good once');
    const merchantTxRef = newId();
    const [path, , body] = PURCHASES[0] ?? ['', '', {}];
    await call(`/v1/bill/${path}`, { ...body, merchantTxRef }, bearer);
    await bench.restart();
    assert.equal((await call(`${RECORD}${merchantTxRef}`, undefined, bearer)).status, 401);
    const again = await signIn(bench);
    assert.equal((await again(`${RECORD}${merchantTxRef}`)).data.status, 'SUCCESS');
    await using brief = await openBench({ OJA_SIMULATOR_TOKEN_LIFE_S: '0' });
    assert.equal((await (await signIn(brief))('/v1/accounts/balance')).status, 401);
  });

  it('refuses wrong orders, and records none of them', async () => {
    await using bench = await openBench({ OJA_SIMULATOR_BALANCE: '5000' });
    const call = await signIn(bench);
    const electricity = { ...BILL, disco: 'jed', meterType: 'prepaid' };
    const refusals: readonly (readonly [string, Fields])[] = [
      ['topup', { amount: '100', phoneNumber: '08031234567', network: 'MTN' }],
      ['topup', { amount: 100, phoneNumber: '12', network: 'MTN' }],
      ['topup', { amount: 100, phoneNumber: '08031234567', network: 'SMILE' }],
      ['data', { productId: 'none', phoneNumber: '08031234567', network: 'MTN' }],
      ['electricity', { ...electricity, disco: 'none' }],
      ['electricity', { ...electricity, meterType: 'weekly' }],
      ['electricity', { ...electricity, customerId: '45002000000' }],
      ['electricity', { ...electricity, customerId: '10000000002' }],
      ['electricity', { ...electricity, amount: 2000.5 }],
      ['electricity', { ...electricity, payerName: '' }],
      ['electricity', { ...electricity, amount: 5001 }],
      ['cabletv', { ...BILL, customerId: '10000000010', cableTvType: 'gotv' }],
      ['cabletv', { ...BILL, customerId: '7002000001', cableTvType: 'none' }],
      ['betting', { ...BILL, customerId: 'P 1', bettingProvider: 'bet9ja', phoneNumber: '08031234567' }],
      ['betting', { ...BILL, customerId: 'PUNTER1', bettingProvider: 'none', phoneNumber: '08031234567' }],
      ['betting', { ...BILL, customerId: 'PUNTER1', bettingProvider: 'bet9ja' }],
    ];
    for (const [path, body] of refusals) {
      const merchantTxRef = newId();
      const reply = await call(`/v1/bill/${path}`, { ...body, merchantTxRef });
      assert.equal(reply.code, '400', JSON.stringify(body));
      assert.equal((await call(`${RECORD}${merchantTxRef}`)).code, '404');
    }
    assert.equal((await call('/v1/bill/electricity', electricity)).code, '400', 'no reference');
    assert.equal((await call('/v1/bill/nothing', electricity)).code, '404');
    assert.deepEqual(await bench.books(), []);
  });

  it('looks customers up by name, and lists what it sells', async () => {
    await using bench = await openBench();
    const call = await signIn(bench);
    const lookups = [
      ['electricity/lookup?disco=jed&customerId=', '45002000001', '45002000000'],
      ['cabletv/lookup?cableTvType=dstv&customerId=', '10000000010', '10000000020'],
      ['betting/lookup?providerId=bet9ja&customerId=', 'PUNTER1', 'PUNTER1000'],
    ] as const;
    for (const [path, known, unknown] of lookups) {
      const found = await call(`/v1/bill/${path}${known}`);
      assert.deepEqual([found.code, typeof found.data], ['00', 'string']);
      assert.equal((await call(`/v1/bill/${path}${unknown}`)).code, '404');
    }
    assert.equal((await call('/v1/bill/electricity/lookup?disco=none&customerId=45002000001')).code, '400');
    for (const [path, count] of [
      ['electricity/discos', 13],
      ['betting/providers', 8],
    ] as const) {
      const { data } = await call(`/v1/bill/${path}`);
      assert.equal((data as unknown as unknown[]).length, count);
    }
    for (const path of ['data-plan/mtn', 'cableTvProduct?cableTvType=gotv']) {
      assert.ok(((await call(`/v1/bill/${path}`)).data as unknown as unknown[]).length > 5);
    }
  });

  it('answers a query with a stranger’s record on demand, only at the provider of the rule', async () => {
    await using bench = await openBench();
    const call = await signIn(bench);
    const [path, , body] = PURCHASES[0] ?? ['', '', {}];
    const merchantTxRef = newId();
    await call(`/v1/bill/${path}`, { ...body, merchantTxRef });
    await bench.fault({ fault: 'stranger_record', operation: 'requery', provider: 'vtpass' });
    assert.equal((await call(`${RECORD}${merchantTxRef}`)).data.merchantTxRef, merchantTxRef);
    await bench.fault({ fault: 'stranger_record', operation: 'requery', provider: 'nomba' });
    const stranger = await call(`${RECORD}${merchantTxRef}`);
    assert.equal(stranger.data.status, 'SUCCESS');
    assert.notEqual(stranger.data.merchantTxRef, merchantTxRef);
  });

  it('sends signed webhooks about orders that were pending', async () => {
    const received: {
      headers: Record<string, unknown>;
      body: Reply & { event_type: string; requestId: string };
    }[] = [];
    const receiver = createServer(async (request, response) => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
      received.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const address = receiver.address();
    assert.ok(address !== null && typeof address === 'object');
    await using bench = await openBench({
      OJA_SIMULATOR_HOOKS_URL: `http://127.0.0.1:${address.port}/hooks`,
    });
    const call = await signIn(bench);
    const [path, , body] = PURCHASES[2] ?? ['', '', {}];
    const outcomes = [
      ['pending_then_success', 'payout_success', 'SUCCESS'],
      ['pending_then_failed', 'payout_refund', 'REFUND'],
    ] as const;
    for (const [fault, event, status] of outcomes) {
      await bench.fault({ fault, settle_ms: 20 });
      const merchantTxRef = newId();
      const sold = await call(`/v1/bill/${path}`, { ...body, merchantTxRef });
      assert.deepEqual([sold.code, sold.data.status], ['202', 'PENDING_BILLING']);
      await eventually(async () => received.at(-1)?.body.event_type === event);
      const last = received.at(-1);
      assert.ok(last !== undefined);
      const { headers, body: told } = last;
      const { merchant, transaction } = told.data as unknown as Record<string, Record<string, string>>;
      assert.equal(transaction?.merchantTxRef, merchantTxRef);
      const signed = [
        ...[event, told.requestId, merchant?.userId, merchant?.walletId, transaction?.transactionId],
        ...[transaction?.type, transaction?.time, '', headers['nomba-timestamp']],
      ].join(':');
      const signature = createHmac('sha256', 'simulator-signature-key').update(signed).digest('base64');
      assert.equal(headers['nomba-signature'], signature);
      assert.equal((await call(`${RECORD}${merchantTxRef}`)).data.status, status);
    }
    receiver.closeAllConnections();
    receiver.close();
  });
});

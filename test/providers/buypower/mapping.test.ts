/**
 * BuyPower's answers: the decision of each documented one, by call, HTTP status and code, and that
 * nothing else is final.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answerToCheck,
  answerToQuery,
  answerToVend,
  isRefusedOnce,
  readBalance,
  readPlans,
  refusedTwice,
} from '../../../src/providers/buypower/mapping.ts';
import { toCheck, toPurchase, toQuery } from '../../../src/providers/buypower/purchase.ts';
import { readBuypower } from '../../../src/providers/buypower/settings.ts';
import type { CallResult } from '../../../src/providers/http/call.ts';
import { unreadablePlan } from '../../../src/providers/plan-facts.ts';
import type { ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import { commonSettings, readSettings } from '../../support/read-settings.ts';

const order: ProviderOrder = {
  reference: '0190d3c5-7a51-8b87-9f0c-0b8f6f1f8a11',
  product: 'ELECTRICITY',
  network: 'Ikeja Electric',
  recipient: '45002000001',
  amount: 2_000_00n,
  currency: 'NGN',
  phone: '2348031234567',
  planCodes: { disco: 'IKEJA', vend_type: 'PREPAID' },
};

const cable: ProviderOrder = {
  ...order,
  product: 'CABLE',
  network: 'DSTV',
  planCodes: { disco: 'DSTV', tariff_class: 'dstv-padi' },
};

function reply(status: number, body: unknown): CallResult {
  return { kind: 'reply', status, body };
}

function refusal(status: number, responseCode: number, message: string, more: object = {}): CallResult {
  return reply(status, { status: false, message, responseCode, ...more });
}

const goods = {
  id: 1,
  orderId: order.reference,
  token: '1111-2222-3333-4444-5555',
  units: '12.8',
  totalAmountPaid: 2000,
  vendAmount: 2000,
  vendRef: 77,
  responseCode: 100,
  responseMessage: 'Request successful',
  parcels: [
    { type: 'KCT1', content: '0000-0000-0000-0000-0001' },
    { type: 'KCT2', content: '0000-0000-0000-0000-0002' },
    { type: 'TOKEN', content: '1111-2222-3333-4444-5555' },
    { type: 'BONUS', content: '0000-0000-0000-0000-0003' },
  ],
};

function success(more: object = {}, outer: object = {}): Record<string, unknown> {
  const data = { ...goods, ...more };
  return { status: true, message: 'Successful transaction', responseCode: 200, data, ...outer };
}

const wholeGoods = {
  token: '11112222333344445555',
  units: '12.8',
  bonus_token: '00000000000000000003',
  kct1: '00000000000000000001',
  kct2: '00000000000000000002',
};

const goodsOf = (answer: ProviderAnswer): unknown => (answer.kind === 'success' ? answer.goods : 'none');

describe('settings of BuyPower', () => {
  it('requires the e-mail address of the gateway', () => {
    const read = (variables: Record<string, string>) =>
      readSettings(
        (reader) => readBuypower(reader, { ...commonSettings, contactEmail: undefined }),
        variables,
      );
    assert.deepEqual(read({}).faults, []);
    assert.deepEqual(read({ OJA_BUYPOWER_TOKEN: 'x' }).faults, ['OJA_CONTACT_EMAIL']);
  });
});

describe('requests of BuyPower', () => {
  const settings = { contactEmail: 'a@b.ng', contactPhone: undefined, businessName: 'Oja' };

  it('sends an order in whole naira under our reference, with the codes of its plan', () => {
    assert.deepEqual(toPurchase(order, settings), {
      body: {
        orderId: order.reference,
        meter: '45002000001',
        vertical: 'ELECTRICITY',
        disco: 'IKEJA',
        vendType: 'PREPAID',
        paymentType: 'B2B',
        amount: '2000',
        phone: '08031234567',
        email: 'a@b.ng',
        name: 'Oja',
      },
    });
    const sold = toPurchase({ ...cable, customer: { name: 'ADA OBI' } }, settings);
    assert.ok('body' in sold);
    assert.equal(sold.body.vertical, 'TV');
    assert.equal(sold.body.tariffClass, 'dstv-padi');
    assert.equal(sold.body.name, 'ADA OBI');
  });

  it('refuses an order without a plan code, a phone or whole naira', () => {
    const { phone, ...phoneless } = order;
    const lacking: readonly (readonly [ProviderOrder, string])[] = [
      [{ ...order, planCodes: { disco: 'IKEJA' } }, 'code'],
      [{ ...order, planCodes: { disco: 'IKEJA', vend_type: 'prepaid' } }, 'code'],
      [{ ...order, planCodes: {} }, 'code'],
      [{ ...cable, planCodes: { disco: 'DSTV' } }, 'code'],
      [{ ...order, product: 'BETTING' }, 'code'],
      [{ ...order, amount: 2_000_50n }, 'whole naira'],
      [phoneless, 'phone'],
    ];
    for (const [one, lacks] of lacking) assert.deepEqual(toPurchase(one, settings), { lacks });
    assert.ok('body' in toPurchase(phoneless, { ...settings, contactPhone: phone }));
  });

  it('builds the query of an order in either spelling', () => {
    assert.equal(toQuery('a/b', 'vend'), '/vend?orderId=a%2Fb&getLastResponse=true');
    assert.equal(toQuery('a/b', 'transaction'), '/transaction/a%2Fb');
  });
});

describe('the answer to an order', () => {
  it('reads both codes of success as a success, with the key change tokens', () => {
    const answer = answerToVend(order, reply(200, success()));
    assert.ok(answer.kind === 'success');
    assert.deepEqual(answer.goods, wholeGoods);
    assert.equal(answer.providerId, '77');
    assert.equal(answer.cost, undefined);
    assert.equal(answer.telcoMessage, 'Request successful');
  });

  it('reads each documented answer to an order', () => {
    const cases: readonly (readonly [CallResult, string, fault?: string])[] = [
      [refusal(202, 202, 'in progress', { delay: [120, 120, 120] }), 'accepted'],
      [refusal(202, 202, 'in progress', { delay: [20, 20, 20, 20, 20, 20] }), 'accepted'],
      [refusal(409, 201, 'Request already received'), 'unknown'],
      [refusal(400, 201, 'Invalid Order ID. Order ID is required'), 'failed', 'provider'],
      [refusal(422, 202, 'insufficient wallet balance'), 'failed', 'provider'],
      [refusal(500, 500, 'unexpected error, requery to get status'), 'unknown'],
      [refusal(502, 503, 'unexpected error, requery to get status'), 'unknown'],
      [refusal(503, 502, 'unexpected error, requery to get status'), 'unknown'],
      [refusal(501, 501, 'account is being migrated'), 'unknown'],
      [reply(401, { message: 'Unauthenticated.' }), 'failed', 'provider'],
      [reply(429, { message: 'Too many' }), 'not_sent'],
      [{ kind: 'lost', reason: 'unreadable', status: 429 }, 'not_sent'],
      [{ kind: 'lost', reason: 'cut' }, 'unknown'],
      [{ kind: 'not_sent', reason: 'full' }, 'not_sent'],
    ];
    for (const [result, kind, fault] of cases) {
      const answer = answerToVend(order, result);
      assert.equal(answer.kind, kind, JSON.stringify(result));
      assert.equal(answer.kind === 'failed' ? answer.fault : undefined, fault);
    }
  });

  it('reads every other combination of status and code as unknown', () => {
    const listed = new Set(['200/200', '202/202', '400/201', '422/202', '401/', '429/']);
    const statuses = [200, 201, 202, 204, 301, 400, 401, 403, 404, 409, 422, 429, 500, 501, 502, 503, 504];
    const codes = [0, 20, 100, 200, 201, 202, 203, 299, 400, 401, 422, 500, 501, 502, 503, 999];
    for (const status of statuses.filter((one) => one !== 401 && one !== 429)) {
      for (const code of codes.filter((one) => !listed.has(`${status}/${one}`))) {
        for (const [isTrue, text] of [
          [false, 'Transaction failed.'],
          [true, 'Successful transaction'],
        ] as const) {
          const result = reply(status, { status: isTrue, responseCode: code, message: text });
          assert.equal(answerToVend(order, result).kind, 'unknown', `${status}/${code}`);
        }
      }
    }
  });

  it('reads a contradictory or foreign answer as unknown', () => {
    for (const doubt of [
      reply(200, success({ responseCode: 101 })),
      reply(200, success({ responseCode: undefined })),
      reply(200, success({}, { status: false })),
      reply(200, success({}, { data: undefined })),
      refusal(400, 201, 'Transaction is still processing'),
      refusal(400, 202, 'Transaction failed.'),
      refusal(400, 203, 'Transaction not initiated.'),
      refusal(404, 20, 'No transaction found with reference: x'),
      refusal(422, 202, 'insufficient wallet balance', { status: true }),
      refusal(422, 202, 'insufficient wallet balance', { data: { responseCode: 100 } }),
      reply(200, '<html>'),
      reply(200, {}),
      reply(200, []),
      reply(403, { message: 'Forbidden' }),
      reply(301, {}),
    ]) {
      assert.equal(answerToVend(order, doubt).kind, 'unknown', JSON.stringify(doubt));
    }
  });

  it('reads no success from another order or another amount', () => {
    assert.equal(answerToVend(order, reply(200, success({ orderId: 'x' }))).code, 'other_order');
    const other = answerToVend(order, reply(200, success({ vendAmount: 1900, totalAmountPaid: 1950 })));
    assert.ok(other.kind === 'unknown' && other.delivered);
    // Charges on top.
    assert.equal(answerToVend(order, reply(200, success({ totalAmountPaid: 2100 }))).kind, 'success');
    for (const split of [
      { vendAmount: '1,500', debtAmount: 500, totalAmountPaid: 2100, charges: 50 },
      { vendAmount: 1500, debtAmount: 0, totalAmountPaid: '2,100.00', charges: '100' },
    ]) {
      assert.equal(answerToVend(order, reply(200, success(split))).kind, 'success', JSON.stringify(split));
    }
  });
});

describe('the answer to a query', () => {
  it('reads a success wrapped or not, with numbers as text', () => {
    for (const body of [{ result: success({ vendAmount: '2000.00', responseCode: '100' }) }, success()]) {
      assert.deepEqual(goodsOf(answerToQuery(order, reply(200, body))), wholeGoods);
    }
  });

  it('reads no success from a record that does not name our order', () => {
    for (const orderId of [undefined, null, 'x']) {
      const body = { result: success({ orderId }) };
      assert.equal(answerToQuery(order, reply(200, body)).kind, 'unknown', String(orderId));
    }
  });

  it('reads each documented answer to a query', () => {
    const cases: readonly (readonly [CallResult, string])[] = [
      [refusal(202, 202, 'in progress', { delay: [120] }), 'accepted'],
      [refusal(400, 201, 'Transaction is still processing, retry in 2 minutes'), 'accepted'],
      [refusal(400, 201, 'Invalid Order ID. Order ID is required'), 'unknown'],
      [refusal(400, 202, 'Transaction failed.'), 'failed'],
      [refusal(400, 202, 'Transaction not successful. Please retry.'), 'unknown'],
      [refusal(400, 202, 'Something else'), 'unknown'],
      [refusal(400, 203, 'Transaction not initiated.'), 'not_found'],
      [refusal(404, 20, 'No transaction found with reference: x'), 'not_found'],
      [refusal(422, 202, 'insufficient wallet balance'), 'unknown'],
      [refusal(409, 201, 'Request already received'), 'unknown'],
      [refusal(500, 500, 'x'), 'unknown'],
      [refusal(501, 501, 'account is being migrated'), 'unknown'],
      [reply(401, { message: 'Unauthenticated.' }), 'unknown'],
      [reply(403, { message: 'Forbidden' }), 'unknown'],
      [reply(404, { message: 'Not Found' }), 'unknown'],
      [reply(404, '<html>'), 'unknown'],
      [refusal(400, 202, 'Transaction failed.', { status: true }), 'unknown'],
      [refusal(400, 203, 'Transaction not initiated.', { data: { responseCode: '100' } }), 'unknown'],
      [{ kind: 'lost', reason: 'cut' }, 'unknown'],
      [{ kind: 'not_sent', reason: 'full' }, 'unknown'],
    ];
    for (const [result, kind] of cases) {
      assert.equal(answerToQuery(order, result).kind, kind, JSON.stringify(result));
    }
  });

  it('fails an order by a refusal that requests a retry only if it comes twice', () => {
    const once = answerToQuery(order, refusal(400, 202, 'Transaction not successful. Please retry.'));
    assert.ok(isRefusedOnce(once));
    const twice = refusedTwice(once);
    assert.equal(twice.code, '400/202');
    assert.equal(twice.fault, 'order');
    assert.equal(twice.telcoMessage, 'Transaction not successful. Please retry.');
    for (const other of [
      refusal(400, 202, 'Transaction failed.'),
      refusal(500, 500, 'x'),
      refusal(501, 501, 'account is being migrated'),
      refusal(404, 20, 'x'),
      refusal(202, 202, 'x'),
    ]) {
      assert.ok(!isRefusedOnce(answerToQuery(order, other)));
    }
  });
});

describe('the goods', () => {
  const read = (more: object, of = order): unknown => goodsOf(answerToVend(of, reply(200, success(more))));

  it('reads a second token as the bonus, and nothing while a token is missing', () => {
    const token = (content: string) => ({ type: 'TOKEN', content });
    const [one, two, three] = ['1111-2222-3333-4444-5555', '0000-0000-0000-0000-0009', '0'.repeat(20)];
    assert.deepEqual(read({ parcels: [token(one), token(two)] }), {
      token: '11112222333344445555',
      units: '12.8',
      bonus_token: '00000000000000000009',
    });
    // More than a customer is told, or one that cannot be read.
    assert.equal(read({ parcels: [token(one), token(two), token(three)] }), undefined);
    assert.equal(read({ parcels: [token(one), token('soon')] }), undefined);
    assert.equal(read({ parcels: [token(one), { type: 'BONUS', content: '12' }] }), undefined);
  });

  it('reads a token without its separators, and does not mistake a key change token for it', () => {
    assert.deepEqual(read({ parcels: undefined }), { token: '11112222333344445555', units: '12.8' });
    assert.deepEqual(read({ parcels: [], units: undefined }), { token: '11112222333344445555' });
    const keys = goods.parcels.slice(0, 2);
    assert.equal(read({ parcels: keys, token: keys[0]?.content }), undefined);
  });

  it('reads the key change tokens that a text names', () => {
    const [one, two, token] = [
      '0000-0000-0000-0000-0001',
      '0000-0000-0000-0000-0002',
      '2222-3333-4444-5555-6666',
    ];
    const named = `KCT1: ${one} KCT2: ${two}`;
    const whole = {
      token: '22223333444455556666',
      units: '12.8',
      kct1: '00000000000000000001',
      kct2: '00000000000000000002',
    };
    const inParcel = (content: string): object => ({
      parcels: [{ type: 'TOKEN', content }],
      token: undefined,
    });
    assert.deepEqual(read({ parcels: [], token: `${named} Token: ${token}` }), whole);
    assert.deepEqual(read(inParcel(`${named} Token: ${token}`)), whole);
    assert.deepEqual(read({ ...inParcel(token), token: named }), whole);
    assert.equal(read({ parcels: [], token: named }), undefined);
    assert.equal(read(inParcel(named)), undefined);
    assert.equal(read({ ...inParcel(one), token: named }), undefined);
    assert.equal(read({ parcels: [], token: `Tokens: ${one} (KCT1), ${token}` }), undefined);
  });

  it('leaves the goods out until they are complete', () => {
    assert.equal(read({ parcels: undefined, token: undefined }), undefined);
    assert.equal(read({ token: 'null', parcels: [] }), undefined);
    const unreadable = goods.parcels.map((one) => (one.type === 'KCT2' ? { ...one, content: 'soon' } : one));
    assert.equal(read({ parcels: unreadable }), undefined);
    assert.equal(read({ parcels: [...goods.parcels, { type: 'KCT3', content: '1' }] }), undefined);
  });

  it('reads goods for prepaid meters only', () => {
    assert.equal(read({}, { ...order, planCodes: { disco: 'IKEJA', vend_type: 'POSTPAID' } }), undefined);
    assert.equal(read({}, cable), undefined);
  });
});

describe('the check of a customer', () => {
  const query = { product: 'ELECTRICITY', network: 'x', recipient: '1', planCodes: order.planCodes ?? {} };
  const known = {
    error: false,
    vendType: 'PREPAID',
    meterNo: '1',
    minVendAmount: 500,
    maxVendAmount: 0,
    responseCode: 100,
    outstanding: 0,
    name: 'ADA OBI',
    address: 'Road',
    tariff: '66',
  };

  it('builds the check from the codes of the plan', () => {
    assert.equal(
      toCheck(query),
      '/check/meter?meter=1&vertical=ELECTRICITY&disco=IKEJA&vendType=PREPAID&orderId=false',
    );
    assert.equal(toCheck({ ...query, planCodes: {} }), undefined);
  });

  it('names a known customer', () => {
    assert.deepEqual(answerToCheck(query, reply(200, known)), {
      kind: 'verified',
      customer: {
        name: 'ADA OBI',
        address: 'Road',
        minAmount: 500_00n,
        meterNumber: '1',
        arrears: 0n,
        meterType: 'PREPAID',
        tariff: '66',
      },
    });
  });

  it('rejects a customer on an explicit error, and a meter of the other kind', () => {
    const wrong = { error: true, message: 'Invalid meter', responseCode: 203 };
    for (const status of [400, 404, 422]) {
      assert.equal(answerToCheck(query, reply(status, wrong)).kind, 'rejected');
    }
    assert.equal(answerToCheck(query, reply(200, { ...known, vendType: 'POSTPAID' })).kind, 'rejected');
    for (const doubt of [
      reply(200, wrong),
      reply(401, wrong),
      reply(429, wrong),
      reply(500, wrong),
      reply(404, { message: 'Not Found' }),
      reply(200, { ...known, error: undefined }),
      reply(200, { ...known, responseCode: 200 }),
      reply(200, { ...known, name: '' }),
      { kind: 'lost', reason: 'cut' },
    ] satisfies CallResult[]) {
      assert.equal(answerToCheck(query, doubt).kind, 'unavailable', JSON.stringify(doubt));
    }
  });
});

describe('lists of BuyPower', () => {
  it('reads the balance and the bouquets, or nothing', () => {
    assert.deepEqual(readBalance(reply(200, { balance: '1234.50' })), { amount: 1_234_50n, currency: 'NGN' });
    for (const bad of [reply(200, {}), reply(500, { balance: 1 }), reply(200, { balance: -1 })]) {
      assert.equal(readBalance(bad), undefined);
    }
    assert.deepEqual(readPlans(reply(200, { data: [{ code: 'a', price: 10 }, { price: 1 }, 1] })), [
      { code: 'a', name: 'a', price: 10_00n, fixed: true },
      unreadablePlan,
      unreadablePlan,
    ]);
    assert.equal(readPlans(reply(200, {})), undefined);
  });
});

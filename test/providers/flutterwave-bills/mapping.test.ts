/**
 * Flutterwave's answers about bills: the decision of each documented one, and that nothing else is
 * final.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseFlutterwaveCallback } from '../../../src/providers/flutterwave-bills/callback.ts';
import {
  answerToPayment,
  answerToStatus,
  answerToValidation,
  findInHistory,
  hasNextPage,
  readBalance,
  readPlans,
} from '../../../src/providers/flutterwave-bills/mapping.ts';
import { toPurchase, toValidation } from '../../../src/providers/flutterwave-bills/purchase.ts';
import { readFlutterwaveBills } from '../../../src/providers/flutterwave-bills/settings.ts';
import type { CallResult } from '../../../src/providers/http/call.ts';
import { unreadablePlan } from '../../../src/providers/plan-facts.ts';
import type { ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import { readSettings } from '../../support/read-settings.ts';
import { reply } from '../connector-replies.ts';

const airtime: ProviderOrder = {
  reference: '0190d3c5-7a51-8b87-9f0c-0b8f6f1f8a11',
  product: 'airtime',
  network: 'MTN',
  recipient: '2348031234567',
  amount: 500_00n,
  currency: 'NGN',
};

const power: ProviderOrder = {
  ...airtime,
  product: 'ELECTRICITY',
  network: 'Ikeja Electric',
  recipient: '45002000001',
  planCodes: { biller_code: 'BIL1', item_code: 'UB1', meter_type: 'prepaid' },
};

const postpaid: ProviderOrder = {
  ...power,
  planCodes: { biller_code: 'BIL1', item_code: 'UB2', meter_type: 'postpaid' },
};

const TX_REF = 'CF-FLYAPI-20260311081921359990';

function good(data: unknown, meta?: unknown): CallResult {
  return reply({ status: 'success', message: 'Bill payment successful', data, meta });
}

function refusal(message: string, status = 400): CallResult {
  return reply({ status: 'error', message, data: null }, status);
}

const paid = {
  phone_number: '08031234567',
  amount: 500,
  network: 'MTN',
  code: '200',
  tx_ref: TX_REF,
  reference: null,
  batch_reference: null,
  recharge_token: null,
  fee: 0,
};

const record = {
  currency: 'NGN',
  customer_id: '08031234567',
  amount: '500.0000',
  customer_reference: airtime.reference,
  tx_ref: TX_REF,
  extra: null,
};

const token = '11112222333344445555';
const goodsOf = (answer: ProviderAnswer | undefined): unknown =>
  answer?.kind === 'success' ? answer.goods : 'none';

describe('settings of Flutterwave’s bills', () => {
  const read = (variables: Record<string, string>) => readSettings(readFlutterwaveBills, variables);
  const key = { OJA_FLUTTERWAVE_BILLS_SECRET_KEY: 'x' };

  it('knows the codes of airtime of MTN', () => {
    assert.deepEqual(read({ OJA_FLUTTERWAVE_BILLS_SECRET_HASH: 'x' }).settings, undefined);
    const { settings } = read(key);
    assert.deepEqual([...(settings?.airtime ?? [])], [['MTN', { billerCode: 'BIL099', itemCode: 'AT099' }]]);
  });

  it('reads further networks, and names malformed ones', () => {
    const { settings } = read({ ...key, OJA_FLUTTERWAVE_BILLS_AIRTIME: 'GLO=BIL1:AT1, 9MOBILE=BIL2:AT2' });
    assert.deepEqual([...(settings?.airtime.keys() ?? [])], ['GLO', '9MOBILE']);
    assert.equal(read({ ...key, OJA_FLUTTERWAVE_BILLS_AIRTIME: 'GLO' }).faults.length, 1);
    assert.equal(read({ ...key, OJA_FLUTTERWAVE_BILLS_CALLBACK: 'x' }).faults.length, 1);
  });
});

describe('requests of Flutterwave’s bills', () => {
  const codes = { airtime: new Map([['MTN', { billerCode: 'BIL099', itemCode: 'AT099' }]]) };

  it('sends a number of naira under our reference, to the biller of the plan', () => {
    const body = { country: 'NG', customer_id: '08031234567', amount: 500, reference: airtime.reference };
    const path = '/billers/BIL099/items/AT099/payment';
    assert.deepEqual(toPurchase(airtime, codes), { path, body });
    const callbackUrl = 'https://a.example/hooks/flutterwave-bills';
    const called = toPurchase(airtime, { ...codes, callbackUrl });
    assert.deepEqual(called, { path, body: { ...body, callback_url: callbackUrl } });
    const bill = toPurchase(power, codes);
    assert.ok('body' in bill);
    assert.equal(bill.path, '/billers/BIL1/items/UB1/payment');
    assert.equal(bill.body.customer_id, '45002000001');
  });

  it('refuses an order without its codes or whole naira', () => {
    for (const [order, lacks] of [
      [{ ...airtime, network: 'GLO' }, 'code'],
      [{ ...airtime, product: 'data' }, 'code'],
      [{ ...power, planCodes: { biller_code: 'BIL1', item_code: 'UB1' } }, 'code'],
      [{ ...power, planCodes: { biller_code: 'BIL1', meter_type: 'prepaid' } }, 'code'],
      [{ ...airtime, amount: 500_50n }, 'whole naira'],
    ] as const) {
      assert.deepEqual(toPurchase(order, codes), { lacks });
    }
  });

  it('builds the validation from the codes of the plan', () => {
    assert.equal(toValidation(power), '/bill-items/UB1/validate?code=BIL1&customer=45002000001');
    assert.equal(toValidation({ ...power, planCodes: {} }), undefined);
  });
});

describe('the answer to an order', () => {
  it('reads the code of a delivery as a success, for electricity with its token', () => {
    const answer = answerToPayment(airtime, good(paid));
    assert.ok(answer.kind === 'success');
    assert.equal(answer.providerId, TX_REF);
    assert.equal(answer.cost, undefined);
    const lit = answerToPayment(power, good({ ...paid, recharge_token: `Token: ${token}` }));
    assert.deepEqual(goodsOf(lit), { token });
    const keyed = `KCT1: ${token.replaceAll('1', '6')}, KCT2: ${token.replaceAll('1', '7')}, Token: ${token}`;
    assert.deepEqual(goodsOf(answerToPayment(power, good({ ...paid, recharge_token: keyed }))), {
      token,
      kct1: '66662222333344445555',
      kct2: '77772222333344445555',
    });
  });

  it('keeps an order pending without that code, and electricity without a token', () => {
    for (const code of [undefined, null, '', '201', '202', '00', '400', '500', 'success']) {
      assert.equal(answerToPayment(airtime, good({ ...paid, code })).kind, 'accepted', String(code));
    }
    for (const order of [power, postpaid]) {
      assert.equal(answerToPayment(order, good(paid)).kind, 'accepted');
      assert.equal(answerToPayment(order, good({ ...paid, recharge_token: 'soon' })).kind, 'accepted');
    }
  });

  it('fails an order by documented words only', () => {
    const cases: readonly (readonly [CallResult, string, fault?: string])[] = [
      [refusal('Insufficient balance'), 'failed', 'provider'],
      [refusal('validation error'), 'failed', 'order'],
      [refusal('Invalid customer id'), 'failed', 'order'],
      [refusal('amount is required'), 'failed', 'order'],
      [refusal('Duplicate reference'), 'unknown'],
      [refusal('Validation error: reference already exists'), 'unknown'],
      [refusal('Insufficient data: duplicate order'), 'unknown'],
      [refusal('Invalid response from the biller'), 'unknown'],
      [refusal('An error occurred'), 'unknown'],
      [refusal(''), 'unknown'],
      [refusal('Invalid authorization key', 401), 'failed', 'provider'],
      [refusal('Too many requests', 429), 'not_sent'],
      [{ kind: 'lost', reason: 'unreadable', status: 429 }, 'not_sent'],
      [{ kind: 'lost', reason: 'unreadable', status: 403 }, 'unknown'],
      [{ kind: 'lost', reason: 'cut' }, 'unknown'],
      [{ kind: 'not_sent', reason: 'full' }, 'not_sent'],
    ];
    for (const [result, kind, fault] of cases) {
      const answer = answerToPayment(airtime, result);
      assert.equal(answer.kind, kind, JSON.stringify(result));
      assert.equal(answer.kind === 'failed' ? answer.fault : undefined, fault);
    }
    for (const status of [402, 403, 404, 409, 422, 500, 502, 503, 504]) {
      for (const words of ['Insufficient balance', 'validation error']) {
        assert.equal(answerToPayment(airtime, refusal(words, status)).kind, 'unknown', String(status));
      }
    }
  });

  it('reads an unreadable answer, and one about another order or amount, as unknown', () => {
    for (const doubt of [
      good(null),
      good([]),
      good('x'),
      reply({ status: 'success', data: paid }, 500),
      reply({ status: 'success', data: paid }, 301),
      reply({ status: true, data: paid }),
      reply({ status: 'error', data: paid }),
      reply(paid),
      reply('<html>'),
    ]) {
      assert.equal(answerToPayment(airtime, doubt).kind, 'unknown', JSON.stringify(doubt));
    }
    assert.equal(answerToPayment(airtime, good({ ...paid, customer_reference: 'x' })).code, 'other_order');
    for (const amount of [499, 'x', -500, {}]) {
      const other = answerToPayment(airtime, good({ ...paid, amount }));
      assert.ok(other.kind === 'unknown' && other.delivered, String(amount));
    }
  });
});

describe('the status of a bill', () => {
  const ask = (data: unknown, order = airtime, id = order.reference): ProviderAnswer =>
    answerToStatus(order, id, good(data));

  it('reads a documented word, or the token of electricity, as a success', () => {
    for (const status of ['success', 'successful', 'Successful']) {
      assert.equal(ask({ ...record, status }).kind, 'success', status);
    }
    assert.deepEqual(goodsOf(ask({ ...record, extra: token }, power)), { token });
    assert.deepEqual(goodsOf(ask({ ...record, status: 'success' }, power)), undefined);
    assert.equal(ask({ ...record, status: 'success' }, postpaid).kind, 'success');
  });

  it('reads a record without a status as pending, and any other status as unknown', () => {
    for (const order of [airtime, power, postpaid]) assert.equal(ask(record, order).kind, 'accepted');
    // The token of a postpaid meter is nothing that is known.
    assert.equal(ask({ ...record, extra: token }, postpaid).kind, 'accepted');
    for (const status of ['failed', 'Failed', 'error', 'pending', 'reversed', 'cancelled', 'x', 0]) {
      assert.equal(ask({ ...record, status }).kind, 'unknown', String(status));
    }
  });

  it('reads nothing final without a record of ours', () => {
    for (const foreign of [
      { ...record, customer_reference: 'x' },
      { ...record, customer_reference: undefined },
      { ...record, customer_reference: undefined, reference: 'x' },
    ]) {
      assert.equal(ask({ ...foreign, status: 'success' }).code, 'other_order', JSON.stringify(foreign));
    }
    const unnamed = { ...record, customer_reference: undefined, status: 'success' };
    assert.equal(ask(unnamed, airtime, TX_REF).kind, 'success');
    assert.equal(ask({ ...unnamed, customer_reference: 'x' }, airtime, TX_REF).code, 'other_order');
    assert.equal(ask(unnamed, airtime, 'CF-FLYAPI-1').code, 'other_order');
    for (const doubt of [
      refusal('An error occurred'),
      refusal('No bill was found', 404),
      refusal('Invalid authorization key', 401),
      refusal('Insufficient balance'),
      refusal('validation error'),
      good(null),
      reply({ status: 'success', data: { ...record, status: 'success' } }, 500),
      { kind: 'lost', reason: 'cut' },
      { kind: 'not_sent', reason: 'full' },
    ] satisfies CallResult[]) {
      assert.equal(answerToStatus(airtime, 'x', doubt).kind, 'unknown', JSON.stringify(doubt));
    }
  });

  it('reports a delivery of another amount, which only a person can settle', () => {
    for (const [order, more] of [
      [airtime, { status: 'success' }],
      [power, { extra: token }],
    ] as const) {
      const answer = ask({ ...record, ...more, amount: '499.0000' }, order);
      assert.ok(answer.kind === 'unknown' && answer.delivered);
    }
  });
});

describe('the history', () => {
  const page = (rows: unknown): CallResult => good(rows, { page_info: { total_pages: 3 } });

  it('finds a successful order in the history, and concludes nothing otherwise', () => {
    const row = { tx_ref: TX_REF, amount: 500, status: 'Successful' };
    assert.equal(findInHistory(airtime, TX_REF, page([{ tx_ref: 'x' }, row]))?.kind, 'success');
    const ours = { ...row, tx_ref: 'y', customer_reference: airtime.reference };
    assert.equal(findInHistory(airtime, airtime.reference, page([ours]))?.kind, 'success');
    for (const rows of [
      [],
      [{ ...row, status: 'Pending' }],
      [{ ...row, status: 'Failed' }],
      [{ ...row, status: undefined }],
      [{ ...row, tx_ref: 'x' }],
      [{ ...row, customer_reference: 'x' }],
      [{ ...row, tx_ref: undefined }],
      'x',
    ]) {
      assert.equal(findInHistory(airtime, TX_REF, page(rows)), undefined, JSON.stringify(rows));
    }
    assert.equal(findInHistory(airtime, airtime.reference, page([row])), undefined);
    assert.equal(findInHistory(airtime, TX_REF, refusal('x')), undefined);
  });

  it('reads the history to the end of its pages', () => {
    assert.ok(hasNextPage(2, page([])));
    assert.ok(!hasNextPage(3, page([])));
    assert.ok(!hasNextPage(1, good([])));
    assert.ok(!hasNextPage(1, refusal('x')));
  });
});

describe('the validation of a customer', () => {
  const valid = { response_code: '00', name: 'ADA OBI', address: 'Road', minimum: 500, maximum: 0 };

  it('names a known customer, and rejects only on a refusal', () => {
    assert.deepEqual(answerToValidation(good(valid)), {
      kind: 'verified',
      customer: { name: 'ADA OBI', address: 'Road', minAmount: 500_00n },
    });
    assert.equal(answerToValidation(refusal('Invalid customer id')).kind, 'rejected');
    for (const doubt of [
      good({ ...valid, response_code: '01' }),
      good({ ...valid, response_code: undefined }),
      good({ ...valid, name: null }),
      refusal('x', 401),
      refusal('x', 404),
      refusal('x', 500),
      reply({}),
      { kind: 'lost', reason: 'cut' },
    ] satisfies CallResult[]) {
      assert.equal(answerToValidation(doubt).kind, 'unavailable', JSON.stringify(doubt));
    }
  });
});

describe('lists of Flutterwave’s bills', () => {
  it('reads the naira balance and the items of a biller, or nothing', () => {
    const balances = [
      { currency: 'USD', available_balance: 1 },
      { currency: 'NGN', available_balance: 1234.5 },
    ];
    assert.deepEqual(readBalance(good(balances)), { amount: 1_234_50n, currency: 'NGN' });
    assert.equal(readBalance(good([])), undefined);
    assert.equal(readBalance(refusal('x')), undefined);
    assert.deepEqual(readPlans(good([{ item_code: 'AT099', name: 'MTN', amount: 0 }, { name: 'x' }])), [
      { code: 'AT099', name: 'MTN', price: 0n, fixed: false },
      unreadablePlan,
    ]);
    const data = { item_code: 'MD136', name: 'MTN 1.5GB SME 30 days', amount: 1_000 };
    assert.deepEqual(readPlans(good([data])), [
      { code: 'MD136', name: data.name, price: 1_000_00n, fixed: true, kind: 'sme', sizeMb: 1_500, days: 30 },
    ]);
    assert.equal(readPlans(good('x')), undefined);
  });
});

describe('a webhook', () => {
  const body = {
    event: 'singlebillpayment.status',
    'event.type': 'SingleBillPayment',
    data: { tx_ref: TX_REF, customer_reference: airtime.reference, status: 'success', reference: null },
  };
  const raw = JSON.stringify(body);
  const hash = 'the secret hash';
  const mac = createHmac('sha256', hash).update(raw).digest('base64');

  it('reads the order of a webhook with the secret hash or a valid signature', () => {
    for (const headers of [{ 'verif-hash': hash }, { 'flutterwave-signature': mac }]) {
      assert.deepEqual(parseFlutterwaveCallback(body, headers, raw, hash), { reference: airtime.reference });
    }
    for (const headers of [
      {},
      { 'verif-hash': 'x' },
      { 'verif-hash': '' },
      { 'flutterwave-signature': hash },
      { 'flutterwave-signature': mac.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')) },
    ]) {
      assert.equal(parseFlutterwaveCallback(body, headers, raw, hash), undefined, JSON.stringify(headers));
    }
    assert.equal(parseFlutterwaveCallback(body, { 'verif-hash': '' }, raw, ''), undefined);
  });

  it('reads no order from any other webhook', () => {
    const read = (other: unknown) => parseFlutterwaveCallback(other, { 'verif-hash': hash }, raw, hash);
    for (const other of [
      { ...body, event: 'charge.completed' },
      { ...body, data: { customer_reference: 'x' } },
      { ...body, data: undefined },
      [],
      null,
      'text',
    ]) {
      assert.equal(read(other), undefined, JSON.stringify(other));
    }
    const under = { ...body, data: { reference: airtime.reference } };
    assert.deepEqual(read(under), { reference: airtime.reference });
  });
});

/**
 * ClubKonnect's interface as data: every listed code, to a purchase and to a query, and everything
 * that is not listed.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerToVerification } from '../../../src/providers/clubkonnect/customer.ts';
import {
  answerToPurchase,
  answerToQuery,
  readBalance,
  readPlans,
} from '../../../src/providers/clubkonnect/mapping.ts';
import { toPurchase, toQuery, toVerification } from '../../../src/providers/clubkonnect/purchase.ts';
import { unreadablePlan } from '../../../src/providers/plan-facts.ts';
import type { ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import { brief, type Read, reply, testsAnyReply, testsCallsWithoutReply } from '../connector-replies.ts';

const ORDER: ProviderOrder = {
  reference: 'k3j2h1g0f9e8d7c6b5a4',
  product: 'airtime',
  network: 'MTN',
  recipient: '2348031234567',
  amount: 1_000_00n,
  currency: 'NGN',
};

type Expected = 'failed order' | 'failed provider' | Exclude<ProviderAnswer['kind'], 'failed'>;

const many = (from: number, to: number, expected: Expected): [string, Expected][] =>
  Array.from({ length: to - from + 1 }, (_, index) => [String(from + index), expected]);

/** The meaning of each code in an answer that names our order, with the status of its hundred. */
const CODES: ReadonlyMap<string, Expected> = new Map([
  ['100', 'accepted'],
  ['199', 'accepted'],
  ['200', 'success'],
  ['201', 'accepted'],
  ['299', 'unknown'],
  ['300', 'accepted'],
  ['399', 'accepted'],
  ...many(400, 403, 'failed provider'),
  ...many(404, 409, 'failed order'),
  ...many(410, 417, 'failed provider'),
  ['418', 'failed order'],
  ['499', 'failed order'],
  ...many(500, 520, 'failed order'),
  ['521', 'unknown'],
  ['599', 'failed order'],
  ['600', 'accepted'],
  ['601', 'accepted'],
  ['602', 'failed order'],
  ...many(603, 606, 'accepted'),
  ['699', 'accepted'],
]);

const STATUSES: Readonly<Record<string, string>> = {
  1: 'ORDER_RECEIVED',
  2: 'ORDER_COMPLETED',
  3: 'ORDER_PROCESSED',
  4: 'ORDER_ERROR',
  5: 'ORDER_CANCELLED',
  6: 'ORDER_ONHOLD',
};

/** A recorded answer to a query. */
const RECORDED = {
  orderid: '7654321',
  statuscode: '200',
  status: 'ORDER_COMPLETED',
  requestid: ORDER.reference,
  date: '11th-Mar-2026',
  ordertype: '1000 Credit',
  mobilenetwork: 'MTN',
  mobilenumber: '08031234567',
  amountcharged: '970',
  walletbalance: '12,345.50',
  remark: 'Delivered',
};

const purchased = (body: unknown, status?: number): ProviderAnswer =>
  answerToPurchase(ORDER, reply(body, status));
const queried = (body: unknown, status?: number): ProviderAnswer => answerToQuery(ORDER, reply(body, status));

describe('the codes of orders', () => {
  for (const [code, expected] of CODES) {
    it(`reads ${code} as ${expected}, as text and as a number`, () => {
      for (const statuscode of [code, Number(code)]) {
        const body = { orderid: '7654321', statuscode, status: STATUSES[code[0] ?? ''] };
        assert.equal(brief(purchased(body)), expected);
        assert.equal(brief(queried({ ...body, requestid: ORDER.reference })), expected);
      }
    });
  }

  it('reads every other code as unknown', () => {
    for (let code = 0; code < 1_000; code += 1) {
      const statuscode = String(code).padStart(3, '0');
      if (CODES.has(statuscode)) continue;
      for (const status of Object.values(STATUSES)) {
        const body = { orderid: '7654321', requestid: ORDER.reference, statuscode, status };
        assert.equal(purchased(body).kind, 'unknown', statuscode);
        assert.equal(queried(body).kind, 'unknown', statuscode);
      }
    }
  });

  it('reads an order whose code and status contradict each other as unknown', () => {
    for (const [code, expected] of CODES) {
      if (expected !== 'success' && !expected.startsWith('failed')) continue;
      for (const status of [...Object.values(STATUSES), undefined]) {
        if (status === STATUSES[code[0] ?? '']) continue;
        // An error and a cancellation both end an order, and a code counts without its status.
        if (expected !== 'success' && ['ORDER_ERROR', 'ORDER_CANCELLED', undefined].includes(status))
          continue;
        assert.equal(purchased({ statuscode: code, status }).kind, 'unknown', `${code} ${status}`);
      }
    }
  });

  it('does not treat the refusal of a query as a failure of the order', () => {
    for (const [statuscode, expected] of CODES) {
      if (!expected.startsWith('failed')) continue;
      for (const status of ['INVALID_CREDENTIALS', 'INVALID_APIKEY', 'INSUFFICIENT_BALANCE', '', undefined]) {
        const body = { requestid: ORDER.reference, orderid: '7654321', statuscode, status };
        assert.equal(queried(body).kind, 'unknown', `${statuscode} ${status}`);
      }
    }
  });

  it('needs HTTP 2xx for any final answer', () => {
    for (const status of [301, 302, 400, 401, 403, 404, 429, 500, 502]) {
      assert.equal(purchased(RECORDED, status).kind, 'unknown');
      assert.equal(queried(RECORDED, status).kind, 'unknown');
      assert.equal(purchased({ status: 'INSUFFICIENT_BALANCE' }, status).kind, 'unknown');
    }
  });
});

describe('refusals without a code', () => {
  const DOOR: Readonly<Record<string, Expected>> = {
    INSUFFICIENT_BALANCE: 'failed provider',
    INVALID_CREDENTIALS: 'failed provider',
    INVALID_DATAPLAN: 'failed order',
    MINIMUM_50: 'failed order',
    MISSING_REQUESTID: 'failed provider',
    MISSING_CREDENTIALS: 'failed provider',
  };

  for (const [status, expected] of Object.entries(DOOR)) {
    it(`reads ${status} as ${expected} to a purchase, and as unknown to a query`, () => {
      assert.equal(brief(purchased({ status })), expected);
      for (const body of [{ status }, { status, requestid: ORDER.reference }]) {
        assert.equal(queried(body).kind, 'unknown');
      }
      // An answer with an id means that an order exists.
      assert.equal(purchased({ status, orderid: '7654321' }).kind, 'unknown');
    });
  }

  for (const status of [
    'INVALID_REQUESTID',
    'INVALID_METERNO',
    'DUPLICATE_REQUESTID',
    'ORDER_RECEIVED',
    'ORDER_COMPLETED',
    'insufficient_balance',
    'MISSING_',
    '',
  ]) {
    it(`reads "${status}" as unknown`, () => {
      assert.equal(purchased({ status }).kind, 'unknown');
      assert.equal(queried({ status }).kind, 'unknown');
    });
  }
});

describe('answers about an order', () => {
  it('reads a recorded answer, with its cost and without its remark for the customer', () => {
    assert.deepEqual(queried(RECORDED), {
      kind: 'success',
      code: '200',
      message: 'ORDER_COMPLETED: Delivered; balance 12345.50',
      providerId: '7654321',
      telcoMessage: 'ORDER_COMPLETED',
      cost: 970_00n,
    });
    const dear = queried({ ...RECORDED, amountcharged: '1,970.50' });
    assert.equal(dear.kind === 'success' && dear.cost, 1_970_50n);
  });

  it('believes a query only about our order: by our id, or by ClubKonnect’s own', () => {
    const { requestid: _, ...unnamed } = RECORDED;
    const other = { ...RECORDED, requestid: 'another0000000000000' };
    const known = { ...ORDER, providerId: '7654321' };
    assert.equal(queried(unnamed).kind, 'unknown');
    assert.equal(answerToQuery(known, reply(unnamed)).kind, 'success');
    for (const order of [ORDER, known]) assert.equal(answerToQuery(order, reply(other)).kind, 'unknown');
    assert.equal(answerToQuery({ ...ORDER, providerId: '1' }, reply(RECORDED)).kind, 'unknown');
    assert.equal(purchased(other).kind, 'unknown');
  });

  it('does not mistake an order for another number for ours', () => {
    for (const body of [RECORDED, { ...RECORDED, statuscode: '516', status: 'ORDER_CANCELLED' }]) {
      assert.equal(queried({ ...body, mobilenumber: '08039999999' }).kind, 'unknown');
    }
  });

  it('leaves another amount to a person', () => {
    const answer = queried({ ...RECORDED, ordertype: '100 Credit' });
    assert.ok(answer.kind === 'unknown' && answer.delivered);
    assert.equal(queried({ ...RECORDED, ordertype: 'Airtime' }).kind, 'success');
  });

  const purchase: Read = (result) => answerToPurchase(ORDER, result);
  const query: Read = (result) => answerToQuery(ORDER, result);
  testsCallsWithoutReply([purchase], [query]);
  testsAnyReply([purchase, query]);
});

describe('goods', () => {
  const waec: ProviderOrder = {
    ...ORDER,
    product: 'EDUCATION',
    network: 'WAEC',
    planCodes: { exam_type: 'waecdirect' },
  };
  const meter: ProviderOrder = {
    ...ORDER,
    product: 'ELECTRICITY',
    recipient: '45002000001',
    planCodes: { electric_company: '02', meter_type: 'prepaid' },
  };

  it('reads a readable PIN as a success, which is documented without a code', () => {
    const carddetails = 'Serial No:WRN123456789, pin: 012345678901';
    const answer = answerToPurchase(waec, reply({ carddetails, amountcharged: '5,350' }));
    assert.ok(answer.kind === 'success');
    assert.deepEqual(answer.goods, { pins: [{ serial: 'WRN123456789', pin: '012345678901' }] });
    assert.equal(answer.cost, 5_350_00n);
    for (const other of ['pin: ', 'see your e-mail', 12345678, null]) {
      assert.equal(answerToPurchase(waec, reply({ carddetails: other })).kind, 'unknown');
    }
    for (const status of ['ORDER_CANCELLED', 'ORDER_ONHOLD', 'A_NEW_WORD']) {
      assert.equal(answerToPurchase(waec, reply({ carddetails, status })).kind, 'unknown');
    }
    const failed = { carddetails, statuscode: '499', status: 'ORDER_ERROR' };
    assert.equal(brief(answerToPurchase(waec, reply(failed))), 'failed order');
    assert.equal(purchased({ carddetails }).kind, 'unknown', 'airtime has no PIN');
  });

  it('takes the one recharge card of the ordered value, and leaves every other answer open', () => {
    const planCodes = { mobile_network: '01', value: '100' };
    const card: ProviderOrder = { ...waec, network: 'MTN', amount: 100_00n, planCodes };
    const epin = {
      transactionid: '6',
      batchno: '1',
      mobilenetwork: 'MTN',
      sno: '0098',
      pin: '0123 4567 8901',
    };
    const sold = (...cards: unknown[]): ProviderAnswer => answerToPurchase(card, reply({ TXN_EPIN: cards }));
    for (const amount of ['100', '100.00', 100]) {
      const answer = sold({ ...epin, amount });
      assert.deepEqual(answer.kind === 'success' && answer.goods, {
        pins: [{ serial: '0098', pin: '012345678901' }],
      });
    }
    const asked = { ...epin, amount: '100' };
    for (const other of [
      [asked, asked],
      [{ ...asked, amount: '200' }],
      [{ ...asked, amount: undefined }],
      // A number has lost its leading zero.
      [{ ...asked, pin: 12345678901 }],
      [{ ...asked, pin: '<b>0123</b>' }],
      ['0123456789'],
      [null],
    ]) {
      const answer = sold(...other);
      assert.ok(answer.kind === 'unknown' && answer.delivered, JSON.stringify(other));
    }
    for (const none of [[], {}, 'sold out', null]) {
      const answer = answerToPurchase(card, reply({ TXN_EPIN: none }));
      assert.ok(answer.kind === 'unknown' && !answer.delivered);
    }
    const statusOnly = (status: string): string => brief(answerToPurchase(card, reply({ status })));
    assert.equal(statusOnly('QUANTITY_NOT_AVAILABLE'), 'failed order');
    assert.equal(statusOnly('VALUE_ALLOWED_100_200_500'), 'failed order');
    assert.equal(statusOnly('ORDER_RECEIVED'), 'unknown');
    const refused = answerToPurchase(card, reply({ status: 'QUANTITY_NOT_AVAILABLE', TXN_EPIN: [asked] }));
    assert.equal(refused.kind, 'unknown');
    // A query that repeats no PIN leaves the PIN owed.
    const completed = { requestid: ORDER.reference, statuscode: '200', status: 'ORDER_COMPLETED' };
    const found = answerToQuery(card, reply(completed));
    assert.ok(found.kind === 'success' && found.goods === undefined);
    assert.equal(purchased({ TXN_EPIN: [asked] }).kind, 'unknown', 'airtime has no card');
    assert.equal(answerToPurchase(waec, reply({ TXN_EPIN: [asked] })).kind, 'unknown', 'nor has WAEC');
  });

  it('reads a token in any grouping, and a success without one', () => {
    const body = { orderid: '1', statuscode: '200', status: 'ORDER_COMPLETED', meterno: '45002000001' };
    const tokenOf = (metertoken: unknown): unknown => {
      const answer = answerToPurchase(meter, reply({ ...body, metertoken }));
      assert.ok(answer.kind === 'success');
      return answer.goods?.token;
    };
    assert.equal(tokenOf('1234-5678-9012-3456-7890'), '12345678901234567890');
    assert.equal(tokenOf('12345678901234567890'), '12345678901234567890');
    for (const none of ['', 'pending', 1234, undefined]) assert.equal(tokenOf(none), undefined);
    assert.equal(tokenOf('KCT1: 1234-5678-9012-3456-7890'), undefined);
  });

  it('reads every token of a text', () => {
    const metertoken = 'KCT1: 11112222333344445555, Token: 12345678901234567890, 09876543210987654321';
    const body = { orderid: '1', statuscode: '200', status: 'ORDER_COMPLETED', metertoken };
    const answer = answerToPurchase(meter, reply(body));
    assert.deepEqual(answer.kind === 'success' && answer.goods, {
      token: '12345678901234567890',
      bonus_token: '09876543210987654321',
      kct1: '11112222333344445555',
    });
  });
});

describe('requests', () => {
  it('names networks by ClubKonnect’s codes, and the number as a local one', () => {
    for (const [network, code] of [
      ['MTN', '01'],
      ['GLO', '02'],
      ['9MOBILE', '03'],
      ['AIRTEL', '04'],
    ] as const) {
      assert.deepEqual(toPurchase({ ...ORDER, network }, undefined), {
        path: 'APIAirtimeV1',
        fields: {
          MobileNetwork: code,
          MobileNumber: '08031234567',
          Amount: '1000',
          RequestID: ORDER.reference,
        },
      });
    }
    assert.deepEqual(toPurchase({ ...ORDER, network: 'SMILE' }, undefined), { lacks: 'code' });
  });

  it('orders one recharge card, for no number', () => {
    const planCodes = { mobile_network: '04', value: '500' };
    const card = { ...ORDER, product: 'EDUCATION', network: 'AIRTEL', planCodes } as const;
    assert.deepEqual(toPurchase(card, undefined), {
      path: 'APIEPINV1',
      fields: { MobileNetwork: '04', Value: '500', Quantity: '1', RequestID: ORDER.reference },
    });
    assert.deepEqual(toPurchase({ ...card, planCodes: { value: '500' } }, undefined), { lacks: 'code' });
  });

  it('never rounds kobo', () => {
    assert.deepEqual(toPurchase({ ...ORDER, amount: 1_000_01n }, undefined), { lacks: 'whole naira' });
  });

  it('queries by ClubKonnect’s id when it is known', () => {
    assert.deepEqual(toQuery(ORDER).fields, { RequestID: ORDER.reference });
    assert.deepEqual(toQuery({ ...ORDER, providerId: '7' }).fields, { OrderID: '7' });
  });

  it('verifies no customer without a code', () => {
    for (const product of ['ELECTRICITY', 'CABLE', 'BETTING', 'airtime']) {
      assert.equal(toVerification({ product, network: 'X', recipient: '1' }), undefined);
    }
  });
});

describe('verification, balance and plans', () => {
  it('rejects a customer only by the two documented texts, in either field', () => {
    for (const code of ['INVALID_METERNO', 'INVALID_SMARTCARDNO']) {
      assert.equal(answerToVerification(reply({ customer_name: code })).kind, 'rejected');
      assert.equal(answerToVerification(reply({ status: code })).kind, 'rejected');
    }
    for (const body of [
      { customer_name: 'INVALID_CUSTOMERID' },
      { customer_name: 'ADA EZE', status: 'INVALID_CREDENTIALS' },
      { customer_name: '' },
      {},
      [],
    ]) {
      assert.equal(answerToVerification(reply(body)).kind, 'unavailable');
    }
    assert.equal(answerToVerification(reply({ customer_name: 'INVALID_METERNO' }, 500)).kind, 'unavailable');
    assert.deepEqual(answerToVerification(reply({ customer_name: 'ADA EZE' })), {
      kind: 'verified',
      customer: { name: 'ADA EZE' },
    });
  });

  it('reads a balance with separators only from a good answer', () => {
    assert.deepEqual(readBalance(reply({ balance: '1,234.56' })), { amount: 1_234_56n, currency: 'NGN' });
    for (const body of [{}, { balance: 'N/A' }, [], null]) assert.equal(readBalance(reply(body)), undefined);
    assert.equal(readBalance(reply({ balance: '1' }, 500)), undefined);
  });

  it('reads plans in both nestings', () => {
    const plan = { PRODUCT_ID: '1000.01', PRODUCT_NAME: '1 GB', PRODUCT_AMOUNT: '1,250' };
    const facts = { sizeMb: 1_000, cost: 1_250_00n };
    const read = [{ code: '1000.01', name: '1 GB', price: 1_250_00n, fixed: true, ...facts }];
    for (const list of [[plan], [{ ID: '01', PRODUCT: [plan] }]]) {
      assert.deepEqual(readPlans('MTN', reply({ MOBILE_NETWORK: { MTN: list } })), read);
    }
    const list = [{ ID: '01', PRODUCT: [plan, { ...plan, PRODUCT_ID: null }] }];
    assert.deepEqual(readPlans('MTN', reply({ MOBILE_NETWORK: { MTN: list } })), [...read, unreadablePlan]);
    assert.equal(readPlans('Glo', reply({ MOBILE_NETWORK: { MTN: [plan] } })), undefined);
    assert.equal(readPlans('MTN', reply({ status: 'INVALID_CREDENTIALS' })), undefined);
  });
});

/**
 * VTU.ng's interface as data: every listed code and status, on a purchase and on a requery, and
 * everything that is not listed.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { unreadablePlan } from '../../../src/providers/plan-facts.ts';
import type { ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import { answerToVerification } from '../../../src/providers/vtung/customer.ts';
import {
  answerToPurchase,
  answerToQuery,
  isTokenRefused,
  readBalance,
  readPlans,
} from '../../../src/providers/vtung/mapping.ts';
import { toPurchase, toVerification } from '../../../src/providers/vtung/purchase.ts';
import { runs } from '../../support/budget.ts';
import { brief, reply, testsCallsWithoutReply } from '../connector-replies.ts';

const REFERENCE = '0d3b1f0e-7a51-8b87-9f0c-0b8f6f1f8a11';

const ORDER: ProviderOrder = {
  reference: REFERENCE,
  product: 'airtime',
  network: 'MTN',
  recipient: '2348031234567',
  amount: 100_00n,
  currency: 'NGN',
};

type Expected = 'failed order' | 'failed provider' | Exclude<ProviderAnswer['kind'], 'failed'>;

/** The meaning of each code by its HTTP status, without an order. No code answers a query. */
const CODES: Readonly<Record<string, readonly [http: number, purchase: Expected, query: Expected]>> = {
  success: [200, 'unknown', 'unknown'],
  missing_fields: [400, 'failed order', 'unknown'],
  invalid_field: [400, 'failed order', 'unknown'],
  failure: [400, 'unknown', 'unknown'],
  insufficient_funds: [402, 'failed provider', 'unknown'],
  jwt_auth_failed: [403, 'not_sent', 'unknown'],
  jwt_auth_invalid_token: [403, 'not_sent', 'unknown'],
  rest_forbidden: [403, 'not_sent', 'unknown'],
  order_not_found: [404, 'unknown', 'not_found'],
  duplicate_request_id: [409, 'unknown', 'unknown'],
  duplicate_order: [409, 'unknown', 'unknown'],
  wallet_busy: [429, 'not_sent', 'unknown'],
  rate_limit_exceeded: [429, 'not_sent', 'unknown'],
};

const STATUSES: Readonly<Record<string, Expected>> = {
  'completed-api': 'success',
  'ORDER COMPLETED': 'success',
  refunded: 'failed order',
  failed: 'failed order',
  cancelled: 'failed order',
  'initiated-api': 'accepted',
  'processing-api': 'accepted',
  'queued-api': 'accepted',
  pending: 'accepted',
  'on-hold': 'accepted',
  completed: 'unknown',
  success: 'unknown',
  reversed: 'unknown',
  '': 'unknown',
};

const HTTP = [200, 201, 301, 400, 401, 402, 403, 404, 409, 422, 429, 500, 502, 503];

describe('codes of VTU.ng', () => {
  for (const [code, [http, purchase, query]] of Object.entries(CODES)) {
    it(`reads ${code} as ${purchase} to a purchase and as ${query} to a query`, () => {
      const body = { code, message: 'TEXT', data: { status: http } };
      assert.equal(brief(answerToPurchase(ORDER, reply(body, http))), purchase);
      assert.equal(brief(answerToQuery(ORDER, reply(body, http))), query);
    });

    it(`reads ${code} with another HTTP status, or with an order, as unknown`, () => {
      for (const other of HTTP.filter((status) => status !== http)) {
        const result = reply({ code, message: 'TEXT' }, other);
        assert.equal(answerToPurchase(ORDER, result).kind, 'unknown', `HTTP ${other}`);
        assert.equal(answerToQuery(ORDER, result).kind, 'unknown', `HTTP ${other}`);
      }
      if (code === 'success') return;
      const contradictory = reply({ ...ordered('completed-api'), code }, http);
      assert.equal(answerToPurchase(ORDER, contradictory).kind, 'unknown');
      assert.equal(answerToQuery(ORDER, contradictory).kind, 'unknown');
    });
  }

  it('reads no other code as final, whatever its HTTP status', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...HTTP), (code, http) => {
        fc.pre(!Object.hasOwn(CODES, code.trim()));
        for (const body of [
          { code, message: 'TEXT' },
          { ...ordered('completed-api'), code },
        ]) {
          assert.equal(answerToPurchase(ORDER, reply(body, http)).kind, 'unknown');
          assert.equal(answerToQuery(ORDER, reply(body, http)).kind, 'unknown');
        }
      }),
      runs(200),
    );
  });

  it('keeps a near-duplicate refusal unconfirmed', () => {
    const answer = answerToPurchase(ORDER, reply({ code: 'duplicate_order', message: 'wait' }, 409));
    assert.equal(answer.code, 'not_served_duplicate_order');
  });

  it('gives the customer the message of a refused order, and none about our wallet', () => {
    const field = answerToPurchase(ORDER, reply({ code: 'invalid_field', message: 'Bad phone' }, 400));
    assert.equal(field.kind === 'failed' && field.telcoMessage, 'Bad phone');
    const wallet = answerToPurchase(ORDER, reply({ code: 'insufficient_funds', message: 'Low' }, 402));
    assert.equal(wallet.kind === 'failed' && wallet.telcoMessage, undefined);
  });

  it('renews the token for the listed refusals only', () => {
    for (const [code, [http]] of Object.entries(CODES)) {
      const isRefused = http === 403;
      assert.equal(isTokenRefused(reply({ code }, http)), isRefused, code);
      assert.equal(isTokenRefused(reply({ code }, 401)), false, code);
    }
    assert.equal(isTokenRefused(reply('<html>', 403)), false);
    assert.equal(isTokenRefused({ kind: 'lost', reason: 'cut', status: 403 }), false);
  });
});

describe('statuses of VTU.ng', () => {
  for (const [status, expected] of Object.entries(STATUSES)) {
    it(`reads "${status}" as ${expected}`, () => {
      for (const read of [answerToPurchase, answerToQuery]) {
        for (const spelling of [status, status.toUpperCase()]) {
          assert.equal(brief(read(ORDER, reply(ordered(spelling)))), expected);
        }
        for (const http of HTTP.filter((one) => one >= 300)) {
          assert.equal(read(ORDER, reply(ordered(status), http)).kind, 'unknown', `HTTP ${http}`);
        }
      }
    });
  }

  it('reads no other status as final', () => {
    fc.assert(
      fc.property(fc.string(), (status) => {
        const known = Object.keys(STATUSES).map((one) => one.toLowerCase());
        fc.pre(!known.includes(status.trim().toLowerCase()));
        assert.equal(answerToPurchase(ORDER, reply(ordered(status))).kind, 'unknown');
        assert.equal(answerToQuery(ORDER, reply(ordered(status))).kind, 'unknown');
      }),
      runs(200),
    );
  });

  it('believes no order that is not named as ours', () => {
    for (const request_id of [undefined, null, '', 'another', `${REFERENCE}0`]) {
      for (const status of Object.keys(STATUSES)) {
        const result = reply(ordered(status, { request_id }));
        assert.equal(answerToPurchase(ORDER, result).kind, 'unknown');
        assert.equal(answerToQuery(ORDER, result).kind, 'unknown');
      }
    }
  });

  it('leaves a delivery of another amount to a person, except of a plan', () => {
    for (const [amount, expected] of [
      [100, 'success'],
      ['100.00', 'success'],
      [99, 'unknown'],
      ['100.01', 'unknown'],
      ['many', 'unknown'],
    ] as const) {
      const result = reply(ordered('completed-api', { amount }));
      for (const product of ['airtime', 'ELECTRICITY', 'BETTING']) {
        assert.equal(answerToQuery({ ...ORDER, product }, result).kind, expected, `${product} ${amount}`);
      }
      assert.equal(answerToQuery({ ...ORDER, product: 'data' }, result).kind, 'success');
    }
    const other = answerToQuery(ORDER, reply(ordered('completed-api', { amount: 1 })));
    assert.ok(other.kind === 'unknown' && other.delivered);
  });

  it('reads the cost, our words for the customer and the id of the order', () => {
    const answer = answerToPurchase(ORDER, reply(ordered('completed-api', { amount_charged: '97.50' })));
    assert.ok(answer.kind === 'success');
    assert.deepEqual(
      [answer.cost, answer.telcoMessage, answer.providerId],
      [97_50n, 'ORDER COMPLETED', '4711'],
    );
  });
});

describe('goods of VTU.ng', () => {
  const meter: ProviderOrder = {
    ...ORDER,
    product: 'ELECTRICITY',
    planCodes: { service_id: 'ikeja-electric', variation_code: 'prepaid' },
  };
  const token = '12345678901234567890';

  it('reads the token in both places', () => {
    for (const fields of [
      { token: `Token : ${token}`, units: '9.5 kWh' },
      { token: '1234-5678-9012-3456-7890', units: 9.5 },
      { meta_data: { token, units: '9.5' } },
      { token: 'null', meta_data: { Token: token, Units: '9.5' } },
    ]) {
      const answer = answerToQuery(meter, reply(ordered('completed-api', fields)));
      assert.deepEqual(answer.kind === 'success' && answer.goods, { token, units: '9.5' });
    }
  });

  it('reads every token of a text', () => {
    const [bonus, kct1] = ['09876543210987654321', '11112222333344445555'];
    const text = `KCT1: ${kct1}, Token: ${token}, ${bonus}`;
    const answer = answerToQuery(meter, reply(ordered('completed-api', { token: text })));
    assert.deepEqual(answer.kind === 'success' && answer.goods, { token, bonus_token: bonus, kct1 });
  });

  it('reads a success without a token as one, and no token of other products', () => {
    for (const fields of [{}, { token: '' }, { token: null }, { token: Number(token) }]) {
      const answer = answerToQuery(meter, reply(ordered('completed-api', fields)));
      assert.ok(answer.kind === 'success');
      assert.equal(answer.goods, undefined);
    }
    const postpaid = { ...meter, planCodes: { service_id: 'ikeja-electric', variation_code: 'postpaid' } };
    const answer = answerToQuery(postpaid, reply(ordered('completed-api', { token })));
    assert.equal(answer.kind === 'success' && answer.goods, undefined);
  });
});

describe('calls to VTU.ng without a reply', () => {
  testsCallsWithoutReply(
    [(result) => answerToPurchase(ORDER, result)],
    [(result) => answerToQuery(ORDER, result)],
  );

  it('reads calls without access as a fault of the provider', () => {
    const none = { kind: 'no_access', reason: 'refused' } as const;
    assert.equal(brief(answerToPurchase(ORDER, none)), 'failed provider');
    assert.equal(answerToQuery(ORDER, none).kind, 'unknown');
    assert.equal(answerToVerification(none).kind, 'unavailable');
  });

  it('never reads replies of any shape as final', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...HTTP), (body, http) => {
        for (const read of [answerToPurchase, answerToQuery]) {
          assert.ok(['unknown', 'not_sent'].includes(read(ORDER, reply(body, http)).kind));
        }
        readBalance(reply(body, http));
        readPlans(reply(body, http));
        answerToVerification(reply(body, http));
      }),
      runs(200),
    );
  });
});

describe('orders to VTU.ng', () => {
  const codes = { service_id: 'ikeja-electric', variation_code: 'prepaid' };
  it('builds an order from the service, the customer and our id', () => {
    assert.deepEqual(toPurchase(ORDER), {
      path: '/airtime',
      body: { request_id: REFERENCE, service_id: 'mtn', phone: '08031234567', amount: 100 },
    });
    assert.deepEqual(
      toPurchase({ ...ORDER, product: 'data', planCodes: { service_id: 'mtn', variation_code: '42' } }),
      {
        path: '/data',
        body: { request_id: REFERENCE, service_id: 'mtn', phone: '08031234567', variation_id: '42' },
      },
    );
    const bill = { ...ORDER, recipient: '45001', planCodes: codes };
    const common = { request_id: REFERENCE, customer_id: '45001' };
    assert.deepEqual(toPurchase({ ...bill, product: 'ELECTRICITY' }), {
      path: '/electricity',
      body: { ...common, service_id: 'ikeja-electric', variation_id: 'prepaid', amount: 100 },
    });
    const cable = { ...bill, product: 'CABLE', planCodes: { service_id: 'dstv', variation_code: 'padi' } };
    assert.deepEqual(toPurchase(cable), {
      path: '/tv',
      body: { ...common, service_id: 'dstv', variation_id: 'padi', subscription_type: 'change' },
    });
    const renewal = { ...cable, planCodes: { ...cable.planCodes, subscription_type: 'renew' } };
    assert.deepEqual(toPurchase(renewal), {
      path: '/tv',
      body: {
        ...common,
        service_id: 'dstv',
        variation_id: 'padi',
        subscription_type: 'renew',
        amount: 100,
      },
    });
    const due = { ...renewal, customer: { name: 'A', renewalAmount: 90_00n } };
    assert.deepEqual(toPurchase(due), { amountDue: 90_00n });
  });

  it('spells betting companies as VTU.ng does', () => {
    for (const [network, service_id] of [
      ['BET9JA', 'Bet9ja'],
      ['SPORTYBET', 'SportyBet'],
      ['1XBET', '1xBet'],
      ['BETKING', 'BetKing'],
      ['BETWAY', 'BetWay'],
      ['NAIRABET', 'NairaBet'],
      ['MERRYBET', 'MerryBet'],
      ['BANGBET', 'BangBet'],
    ] as const) {
      const query = { product: 'BETTING', network, recipient: 'A1' };
      assert.deepEqual(toVerification(query), { customer_id: 'A1', service_id });
      const purchase = toPurchase({ ...ORDER, ...query });
      assert.equal('body' in purchase && purchase.body.service_id, service_id);
    }
  });

  it('builds no order without a code, for another product or with kobo', () => {
    for (const order of [
      { ...ORDER, network: 'OTHER' },
      { ...ORDER, product: 'data' },
      { ...ORDER, product: 'ELECTRICITY', planCodes: { service_id: 'ikeja-electric', variation_code: '1' } },
      { ...ORDER, product: 'CABLE', planCodes: { service_id: 'dstv' } },
      { ...ORDER, product: 'BETTING', network: 'OTHER' },
      { ...ORDER, product: 'EDUCATION' },
    ]) {
      assert.deepEqual(toPurchase(order), { lacks: 'code' }, order.product);
    }
    assert.deepEqual(toPurchase({ ...ORDER, amount: 100_50n }), { lacks: 'whole naira' });
  });
});

describe('customers, balance and plans at VTU.ng', () => {
  it('rejects a customer only when the biller says so', () => {
    for (const [code, http, expected] of [
      ['failure', 400, 'rejected'],
      ['failure', 500, 'unavailable'],
      ['missing_fields', 400, 'unavailable'],
      ['invalid_field', 400, 'unavailable'],
      ['rest_forbidden', 403, 'unavailable'],
      ['wallet_busy', 429, 'unavailable'],
      ['success', 200, 'unavailable'],
    ] as const) {
      assert.equal(answerToVerification(reply({ code, message: 'TEXT' }, http)).kind, expected, code);
    }
  });

  it('reads the biller’s data of a customer', () => {
    const data = {
      customer_name: 'ADA OBI',
      customer_address: '1 Market Road',
      customer_arrears: '1,250.00',
      min_purchase_amount: 0,
      max_purchase_amount: '500000',
      renewal_amount: null,
      due_date: '',
      unlisted: 'x',
    };
    assert.deepEqual(answerToVerification(reply({ code: 'success', data })), {
      kind: 'verified',
      customer: { name: 'ADA OBI', address: '1 Market Road', arrears: 1_250_00n, maxAmount: 500_000_00n },
    });
  });

  it('shows our balance before and after the order', () => {
    const balances = { initial_balance: '34,000.00', final_balance: 33903 };
    const said = answerToPurchase(ORDER, reply(ordered('completed-api', balances)));
    assert.ok(said.message.endsWith('34000.00 to 33903.00'), said.message);
  });

  it('reads a balance in naira', () => {
    const balance = (data: object): unknown => readBalance(reply({ code: 'success', data }));
    assert.deepEqual(balance({ balance: 1250.5, currency: 'NGN' }), { amount: 1_250_50n, currency: 'NGN' });
    assert.deepEqual(balance({ balance: '1250.50' }), { amount: 1_250_50n, currency: 'NGN' });
    assert.equal(balance({ balance: 5, currency: 'USD' }), undefined);
    assert.equal(readBalance(reply({ code: 'failure', data: { balance: 5 } })), undefined);
  });

  it('reads the plans that are available', () => {
    const row = {
      variation_id: 42,
      data_plan: '1GB SME - 30 Days',
      price: '1,300',
      reseller_price: 1275.5,
      availability: 'Available',
    };
    const data = [row, { ...row, variation_id: 43, availability: 'Unavailable' }, { price: 1 }];
    assert.deepEqual(readPlans(reply({ code: 'success', data })), [
      {
        code: '42',
        name: row.data_plan,
        price: 1_300_00n,
        fixed: true,
        cost: 1_275_50n,
        kind: 'sme',
        sizeMb: 1_000,
        days: 30,
      },
      unreadablePlan,
    ]);
    assert.equal(readPlans(reply({ code: 'success', data: {} })), undefined);
  });
});

function ordered(status: string, fields: object = {}): object {
  return {
    code: 'success',
    message: 'ORDER COMPLETED',
    data: { order_id: 4711, status, request_id: REFERENCE, ...fields },
  };
}

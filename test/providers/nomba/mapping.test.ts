/**
 * Nomba's interface as data: every code and status, on a purchase and on a look-up, and everything
 * that is not listed.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { CallResult } from '../../../src/providers/http/call.ts';
import {
  answerToLookup,
  answerToPurchase,
  answerToQuery,
  isUnauthorised,
  needsConfirmation,
  readBalance,
  readPlans,
} from '../../../src/providers/nomba/mapping.ts';
import { toLookup, toPurchase } from '../../../src/providers/nomba/purchase.ts';
import { unreadablePlan } from '../../../src/providers/plan-facts.ts';
import type { ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import { runs } from '../../support/budget.ts';
import { brief, reply } from '../connector-replies.ts';

const REFERENCE = '0d3b1f0e-7a51-4b87-9f0c-0b8f6f1f8a11';
const TOKEN = '26362054405982757802';

const ORDER: ProviderOrder = {
  reference: REFERENCE,
  product: 'ELECTRICITY',
  network: 'Ikeja Electric',
  recipient: '45002000001',
  amount: 2_000_00n,
  currency: 'NGN',
  planCodes: { disco: 'ikedc', meter_type: 'prepaid' },
};

type Expected = 'failed order' | 'failed provider' | Exclude<ProviderAnswer['kind'], 'failed'>;

/** Answers without a status: the decision by the code only, for a purchase and a look-up. */
const CODES: Readonly<Record<string, readonly [purchase: Expected, query: Expected]>> = {
  '00': ['unknown', 'unknown'],
  '01': ['unknown', 'unknown'],
  '02': ['failed order', 'unknown'],
  '05': ['failed provider', 'unknown'],
  '06': ['unknown', 'unknown'],
  '202': ['accepted', 'unknown'],
  '400': ['failed order', 'unknown'],
  '401': ['failed provider', 'unknown'],
  '403': ['failed provider', 'unknown'],
  '404': ['failed order', 'not_found'],
  '422': ['failed order', 'unknown'],
  '429': ['not_sent', 'unknown'],
  '500': ['unknown', 'unknown'],
  '77': ['unknown', 'unknown'],
};

/** Under code 00. */
const STATUSES: Readonly<Record<string, Expected>> = {
  SUCCESS: 'success',
  REFUND: 'failed order',
  PENDING_BILLING: 'accepted',
  NEW: 'accepted',
  PENDING_PAYMENT: 'accepted',
  PAYMENT_SUCCESSFUL: 'accepted',
  Processing: 'accepted',
  'Processing...': 'accepted',
  CANCELLED: 'accepted',
  PAYMENT_FAILED: 'accepted',
  REVERSED_BY_VENDOR: 'accepted',
  FAILED: 'unknown',
  SUCCESSFUL: 'unknown',
};

describe('codes', () => {
  for (const [code, [purchase, query]] of Object.entries(CODES)) {
    it(`reads ${code} as ${purchase} to a purchase and as ${query} to a query`, () => {
      const result = reply({ code, description: 'TEXT' });
      assert.equal(brief(answerToPurchase(ORDER, result)), purchase);
      assert.equal(brief(answerToQuery(ORDER, result)), query);
    });
  }

  it('reads a refusal beside a status as unknown', () => {
    for (const code of ['02', '05', '400', '401', '403', '404', '422', '429']) {
      for (const status of Object.keys(STATUSES)) {
        const result = reply({ code, data: { status, merchantTxRef: REFERENCE } });
        assert.equal(answerToPurchase(ORDER, result).kind, 'unknown', `${code} ${status}`);
        assert.equal(answerToQuery(ORDER, result).kind, 'unknown', `${code} ${status}`);
        assert.equal(isUnauthorised(result), false);
      }
    }
  });

  it('reads a refusal of a used reference as unknown, because an earlier call may have arrived', () => {
    for (const description of [
      'Duplicate transaction',
      'Already processed',
      'merchantTxRef must be unique',
    ]) {
      for (const code of ['02', '400', '422']) {
        assert.equal(answerToPurchase(ORDER, reply({ code, description })).kind, 'unknown', description);
      }
    }
  });

  it('reads our empty wallet as a fault of the provider, hidden from the merchant', () => {
    for (const description of [
      'INSUFFICIENT_BALANCE',
      'Insufficient balance',
      'insufficient wallet balance',
    ]) {
      const answer = answerToPurchase(ORDER, reply({ code: '400', description }, 400));
      assert.equal(brief(answer), 'failed provider');
      assert.equal(answer.telcoMessage, undefined);
    }
    const answer = answerToPurchase(ORDER, reply({ code: '400', description: 'Invalid meter' }, 400));
    assert.equal(answer.telcoMessage, 'Invalid meter');
  });

  it('reads 401 and 429 before the code, and 5xx or 4xx with a good code as unknown', () => {
    assert.equal(
      brief(answerToPurchase(ORDER, reply({ code: '02', description: 'token expired' }, 401))),
      'failed provider',
    );
    assert.equal(isUnauthorised(reply({ code: '02' }, 401)), true);
    assert.equal(isUnauthorised(reply({ code: '401' })), true);
    assert.equal(isUnauthorised(reply({ code: '403' }, 403)), false);
    assert.equal(answerToPurchase(ORDER, reply({ message: 'slow down' }, 429)).kind, 'not_sent');
    for (const status of [500, 502, 503]) {
      assert.equal(answerToPurchase(ORDER, reply({ code: '400' }, status)).kind, 'unknown');
      assert.equal(answerToQuery(ORDER, reply({ code: '404' }, status)).kind, 'unknown');
    }
    const good = { code: '00', data: record() };
    assert.equal(answerToPurchase(ORDER, reply(good, 400)).kind, 'unknown');
    assert.equal(answerToQuery(ORDER, reply(good, 404)).kind, 'unknown');
    assert.equal(answerToQuery(ORDER, reply({ message: 'no such path' }, 404)).kind, 'unknown');
    assert.equal(answerToPurchase(ORDER, reply({ message: 'no such path' }, 404)).kind, 'unknown');
  });

  it('confirms refusals of the order and our account, not of the token', () => {
    for (const code of ['02', '400', '404', '422', '05', '403']) {
      assert.ok(
        needsConfirmation(answerToPurchase(ORDER, reply({ code, description: 'Request failed.' }))),
        code,
      );
    }
    assert.ok(
      needsConfirmation(answerToPurchase(ORDER, reply({ code: '400', description: 'INSUFFICIENT_BALANCE' }))),
    );
    assert.ok(!needsConfirmation(answerToPurchase(ORDER, reply({ code: '401' }, 401))));
    assert.ok(
      !needsConfirmation(
        answerToPurchase(ORDER, reply({ code: '00', data: { ...purchase(), status: 'REFUND' } })),
      ),
    );
    assert.ok(!needsConfirmation(answerToPurchase(ORDER, { kind: 'no_access', reason: 'refused' })));
  });

  it('reads no answer from a redirection, whatever its body', () => {
    for (const status of [301, 302, 307]) {
      assert.equal(answerToPurchase(ORDER, reply({ code: '00', data: purchase() }, status)).kind, 'unknown');
      assert.equal(answerToPurchase(ORDER, reply({ code: '400' }, status)).kind, 'unknown');
      assert.equal(answerToQuery(ORDER, reply({ code: '404' }, status)).kind, 'unknown');
    }
  });

  it('reads a call that did not leave as not sent for a purchase and as unknown for a query', () => {
    const notSent: CallResult = { kind: 'not_sent', reason: 'ECONNREFUSED' };
    assert.equal(answerToPurchase(ORDER, notSent).kind, 'not_sent');
    assert.equal(answerToQuery(ORDER, notSent).kind, 'unknown');
    const lost: CallResult = { kind: 'lost', reason: 'ECONNRESET', status: 429 };
    assert.equal(answerToPurchase(ORDER, lost).kind, 'unknown');
    assert.equal(answerToQuery(ORDER, lost).kind, 'unknown');
    const noAccess = { kind: 'no_access', reason: 'refused' } as const;
    assert.equal(brief(answerToPurchase(ORDER, noAccess)), 'failed provider');
    assert.equal(answerToQuery(ORDER, noAccess).kind, 'unknown');
    assert.equal(answerToLookup(noAccess).kind, 'unavailable');
  });
});

describe('statuses', () => {
  for (const [status, expected] of Object.entries(STATUSES)) {
    it(`reads ${status} as ${expected}`, () => {
      for (const spelling of [status, status.toLowerCase()]) {
        const bought = { code: '00', data: { ...purchase(), status: spelling } };
        assert.equal(brief(answerToPurchase(ORDER, reply(bought))), expected);
        const found = { code: '00', data: { ...record(), status: spelling } };
        assert.equal(brief(answerToQuery(ORDER, reply(found))), expected);
      }
    });
  }

  it('reads no status as final under 202', () => {
    for (const status of Object.keys(STATUSES)) {
      const result = reply({ code: '202', data: { ...purchase(), status } });
      assert.equal(answerToPurchase(ORDER, result).kind, 'accepted');
      assert.equal(
        answerToQuery(ORDER, reply({ code: '202', data: { ...record(), status } })).kind,
        'unknown',
      );
    }
  });
});

describe('the owner of a record', () => {
  it('reads a purchase reply with another reference as unknown, and without one as ours', () => {
    const named = (merchantTxRef: unknown): CallResult =>
      reply({ code: '00', data: { ...purchase(), meta: { merchantTxRef } } });
    assert.equal(answerToPurchase(ORDER, named('another')).kind, 'unknown');
    assert.equal(answerToPurchase(ORDER, named(REFERENCE)).kind, 'success');
    assert.equal(answerToPurchase(ORDER, named(undefined)).kind, 'success');
  });

  it('accepts a query reply only with our reference and our amount', () => {
    const found = (fields: object): string =>
      brief(answerToQuery(ORDER, reply({ code: '00', data: { ...record(), ...fields } })));
    assert.equal(found({}), 'success');
    assert.equal(found({ amount: '2000.00' }), 'success');
    assert.equal(found({ amount: undefined }), 'success');
    assert.equal(found({ merchantTxRef: undefined, meta: { merchantTxRef: REFERENCE } }), 'success');
    for (const merchantTxRef of ['another', '', null, undefined, 5, REFERENCE.toUpperCase()]) {
      assert.equal(found({ merchantTxRef }), 'unknown', String(merchantTxRef));
    }
    for (const amount of [2000.5, '20', -2000, 'much', null]) assert.equal(found({ amount }), 'unknown');
  });

  it('reads a success of another amount as unknown and delivered, also on a purchase', () => {
    const said = (fields: object): readonly [ProviderAnswer, ProviderAnswer] => [
      answerToPurchase(ORDER, reply({ code: '00', data: { ...purchase(), ...fields } })),
      answerToQuery(ORDER, reply({ code: '00', data: { ...record(), ...fields } })),
    ];
    for (const answer of said({ amount: 1_000 })) {
      assert.ok(answer.kind === 'unknown' && answer.delivered, answer.kind);
      assert.equal(answer.code, 'other_amount');
      assert.match(answer.message, /\b1000\.00\b.*\b2000\.00\b/);
    }
    for (const fields of [
      { amount: 1_000, status: 'REFUND' },
      { amount: 1_000, status: 'NEW' },
    ]) {
      for (const answer of said(fields)) {
        assert.ok(answer.kind === 'unknown' && answer.delivered === undefined, JSON.stringify(fields));
      }
    }
  });

  it('reads the cost of a data plan from its price at Nomba', () => {
    const order = { ...ORDER, product: 'data', planCodes: { productId: 'mtn1' } };
    const answer = answerToQuery(order, reply({ code: '00', data: { ...record(), amount: 1990 } }));
    assert.ok(answer.kind === 'success' && answer.cost === 1_990_00n);
  });
});

describe('the rest of a reply', () => {
  it('reads a token from the purchase, only as a text of twenty digits', () => {
    const goods = (phcnVendToken: unknown): unknown => {
      const meta = { merchantTxRef: REFERENCE, phcnVendToken, phcnVendUnits: '23.5' };
      const answer = answerToPurchase(ORDER, reply({ code: '00', data: { ...purchase(), meta } }));
      return answer.kind === 'success' ? answer.goods : answer;
    };
    const expected = { token: TOKEN, units: '23.5' };
    assert.deepEqual(goods(TOKEN), expected);
    assert.deepEqual(goods('2636-2054-4059-8275-7802'), expected);
    for (const bad of [Number(TOKEN), '2636205440598275780', `${TOKEN}1`, '', null, undefined]) {
      assert.equal(goods(bad), undefined, String(bad));
    }
  });

  it('reads the plan of a meter in any letter case', () => {
    const meta = { merchantTxRef: REFERENCE, phcnVendToken: TOKEN };
    for (const meter_type of ['prepaid', 'PREPAID', 'Prepaid']) {
      const order = { ...ORDER, planCodes: { disco: 'ikedc', meter_type } };
      const answer = answerToPurchase(order, reply({ code: '00', data: { ...purchase(), meta } }));
      assert.ok(answer.kind === 'success' && answer.goods?.token === TOKEN, meter_type);
    }
  });

  it('notes a missing token of a success, unless none is owed', () => {
    const bought = reply({ code: '00', data: purchase() });
    const withoutToken = answerToPurchase(ORDER, bought).message;
    const postpaid = { ...ORDER, planCodes: { disco: 'ikedc', meter_type: 'postpaid' } };
    for (const order of [postpaid, { ...ORDER, product: 'CABLE' }, { ...ORDER, product: 'BETTING' }]) {
      const answer = answerToPurchase(order, bought);
      assert.equal(answer.kind, 'success');
      assert.notEqual(answer.message, withoutToken);
      assert.ok(answer.kind === 'success' && answer.goods === undefined);
    }
  });

  it('reads the cost as amount and fee, and leaves it open when the fee is unreadable', () => {
    const cost = (fields: object): unknown => {
      const answer = answerToPurchase(ORDER, reply({ code: '00', data: { ...purchase(), ...fields } }));
      return answer.kind === 'success' ? answer.cost : answer;
    };
    assert.equal(cost({}), 2_000_00n);
    assert.equal(cost({ fee: '20.50' }), 2_020_50n);
    assert.equal(cost({ fixedCharge: 10 }), 2_010_00n);
    assert.equal(cost({ fee: 'free' }), undefined);
    assert.equal(cost({ amount: null }), undefined);
  });

  it('keeps the id and the message, and prefers the message of the biller', () => {
    const data = { ...purchase(), id: 'API-1', gatewayMessage: 'Meter vended' };
    const answer = answerToPurchase(
      ORDER,
      reply({ code: '00', description: 'Success', message: 'ok', data }),
    );
    assert.equal(answer.providerId, 'API-1');
    assert.equal(answer.telcoMessage, 'Meter vended');
    const topup = {
      code: '202',
      data: { status: 'Processing', meta: { merchantTxRef: REFERENCE, rrn: 17 } },
    };
    assert.equal(answerToPurchase(ORDER, reply(topup)).providerId, '17');
  });
});

describe('any reply', () => {
  const leaf = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(...Object.keys(CODES), ...Object.keys(STATUSES), REFERENCE, TOKEN, 2000),
  );
  const data = fc.record(
    {
      status: leaf,
      amount: leaf,
      id: leaf,
      fee: leaf,
      merchantTxRef: fc.oneof(fc.constant(REFERENCE), leaf),
      meta: fc.oneof(leaf, fc.record({ merchantTxRef: leaf, phcnVendToken: leaf, phcnVendUnits: leaf })),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record({ code: leaf, description: leaf, data: fc.oneof(leaf, data) }, { requiredKeys: [] }),
  );
  const SUCCESS_WORD = /"success"/i;
  const FAILURE_WORD = /"refund"|"(?:02|05|400|401|403|404|422)"/i;
  const REFUSED_CALL = [401];

  it('reads a code that every object has as unknown', () => {
    for (const code of ['valueOf', 'constructor', '__proto__', 'toString']) {
      assert.equal(answerToPurchase(ORDER, reply({ code }, 200)).kind, 'unknown');
      assert.equal(answerToLookup(reply({ code }, 200)).kind, 'unavailable');
    }
  });

  it('never throws, is final only by an explicit listed word, and a look-up only about our own reference', () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 100, max: 599 }), (value, status) => {
        const text = JSON.stringify(value);
        const result = reply(value, status);
        const purchase = answerToPurchase(ORDER, result);
        if (purchase.kind === 'success') assert.match(text, SUCCESS_WORD);
        if (purchase.kind === 'failed' && !REFUSED_CALL.includes(status)) assert.match(text, FAILURE_WORD);
        const query = answerToQuery(ORDER, result);
        assert.notEqual(query.kind, 'not_sent');
        if (query.kind === 'success') assert.match(text, SUCCESS_WORD);
        if (query.kind === 'failed') assert.match(text, /"refund"/i);
        if (query.kind === 'success' || query.kind === 'failed') assert.ok(text.includes(REFERENCE));
        answerToLookup(result);
        isUnauthorised(result);
        readBalance(result);
        readPlans(result);
      }),
      runs(500),
    );
  });
});

describe('a customer', () => {
  const lookup = (body: unknown, status = 200): string => answerToLookup(reply(body, status)).kind;

  it('verifies a customer by a name, rejects one by a refusal, and otherwise answers unknown', () => {
    const named = answerToLookup(reply({ code: '00', data: 'ADA OBI' }));
    assert.deepEqual(named, { kind: 'verified', customer: { name: 'ADA OBI' } });
    for (const code of ['02', '400', '404', '422']) {
      assert.equal(lookup({ code, description: 'no' }), 'rejected');
      assert.equal(lookup({ code, description: 'no' }, 404), 'rejected');
      assert.equal(lookup({ code, description: 'no' }, 502), 'unavailable');
      assert.equal(lookup({ code, description: 'no' }, 401), 'unavailable');
      assert.equal(lookup({ code, description: 'no' }, 429), 'unavailable');
    }
    for (const code of ['01', '05', '06', '403', '500', '77']) assert.equal(lookup({ code }), 'unavailable');
    for (const data of ['', ' ', null, {}, 5, ['ADA OBI']])
      assert.equal(lookup({ code: '00', data }), 'unavailable');
    assert.equal(lookup('ADA OBI'), 'unavailable');
    assert.equal(answerToLookup({ kind: 'lost', reason: 'x' }).kind, 'unavailable');
  });

  it('queries a customer only with the code of the plan', () => {
    const query = { product: 'ELECTRICITY', network: 'JED', recipient: '45 1&x' };
    assert.equal(
      toLookup({ ...query, planCodes: { disco: 'jed', meter_type: 'prepaid' } }),
      '/bill/electricity/lookup?customerId=45+1%26x&disco=jed',
    );
    assert.equal(
      toLookup({ ...query, product: 'CABLE', planCodes: { cable_type: 'dstv' } }),
      '/bill/cabletv/lookup?customerId=45+1%26x&cableTvType=dstv',
    );
    assert.equal(
      toLookup({ ...query, product: 'BETTING', planCodes: { betting_provider: 'bet9ja' } }),
      '/bill/betting/lookup?customerId=45+1%26x&providerId=bet9ja',
    );
    assert.equal(toLookup(query), undefined);
    assert.equal(toLookup({ ...query, product: 'airtime', planCodes: { disco: 'jed' } }), undefined);
  });
});

describe('a purchase', () => {
  const bought = (order: Partial<ProviderOrder>): unknown => toPurchase({ ...ORDER, ...order }, 'Oja Ltd');

  it('sends the fields of each product, with amounts in whole naira', () => {
    const common = {
      customerId: '45002000001',
      amount: 2000,
      payerName: 'Oja Ltd',
      merchantTxRef: REFERENCE,
    };
    assert.deepEqual(bought({}), {
      path: '/bill/electricity',
      body: { ...common, disco: 'ikedc', meterType: 'prepaid' },
    });
    assert.deepEqual(bought({ product: 'CABLE', planCodes: { cable_type: 'gotv' } }), {
      path: '/bill/cabletv',
      body: { ...common, cableTvType: 'gotv' },
    });
    const bet = { product: 'BETTING', planCodes: { betting_provider: 'bet9ja' }, phone: '2348031234567' };
    assert.deepEqual(bought(bet), {
      path: '/bill/betting',
      body: { ...common, bettingProvider: 'bet9ja', phoneNumber: '08031234567' },
    });
    assert.deepEqual(bought({ amount: 2_000_01n }), { lacks: 'whole naira' });
  });

  it('sends the local number and the network for airtime and data', () => {
    const call = { product: 'airtime', network: 'GLO', recipient: '2348051234567', amount: 100_50n };
    const common = { phoneNumber: '08051234567', network: 'GLO', merchantTxRef: REFERENCE };
    assert.deepEqual(bought(call), { path: '/bill/topup', body: { ...common, amount: 100.5 } });
    const data = { ...call, product: 'data', planCodes: { productId: 'glo7' } };
    assert.deepEqual(bought(data), { path: '/bill/data', body: { ...common, productId: 'glo7' } });
    assert.deepEqual(bought({ ...call, network: 'SMILE' }), { lacks: 'code' });
    assert.deepEqual(bought({ ...call, product: 'data', planCodes: {} }), { lacks: 'code' });
  });

  it('makes no call for a purchase whose codes or phone are missing', () => {
    for (const planCodes of [{}, { disco: 'ikedc' }, { meter_type: 'prepaid' }]) {
      assert.deepEqual(bought({ planCodes }), { lacks: 'code' });
    }
    assert.deepEqual(bought({ product: 'CABLE', planCodes: {} }), { lacks: 'code' });
    assert.deepEqual(bought({ product: 'BETTING', planCodes: {} }), { lacks: 'code' });
    assert.deepEqual(bought({ product: 'BETTING', planCodes: { betting_provider: 'x' } }), {
      lacks: 'phone',
    });
    assert.deepEqual(bought({ product: 'ESIM' }), { lacks: 'code' });
  });
});

describe('float and plans', () => {
  it('reads float and plans only from a successful envelope', () => {
    assert.deepEqual(readBalance(reply({ code: '00', data: { amount: '1081.82', currency: 'NGN' } })), {
      amount: 1081_82n,
      currency: 'NGN',
    });
    assert.equal(readBalance(reply({ code: '05', data: { amount: '1081.82' } })), undefined);
    const plan = { amount: 350, plan: '1GB', productId: 'mtn47' };
    assert.deepEqual(readPlans(reply({ code: '00', data: [plan, {}, 5] })), [
      { code: 'mtn47', name: '1GB', price: 350_00n, fixed: true },
      unreadablePlan,
      unreadablePlan,
    ]);
    assert.equal(readPlans(reply({ code: '00', data: plan })), undefined);
    assert.equal(readPlans({ kind: 'lost', reason: 'x' }), undefined);
  });
});

/** Nomba's answer to a purchase, without the token. */
function purchase(): Record<string, unknown> {
  return { amount: 2000, status: 'SUCCESS', id: 'API-1', meta: { merchantTxRef: REFERENCE } };
}

/** Nomba's record of it in a lookup. */
function record(): Record<string, unknown> {
  return { id: 'API-1', status: 'SUCCESS', amount: 2000, fixedCharge: 0, merchantTxRef: REFERENCE };
}

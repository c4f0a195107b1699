/**
 * EasyAccess's two APIs as data: every known code and status, and everything that is not known.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseEasyAccessCallback } from '../../../src/providers/easyaccess/callback.ts';
import {
  answerToAirtime,
  answerToData,
  answerToQuery,
  readBalance,
  readPlans,
} from '../../../src/providers/easyaccess/mapping.ts';
import { toPurchase } from '../../../src/providers/easyaccess/purchase.ts';
import { unreadablePlan } from '../../../src/providers/plan-facts.ts';
import type { ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import { brief, type Read, reply, testsAnyReply, testsCallsWithoutReply } from '../connector-replies.ts';

const REFERENCE = '0d3b1f0e-7a51-8b87-9f0c-0b8f6f1f8a11';

const ORDER: ProviderOrder = {
  reference: REFERENCE,
  product: 'data',
  network: 'MTN',
  recipient: '2348031234567',
  amount: 300_00n,
  charge: 290_50n,
  currency: 'NGN',
  planCodes: { variation_code: '42' },
  providerId: 'EA1',
};

type Expected = 'failed order' | 'failed provider' | Exclude<ProviderAnswer['kind'], 'failed'>;

/** By code in the body and status of the order. A missing pair is `unknown`. */
const DATA: Readonly<Record<string, Readonly<Record<string, Expected>>>> = {
  '200': { success: 'success', pending: 'accepted', failed: 'failed order' },
  '201': { success: 'success', pending: 'accepted', failed: 'failed order' },
  '400': { failed: 'failed order' },
  '401': { failed: 'failed provider' },
};

const CODES = ['', '100', '200', '201', '202', '299', '400', '401', '403', '404', '409', '500'];
const STATUSES = ['success', 'pending', 'failed', 'successful', 'processing', 'refunded', 'true', ''];
const HTTP = [200, 201, 301, 400, 401, 403, 404, 429, 500, 502];

describe('data at EasyAccess', () => {
  it('reads an order as final only by a known pair of code and status', () => {
    for (const code of CODES) {
      for (const status of STATUSES) {
        for (const spelling of [code, Number(code)]) {
          const expected = DATA[code]?.[status] ?? 'unknown';
          const result = reply({ ...taken, code: spelling, status });
          assert.equal(brief(answerToData(ORDER, result)), expected, `${code} ${status}`);
          assert.equal(
            brief(answerToData(ORDER, reply({ ...taken, code, status: status.toUpperCase() }))),
            expected,
          );
        }
      }
    }
  });

  it('reads no success from an HTTP error, and nothing from a redirect or HTTP 5xx', () => {
    for (const http of HTTP.filter((status) => status >= 300)) {
      const isReadable = http >= 400 && http < 500;
      assert.equal(
        answerToData(ORDER, reply({ ...taken, code: 200, status: 'success' }, http)).kind,
        'unknown',
      );
      const refused = answerToData(ORDER, reply({ code: 400, status: 'failed' }, http));
      assert.equal(brief(refused), isReadable ? 'failed order' : 'unknown', String(http));
    }
  });

  it('reads a failure of a queried order whatever its text mentions', () => {
    for (const message of ['Transaction reference found', 'already processed', 'Insufficient balance']) {
      const record = { ...taken, message, status: 'success', retrieved_status: 'failed' };
      assert.equal(brief(answerToQuery(ORDER, reply(record))), 'failed order', message);
    }
  });

  it('reads a refusal that mentions a used reference as unknown', () => {
    for (const message of ['Duplicate transaction', 'client_reference already used', 'Transaction exists']) {
      for (const code of [200, 400, 401]) {
        assert.equal(
          answerToData(ORDER, reply({ code, status: 'failed', message })).kind,
          'unknown',
          message,
        );
      }
    }
  });

  it('hides messages about our account from the merchant', () => {
    for (const [message, expected] of [
      ['Insufficient balance', 'failed provider'],
      ['INSUFFICIENT_WALLET_BALANCE', 'failed provider'],
      ['Your account is not authorized', 'failed order'],
    ] as const) {
      const answer = answerToData(ORDER, reply({ code: 400, status: 'failed', message }));
      assert.equal(brief(answer), expected);
      assert.equal(answer.kind === 'failed' && answer.telcoMessage, undefined);
    }
    const answer = answerToData(ORDER, reply({ code: 400, status: 'failed', message: 'Invalid number' }));
    assert.equal(answer.kind === 'failed' && answer.telcoMessage, 'Invalid number');
  });

  it('ignores an answer about another order', () => {
    const result = reply({ ...taken, status: 'success', client_reference: 'another' });
    assert.equal(answerToData(ORDER, result).code, 'other_order');
    assert.equal(answerToQuery(ORDER, result).code, 'other_order');
  });

  it('returns the cost and the id that queries need', () => {
    const answer = answerToData(ORDER, reply({ ...taken, status: 'success', amount: '291.00' }));
    assert.ok(answer.kind === 'success');
    assert.deepEqual([answer.cost, answer.providerId], [291_00n, 'EA1']);
    const pending = answerToData(ORDER, reply({ ...taken, status: 'pending' }));
    assert.equal(pending.providerId, 'EA1');
  });
});

describe('queries of EasyAccess', () => {
  it('decides a query by the status of the order, not of the query', () => {
    for (const code of CODES) {
      for (const retrieved_status of STATUSES) {
        const isFound = code === '200' || code === '201';
        const expected = isFound ? (DATA[code]?.[retrieved_status] ?? 'unknown') : 'unknown';
        const body = { ...taken, code, status: 'success', retrieved_status };
        assert.equal(brief(answerToQuery(ORDER, reply(body))), expected, `${code} ${retrieved_status}`);
        assert.equal(answerToQuery(ORDER, reply({ ...body, status: 'failed' })).kind, 'unknown');
        assert.equal(answerToQuery(ORDER, reply(body, 404)).kind, 'unknown');
      }
    }
  });

  it('never reports an order as not found, and ignores another id', () => {
    const missing = { code: 400, status: 'failed', message: 'Transaction not found' };
    assert.equal(answerToQuery(ORDER, reply(missing)).kind, 'unknown');
    const other = { ...taken, status: 'success', retrieved_status: 'failed', reference: 'EA2' };
    assert.equal(answerToQuery(ORDER, reply(other)).code, 'other_order');
  });
});

describe('airtime at EasyAccess', () => {
  it('reads airtime as a success only by the flag, and otherwise as unknown', () => {
    for (const [success, expected] of [
      [true, 'success'],
      ['true', 'success'],
      [false, 'unknown'],
      ['false', 'unknown'],
      ['success', 'unknown'],
      ['200', 'unknown'],
      ['TRUE', 'unknown'],
      [1, 'unknown'],
      [undefined, 'unknown'],
    ] as const) {
      const body = { success, message: 'Insufficient balance' };
      assert.equal(answerToAirtime(ORDER, reply(body)).kind, expected, String(success));
      for (const http of HTTP.filter((status) => status >= 300)) {
        assert.equal(answerToAirtime(ORDER, reply(body, http)).kind, 'unknown', String(http));
      }
    }
  });
});

describe('calls to EasyAccess', () => {
  const of =
    (read: typeof answerToData): Read =>
    (result) =>
      read(ORDER, result);
  const [purchases, queries] = [[of(answerToData), of(answerToAirtime)], [of(answerToQuery)]];
  testsCallsWithoutReply(purchases, queries);
  testsAnyReply([...purchases, ...queries], [readBalance, ({ body }) => parseEasyAccessCallback(body)]);

  it('sends our reference, and the price limit of a plan', () => {
    assert.deepEqual(toPurchase(ORDER), {
      api: 'new',
      path: '/live/v1/purchase-data',
      body: {
        network: 1,
        dataplan: '42',
        mobileno: '08031234567',
        client_reference: REFERENCE,
        max_amount_payable: 290.5,
      },
    });
    const { charge: _, ...without } = ORDER;
    const purchase = toPurchase(without);
    assert.equal('body' in purchase && purchase.body.max_amount_payable, 300);
    assert.deepEqual(toPurchase({ ...ORDER, product: 'airtime', network: '9MOBILE' }), {
      api: 'old',
      path: '/airtime.php',
      body: {
        network: '04',
        amount: 300,
        mobileno: '08031234567',
        airtime_type: '001',
        client_reference: REFERENCE,
      },
    });
    assert.deepEqual(toPurchase({ ...ORDER, product: 'CABLE' }), { lacks: 'code' });
  });

  it('reads the balance', () => {
    assert.deepEqual(readBalance(reply({ success: 'true', balance: '12.50' })), {
      amount: 12_50n,
      currency: 'NGN',
    });
    assert.equal(readBalance(reply({ success: 'false', balance: '12.50' })), undefined);
    assert.equal(readBalance(reply({ success: true, balance: '12.50' }, 401)), undefined);
  });

  it('reads the order of a webhook as a hint', () => {
    assert.deepEqual(parseEasyAccessCallback({ client_reference: REFERENCE }), { reference: REFERENCE });
    for (const client_reference of [undefined, '', 7, 'a b c d e f g', 'x'.repeat(51)]) {
      assert.equal(parseEasyAccessCallback({ client_reference }), undefined);
    }
  });
});

const taken = { code: 200, message: 'TEXT', reference: 'EA1', client_reference: REFERENCE };

describe('the plans of EasyAccess', () => {
  const row = { plan_id: 7, name: '1GB SME', price: '1,250.50', validity: '30 days' };
  const plan = {
    code: '7',
    name: '1GB SME',
    price: 1_250_50n,
    fixed: true,
    cost: 1_250_50n,
    kind: 'sme',
    sizeMb: 1_000,
    days: 30,
  };

  it('are read wherever the reply has its rows, and without a price that is no amount', () => {
    const more = { plan_id: '8', name: '2GB', price: 'ask', validity: '' };
    for (const body of [
      [row, more],
      { data: [row, more] },
      { status: 'success', data: { MTN: [row, more] } },
    ]) {
      assert.deepEqual(readPlans(reply(body)), [
        plan,
        { code: '8', name: '2GB', price: undefined, fixed: true, sizeMb: 2_000 },
      ]);
    }
    assert.deepEqual(readPlans(reply([row, { ...row, plan_id: null }])), [plan, unreadablePlan]);
  });

  it('are unreadable in a reply without rows, since a part of a list would withdraw the rest', () => {
    const bodies = [[], {}, { data: [] }, { data: [{ name: '1GB' }] }, '<html>', null];
    for (const body of bodies) assert.equal(readPlans(reply(body)), undefined);
    assert.equal(readPlans(reply([row], 500)), undefined);
    assert.equal(readPlans({ kind: 'lost', reason: 'ECONNRESET' }), undefined);
  });
});

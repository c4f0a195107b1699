/**
 * SMEPlug's interface as data: every documented word, to a purchase and to a query, and everything
 * that is not documented.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unreadablePlan } from '../../../src/providers/plan-facts.ts';
import type { ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import {
  answerToPurchase,
  answerToQuery,
  readBalance,
  readPlans,
  toPurchase,
} from '../../../src/providers/smeplug/mapping.ts';
import { brief, type Read, reply, testsAnyReply, testsCallsWithoutReply } from '../connector-replies.ts';

const OWN = 'smeplug-own-reference';

const ORDER: ProviderOrder = {
  reference: '019a0000-0000-8000-8000-000000000001',
  product: 'airtime',
  network: 'MTN',
  recipient: '2348031234567',
  amount: 1_000_00n,
  currency: 'NGN',
};
const QUERIED: ProviderOrder = { ...ORDER, providerId: OWN };

const purchased = (body: unknown, status?: number): ProviderAnswer =>
  answerToPurchase(ORDER, reply(body, status));
const queried = (body: unknown, status?: number): ProviderAnswer =>
  answerToQuery(QUERIED, reply(body, status));
const inState = (current_status: unknown): Record<string, unknown> => ({
  status: true,
  data: { reference: OWN, current_status, msg: 'a text' },
});

describe('states', () => {
  const STATES = [
    ['success', 'success', 'success'],
    ['processing', 'accepted', 'accepted'],
    ['failed', 'failed order', 'failed order'],
    ['pending', 'unknown', 'accepted'],
    ['queued', 'unknown', 'unknown'],
    ['Success', 'unknown', 'unknown'],
    ['reversed', 'unknown', 'unknown'],
    [true, 'unknown', 'unknown'],
    [undefined, 'unknown', 'unknown'],
  ] as const;

  for (const [state, purchase, query] of STATES) {
    it(`reads ${state} as ${purchase} to a purchase and as ${query} to a query`, () => {
      const answer = purchased(inState(state));
      assert.equal(brief(answer), purchase);
      assert.equal(answer.providerId, OWN);
      assert.equal(brief(queried({ status: state, reference: OWN, response: 'a text' })), query);
    });
  }

  it('needs HTTP 2xx, the envelope and our order for a state to count', () => {
    for (const status of [301, 400, 403, 404, 429, 500, 503]) {
      assert.equal(purchased(inState('success'), status).kind, 'unknown');
      assert.equal(purchased(inState('failed'), status).kind, 'unknown');
      assert.equal(queried({ status: 'success', reference: OWN }, status).kind, 'unknown');
    }
    for (const status of ['true', 1, undefined]) {
      assert.equal(purchased({ ...inState('success'), status }).kind, 'unknown');
    }
    for (const reference of ['another', undefined]) {
      for (const status of ['success', 'failed'])
        assert.equal(queried({ status, reference }).kind, 'unknown');
    }
    const other = { status: 'success', reference: OWN, customer_reference: 'another' };
    assert.equal(queried(other).kind, 'unknown');
    assert.equal(answerToQuery(ORDER, reply({ status: 'success', reference: OWN })).kind, 'unknown');
  });

  const purchase: Read = (result) => answerToPurchase(ORDER, result);
  const query: Read = (result) => answerToQuery(QUERIED, result);
  testsCallsWithoutReply([purchase], [query]);
  testsAnyReply([purchase, query]);
});

describe('refusals', () => {
  const REFUSALS = [
    ['Insufficient balance', 'failed provider'],
    ['Invalid Authorization. Confirm your secret key', 'failed provider'],
    ['Invalid key', 'failed provider'],
    ['Invalid plan', 'failed order'],
    ['Duplicate transaction', 'unknown'],
    ['Customer reference exist', 'unknown'],
    ['Duplicate: insufficient time since the last order', 'unknown'],
    ['Network is down', 'unknown'],
    ['', 'unknown'],
  ] as const;

  for (const [msg, expected] of REFUSALS) {
    it(`reads "${msg}" with HTTP 4xx as ${expected}, and otherwise as unknown`, () => {
      const body = { status: false, msg };
      for (const status of [400, 402, 403, 422]) assert.equal(brief(purchased(body, status)), expected);
      for (const status of [200, 201, 302, 500, 502]) assert.equal(purchased(body, status).kind, 'unknown');
      // A refused query says nothing about the order.
      for (const status of [200, 400, 403, 404]) assert.equal(queried(body, status).kind, 'unknown');
    });
  }

  it('keeps a refused order that has a reference, and can query it', () => {
    for (const msg of ['Insufficient balance', 'Invalid plan', 'Secret key', 'a text']) {
      for (const status of [200, 400, 403]) {
        const answer = purchased({ status: false, msg, data: { reference: OWN } }, status);
        assert.deepEqual([answer.kind, answer.providerId], ['unknown', OWN]);
      }
    }
  });

  it('gives the customer no message about our account', () => {
    const answer = purchased({ status: false, msg: 'Insufficient balance: N12.50 left' }, 400);
    assert.equal(answer.telcoMessage, undefined);
    assert.notEqual(purchased({ status: false, msg: 'Invalid plan' }, 400).telcoMessage, undefined);
    const failed = purchased({ status: true, data: { current_status: 'failed', msg: 'wallet N12.50' } });
    assert.ok(failed.kind === 'failed' && !failed.telcoMessage?.includes('12.50'));
  });
});

describe('requests', () => {
  it('names networks by SMEPlug’s ids', () => {
    for (const [network, network_id] of [
      ['MTN', 1],
      ['AIRTEL', 2],
      ['9MOBILE', 3],
      ['GLO', 4],
    ] as const) {
      const common = { network_id, phone: '08031234567', customer_reference: ORDER.reference };
      assert.deepEqual(toPurchase({ ...ORDER, network }), {
        path: '/airtime/purchase',
        body: { ...common, amount: 1_000 },
      });
      const planCodes = { service_id: String(network_id), variation_code: '101' };
      assert.deepEqual(toPurchase({ ...ORDER, product: 'data', network, planCodes }), {
        path: '/data/purchase',
        body: { ...common, plan_id: '101' },
      });
    }
    assert.deepEqual(toPurchase({ ...ORDER, network: 'SMILE' }), { lacks: 'code' });
    assert.deepEqual(toPurchase({ ...ORDER, product: 'data' }), { lacks: 'code' });
    assert.deepEqual(toPurchase({ ...ORDER, amount: 1_000_01n }), { lacks: 'whole naira' });
  });
});

describe('balance and plans', () => {
  it('reads a balance in both places, and none of a bad answer', () => {
    const money = { amount: 1_234_50n, currency: 'NGN' };
    for (const body of [{ balance: 1234.5 }, { balance: '1,234.50' }, { data: { balance: '1234.50' } }]) {
      assert.deepEqual(readBalance(reply(body)), money);
    }
    for (const body of [{}, { balance: null }, [], null]) assert.equal(readBalance(reply(body)), undefined);
    assert.equal(readBalance(reply({ balance: 1 }, 403)), undefined);
  });

  it('reads the plans of one network', () => {
    const body = { status: true, data: { 1: [{ id: 7, name: '1 GB', price: '250', telco_price: 300 }, {}] } };
    assert.deepEqual(readPlans('1', reply(body)), [
      { code: '7', name: '1 GB', price: 250_00n, fixed: true, cost: 250_00n, sizeMb: 1_000 },
      unreadablePlan,
    ]);
    assert.equal(readPlans('2', reply(body)), undefined);
    assert.equal(readPlans('1', reply({ ...body, status: false })), undefined);
  });
});

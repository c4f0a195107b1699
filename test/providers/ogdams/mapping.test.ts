/** OGDAMS's interface as data: every known code, and everything that is not known. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallResult } from '../../../src/providers/http/call.ts';
import { answerToPurchase, readPlans } from '../../../src/providers/ogdams/mapping.ts';
import { toPurchase } from '../../../src/providers/ogdams/purchase.ts';
import { unreadablePlan } from '../../../src/providers/plan-facts.ts';
import type { ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import { brief, reply, testsAnyReply, testsCallsWithoutReply } from '../connector-replies.ts';

const REFERENCE = '0d3b1f0e-7a51-8b87-9f0c-0b8f6f1f8a11';

type Expected = 'failed order' | 'failed provider' | Exclude<ProviderAnswer['kind'], 'failed'>;

/** By code: with `status` true, with false, and with a text that names a field. */
const CODES: Readonly<Record<string, readonly [good: Expected, bad: Expected, field: Expected]>> = {
  '200': ['success', 'unknown', 'unknown'],
  '201': ['accepted', 'unknown', 'unknown'],
  '202': ['accepted', 'unknown', 'unknown'],
  '400': ['unknown', 'unknown', 'failed order'],
  '401': ['unknown', 'unknown', 'failed order'],
  '403': ['unknown', 'unknown', 'failed order'],
  '422': ['unknown', 'unknown', 'failed order'],
  '424': ['unknown', 'failed order', 'failed order'],
};
const REFUSED = ['400', '401', '403', '422'];
const HTTP = [200, 201, 301, 400, 401, 403, 404, 422, 424, 429, 500, 502, 503];

describe('codes of OGDAMS', () => {
  it('decides by code and status, under any HTTP status', () => {
    for (let number = 0; number < 1_000; number += 1) {
      const code = String(number);
      const [good, bad, field] = CODES[code] ?? ['unknown', 'unknown', 'unknown'];
      for (const spelling of [code, number]) {
        assert.equal(brief(answerToPurchase(said(spelling, true, 'Done'))), good, code);
        assert.equal(brief(answerToPurchase(said(spelling, false, 'Not done'))), bad, code);
        const named = said(spelling, false, 'The phoneNumber is invalid');
        assert.equal(brief(answerToPurchase(named)), field, code);
      }
    }
    for (const http of HTTP) {
      const isTheirs = http < 300 || (http >= 400 && http < 500);
      for (const [code, [good, bad]] of Object.entries(CODES)) {
        const [asGood, asBad] = isTheirs ? [good, bad] : ['unknown', 'unknown'];
        assert.equal(brief(answerToPurchase(said(code, true, 'Done', http))), asGood, `${code} ${http}`);
        assert.equal(brief(answerToPurchase(said(code, false, 'No', http))), asBad, `${code} ${http}`);
      }
    }
  });

  it('requires a boolean status for a success', () => {
    for (const status of ['true', 1, null, undefined]) {
      assert.equal(answerToPurchase(reply({ status, code: 200, data: {} })).kind, 'unknown');
    }
  });

  it('gives the customer no message about our account', () => {
    for (const [code, isGood] of [
      [200, true],
      [424, false],
    ] as const) {
      const answer = answerToPurchase(said(code, isGood, 'Done. Wallet balance: N12.50'));
      assert.equal('telcoMessage' in answer, false, String(code));
    }
  });

  it('refuses only with a text that states the error', () => {
    for (const [text, expected] of [
      ['The phoneNumber field is required', 'failed order'],
      ['Invalid amount', 'failed order'],
      ['Plan ID not found', 'failed order'],
      ['networkId must be a number', 'failed order'],
      ['Insufficient balance', 'failed provider'],
      ['Low wallet balance', 'failed provider'],
      ['Invalid API key', 'failed provider'],
      ['Unauthenticated.', 'failed provider'],
      ['Request failed', 'unknown'],
      ['amount 200 sent to phone number 0803', 'unknown'],
      ['The reference is invalid', 'unknown'],
      ['Duplicate amount for this phone number is invalid', 'unknown'],
      ['phoneNumber already has an order, try later: invalid', 'unknown'],
      ['', 'unknown'],
    ] as const) {
      for (const code of REFUSED) {
        const answer = answerToPurchase(said(code, false, text));
        assert.equal(brief(answer), expected, text);
        const told = answer.kind === 'failed' ? answer.telcoMessage : undefined;
        assert.equal(told, expected === 'failed order' ? text : undefined);
      }
    }
  });

  it('does not fail an order whose text mentions a used reference', () => {
    for (const text of ['Duplicate transaction', 'reference already taken', 'Transaction exists']) {
      assert.equal(answerToPurchase(said(424, false, text)).kind, 'unknown', text);
    }
    assert.equal(brief(answerToPurchase(said(424, false, 'Insufficient balance'))), 'failed provider');
  });

  it('returns OGDAMS’s own reference', () => {
    assert.equal(answerToPurchase(said(201, true, 'Queued')).providerId, 'OG1');
  });
});

describe('calls to OGDAMS', () => {
  testsCallsWithoutReply([answerToPurchase]);
  testsAnyReply([answerToPurchase], [(result) => readPlans(result, 'MTN')]);

  it('sends the network numbers of OGDAMS, and our reference', () => {
    const order: ProviderOrder = {
      reference: REFERENCE,
      product: 'airtime',
      network: 'GLO',
      recipient: '2348031234567',
      amount: 100_00n,
      currency: 'NGN',
    };
    const common = { phoneNumber: '08031234567', reference: REFERENCE };
    for (const [network, networkId] of [
      ['MTN', 1],
      ['AIRTEL', 2],
      ['GLO', 3],
      ['9MOBILE', 4],
    ] as const) {
      assert.deepEqual(toPurchase({ ...order, network }), {
        path: '/api/v1/vend/airtime',
        body: { ...common, networkId, amount: 100, type: 'vtu' },
      });
    }
    for (const [variation_code, planId] of [
      ['42', 42],
      ['sme-1gb', 'sme-1gb'],
    ] as const) {
      assert.deepEqual(toPurchase({ ...order, product: 'data', planCodes: { variation_code } }), {
        path: '/api/v1/vend/data',
        body: { ...common, networkId: 3, planId },
      });
    }
    assert.deepEqual(toPurchase({ ...order, product: 'CABLE' }), { lacks: 'code' });
  });

  it('reads the plans of a network at the account’s price', () => {
    const row = { networkId: 1, planId: 42, name: '1GB', validity: '30 days', type: 'sme', ourPrice: 250 };
    const body = { status: true, data: { MTN: [{ ...row, telcoPrice: null }, { name: 'no id' }] } };
    assert.deepEqual(readPlans(reply(body), 'MTN'), [
      {
        code: '42',
        name: '1GB, sme, 30 days',
        price: 250_00n,
        fixed: true,
        cost: 250_00n,
        kind: 'sme',
        sizeMb: 1_000,
        days: 30,
      },
      unreadablePlan,
    ]);
    assert.equal(readPlans(reply(body), 'toString'), undefined);
    assert.equal(readPlans(reply({ ...body, status: false }), 'MTN'), undefined);
  });
});

function said(code: string | number, status: boolean, msg: string, http = 200): CallResult {
  return reply({ status, code, data: { msg, ref: 'OG1' } }, http);
}

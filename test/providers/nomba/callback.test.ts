/** Nomba's webhooks: a good signature names an order, and nothing else does. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseNombaCallback, signNombaCallback } from '../../../src/providers/nomba/callback.ts';

const KEY = 'HkatexKDZg7CLWy96q5sfrVHSvtoz92B';
const TIME = '2025-09-29T10:51:44Z';

/** The sample that Nomba publishes with its signature. */
const SAMPLE = {
  event_type: 'payment_success',
  requestId: '45f2dc2d-d559-4773-bba3-2d5ec17b2e20',
  data: {
    merchant: { userId: 'b7b10e81-e57d-41d0-8fdc-f4e23a132bbf', walletId: '6756ff80aafe04a795f18b38' },
    transaction: {
      transactionId: 'API-VACT_TRA-B7B10-0435b274-807a-4bc7-8abe-9dbb4548fd7a',
      type: 'vact_transfer',
      time: TIME,
      responseCode: null,
    },
  },
};

const REFERENCE = '0d3b1f0e-7a51-4b87-9f0c-0b8f6f1f8a11';
const BILL = {
  ...SAMPLE,
  event_type: 'payout_success',
  data: { ...SAMPLE.data, transaction: { ...SAMPLE.data.transaction, merchantTxRef: REFERENCE } },
};

function headersFor(body: typeof BILL, key = KEY): Record<string, string> {
  return { 'nomba-signature': signNombaCallback(body, TIME, key), 'nomba-timestamp': TIME };
}

describe('a webhook of Nomba’s', () => {
  it('computes the signature that Nomba publishes for its sample', () => {
    assert.equal(signNombaCallback(SAMPLE, TIME, KEY), 'Kt9095hQxfgmVbx6iz7G2tPhHdbdXgLlyY/mf35sptw=');
  });

  it('reads the order of a signed webhook, with either header', () => {
    const headers = headersFor(BILL);
    assert.deepEqual(parseNombaCallback(BILL, headers, KEY), { reference: REFERENCE });
    const { 'nomba-signature': signature, ...rest } = headers;
    assert.deepEqual(parseNombaCallback(BILL, { ...rest, 'nomba-sig-value': signature }, KEY), {
      reference: REFERENCE,
    });
  });

  it('reads an empty response code and a wallet "N/A", as Nomba has sent it', () => {
    const transaction = { ...BILL.data.transaction, responseCode: '' };
    const merchant = { ...BILL.data.merchant, walletId: 'N/A' };
    const odd = { ...BILL, data: { merchant, transaction } };
    const headers = { 'nomba-signature': signNombaCallback(odd, TIME, KEY), 'nomba-timestamp': TIME };
    assert.deepEqual(parseNombaCallback(odd, headers, KEY), { reference: REFERENCE });
    assert.equal(
      parseNombaCallback({ ...odd, data: { ...odd.data, merchant: BILL.data.merchant } }, headers, KEY),
      undefined,
    );
  });

  it('reads no order when the signature is of another key, time or field, or missing', () => {
    const headers = headersFor(BILL);
    const wrong: readonly (readonly [unknown, Record<string, string | string[] | undefined>, string])[] = [
      [BILL, headersFor(BILL, 'another key'), KEY],
      [BILL, { ...headers, 'nomba-timestamp': '2025-09-29T10:51:45Z' }, KEY],
      [{ ...BILL, event_type: 'payout_refund' }, headers, KEY],
      [{ ...BILL, requestId: 'another' }, headers, KEY],
      [BILL, { 'nomba-timestamp': TIME }, KEY],
      [BILL, { ...headers, 'nomba-signature': '' }, KEY],
      [BILL, { ...headers, 'nomba-signature': ['a', 'b'] }, KEY],
      [BILL, headersFor(BILL, ''), ''],
      [null, headers, KEY],
      ['text', headers, KEY],
    ];
    for (const [body, given, key] of wrong) assert.equal(parseNombaCallback(body, given, key), undefined);
  });

  it('reads no order when the webhook names none of ours', () => {
    for (const merchantTxRef of [undefined, null, '', 'short', 'x'.repeat(65), `${REFERENCE}\u0000`, {}]) {
      const transaction = { ...SAMPLE.data.transaction, merchantTxRef };
      const body = { ...SAMPLE, data: { ...SAMPLE.data, transaction } };
      const headers = {
        'nomba-signature': signNombaCallback(body, TIME, KEY),
        'nomba-timestamp': TIME,
      };
      assert.equal(parseNombaCallback(body, headers, KEY), undefined, String(merchantTxRef));
    }
  });
});

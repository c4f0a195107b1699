/** Payvessel's answers and notices: documented ones are read, others are treated as unknown. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import type { AccountOrder } from '../../../../src/funding/banks/funding-provider.ts';
import {
  accountRequest,
  createdAccount,
  noticeOf,
  paymentOf,
} from '../../../../src/funding/banks/payvessel/mapping.ts';
import type { CallResult } from '../../../../src/providers/http/call.ts';
import { reply } from '../../../providers/connector-replies.ts';

const secret = 'PVSECRET-of-a-test';

const order: AccountOrder = {
  reference: 'oja-0a1b2c3d-7-ngn',
  currency: 'NGN',
  identity: {
    email: 'a@b.ng',
    firstName: 'Ada',
    lastName: 'Obi',
    phone: '2348031234567',
    bvn: '22345678901',
  },
};

const palmpay = {
  bankName: 'PalmPay',
  accountNumber: '6030200545',
  accountName: 'Payvessel-Merchant',
  account_type: 'STATIC',
  expire_date: '2024-01-04T11:29:32.6522498+01:00',
  trackingReference: '50HTTGT96CDF360C3DRVGV3J',
};

function created(banks: unknown, status = 201): CallResult {
  return reply({ status: true, service: 'CREATE_VIRTUAL_ACCOUNT', business: 'B', banks }, status);
}

function invalid(errors: unknown, status = 400): CallResult {
  return reply(
    { status: false, service: 'CREATE_VIRTUAL_ACCOUNT', message: 'Invalid payload', errors },
    status,
  );
}

const data = {
  id: '52b9bb2d-01d1-46ac-9800-14d34cb5f882',
  transaction_ref: 'B0C866BD914C487895ACB8C45B939017',
  amount: '5000.50',
  fee: '50.00',
  status: 'SUCCESS',
  transaction_type: 'CREDIT',
  channel: 'BANK_TRANSFER',
  order: { currency: 'NGN' },
  virtual_account: { account_number: '6030200545', account_type: 'STATIC' },
  created_datetime: '2026-11-21T12:05:09.171229',
};

function confirmed(more: object = {}, status = 200): CallResult {
  return reply({ status: true, message: 'ok', data: { ...data, ...more } }, status);
}

describe('a reserved account', () => {
  it('requests a static account', () => {
    assert.deepEqual(accountRequest(order, { banks: ['999991'], businessId: 'B' }), {
      email: 'a@b.ng',
      name: 'Ada Obi',
      phoneNumber: '+2348031234567',
      bankcode: ['999991'],
      account_type: 'STATIC',
      businessid: 'B',
      bvn: '22345678901',
    });
  });

  it('reads the first static account, named errors as refused, and others as unknown', () => {
    const account = {
      number: '6030200545',
      name: 'Payvessel-Merchant',
      bankName: 'PalmPay',
      providerId: '50HTTGT96CDF360C3DRVGV3J',
    };
    const dynamic = { ...palmpay, accountNumber: '5030200545', account_type: 'DYNAMIC' };
    assert.deepEqual(createdAccount(created([dynamic, palmpay])), { kind: 'active', account });
    assert.equal(createdAccount(created([palmpay], 200)).kind, 'active');
    const theirs = createdAccount(invalid({ bvn: ['BVN is mandatory'], bankcode: ['x'] }));
    assert.ok(theirs.kind === 'refused' && !theirs.ours);
    const ours = createdAccount(invalid({ bankcode: ['At least one partner bank code is required'] }));
    assert.ok(ours.kind === 'refused' && ours.ours);
    for (const doubt of [
      created([]),
      created([dynamic]),
      created([{ ...palmpay, account_type: undefined }]),
      created([{ ...palmpay, accountNumber: '603020054' }]),
      created(undefined),
      created([palmpay], 400),
      created([palmpay], 500),
      invalid({}),
      invalid(undefined),
      invalid({ bvn: ['x'] }, 422),
      invalid({ bvn: ['x'] }, 500),
      reply({ errors: { bvn: ['x'] } }, 400),
      reply({ error: 401, message: 'Unauthorized' }, 401),
      reply('<html>'),
      { kind: 'lost', reason: 'cut' },
    ] satisfies CallResult[]) {
      assert.equal(createdAccount(doubt).kind, 'unavailable', JSON.stringify(doubt));
    }
  });
});

describe('a transaction that is confirmed', () => {
  const reference = data.transaction_ref;

  it('reads a successful credit of an account as a payment', () => {
    const payment = {
      reference,
      paidTo: { kind: 'number', value: '6030200545' },
      amount: 500_050n,
      currency: 'NGN',
      paidAt: new Date('2026-11-21T12:05:09.171Z'),
      settled: 495_050n,
    };
    assert.deepEqual(paymentOf(confirmed(), reference), { kind: 'paid', payment });
    assert.deepEqual(paymentOf(confirmed({ order: undefined }), reference), { kind: 'paid', payment });
  });

  it('reads no payment from a documented other state, a debit or a checkout', () => {
    for (const status of ['PENDING', 'FAILED', 'CANCELLED']) {
      assert.equal(paymentOf(confirmed({ status }), reference).kind, 'not_paid', status);
    }
    const dynamic = { ...data.virtual_account, account_type: 'DYNAMIC' };
    for (const other of [
      { transaction_type: 'DEBIT' },
      { channel: 'CARD', virtual_account: null },
      { virtual_account: dynamic },
    ]) {
      assert.equal(paymentOf(confirmed(other), reference).kind, 'other', JSON.stringify(other));
    }
    assert.equal(paymentOf(confirmed({ channel: undefined }), reference).kind, 'paid');
  });

  it('treats anything else as unknown', () => {
    for (const odd of [
      { transaction_ref: 'another' },
      { transaction_ref: undefined },
      { status: undefined },
      { status: 'success' },
      { status: 'REVERSED' },
      { transaction_type: undefined },
      { virtual_account: undefined },
      { virtual_account: { account_number: '1' } },
      { amount: '0.00' },
      { amount: '-1' },
      { amount: undefined },
      // Another read-back counts kobo in numbers.
      { amount: 500_050 },
      // Its own earlier pages count kobo in text.
      { amount: '500050' },
      { amount: '5000.5' },
      { amount: '5,000.50' },
      { order: { currency: 'USD' } },
    ]) {
      assert.equal(paymentOf(confirmed(odd), reference).kind, 'unavailable', JSON.stringify(odd));
    }
    for (const doubt of [
      confirmed({}, 201),
      confirmed({}, 500),
      reply({ status: false, data }),
      reply({ status: 'success', data }),
      reply({ status: 'error', message: 'Transaction not found' }, 404),
      reply({ error: 401, message: 'Unauthorized' }, 401),
      reply('<html>'),
      { kind: 'not_sent', reason: 'full' },
      { kind: 'lost', reason: 'cut' },
    ] satisfies CallResult[]) {
      assert.equal(paymentOf(doubt, reference).kind, 'unavailable', JSON.stringify(doubt));
    }
  });

  it('reports an unknown reference as unavailable, and only where Payvessel itself answers', () => {
    const isUnknown = (result: CallResult): boolean => {
      const answer = paymentOf(result, reference);
      assert.ok(answer.kind === 'unavailable');
      return answer.isUnknown === true;
    };
    assert.ok(isUnknown(reply({ error: 404, message: 'Not found' }, 404)));
    assert.ok(!isUnknown(reply('<html>', 404)));
    assert.ok(!isUnknown(reply({ error: 401, message: 'Unauthorized' }, 401)));
  });
});

describe('a notice', () => {
  const bytes = (body: unknown): Uint8Array => Buffer.from(JSON.stringify(body));
  const sign = (of: Uint8Array, key = secret): string => createHmac('sha512', key).update(of).digest('hex');
  const event = {
    event: 'reserved_account.credit',
    transaction: { reference: 'TXN_1' },
    order: { amount: '1' },
  };

  it('accepts a notice with the signature of its bytes, in either header', () => {
    const body = bytes(event);
    const payment = { kind: 'payment', reference: 'TXN_1' };
    for (const name of ['payvessel-http-signature', 'http_payvessel_http_signature']) {
      assert.deepEqual(noticeOf(body, { [name]: sign(body) }, secret), payment);
      for (const forged of [sign(body, 'another'), sign(bytes({})), '', secret, [sign(body)]]) {
        assert.equal(noticeOf(body, { [name]: forged }, secret), undefined);
      }
    }
    assert.equal(noticeOf(body, {}, secret), undefined);
    assert.equal(noticeOf(body, { 'payvessel-http-signature': sign(body, 'x') }, ''), undefined);
  });

  it('reads a payment only from a credit, also without an event', () => {
    const read = (body: unknown) =>
      noticeOf(bytes(body), { 'payvessel-http-signature': sign(bytes(body)) }, secret)?.kind;
    for (const name of [undefined, 'transaction.success', 'reserved_account.credit']) {
      assert.equal(read({ ...event, event: name }), 'payment', String(name));
    }
    for (const name of ['transaction.pending', 'transaction.failed', 'reserved_account.debit', 'x', null]) {
      assert.equal(read({ ...event, event: name }), 'irrelevant', String(name));
    }
    for (const odd of [{}, { transaction: {} }, { transaction: { reference: 'a b' } }, [], 1]) {
      assert.equal(read(odd), 'irrelevant', JSON.stringify(odd));
    }
  });
});

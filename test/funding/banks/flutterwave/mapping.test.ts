/** Flutterwave's answers and notices: documented ones are read, others are treated as unknown. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  pageOf,
  readTransactions,
  toAccountQuery,
  toTransactionsQuery,
} from '../../../../src/funding/banks/flutterwave/list.ts';
import {
  accountRequest,
  createdAccount,
  noticeOf,
  paymentOf,
} from '../../../../src/funding/banks/flutterwave/mapping.ts';
import type { AccountOrder } from '../../../../src/funding/banks/funding-provider.ts';
import type { CallResult } from '../../../../src/providers/http/call.ts';
import { reply } from '../../../providers/connector-replies.ts';

const hash = 'the secret hash';

function good(data: unknown, meta?: unknown): CallResult {
  return reply({ status: 'success', message: 'ok', data, meta });
}

function refusal(message: string, status: number): CallResult {
  return reply({ status: 'error', message, data: null }, status);
}

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

const opened = {
  response_code: '02',
  response_message: 'Transaction in progress',
  flw_ref: 'FLW-1',
  order_ref: 'URF_1',
  account_number: '7824822527',
  frequency: 'N/A',
  bank_name: 'WEMA BANK',
  expiry_date: 'N/A',
  note: 'Please make a bank transfer to SHOP Ada Obi',
  amount: null,
};

const charge = {
  id: 288200108,
  tx_ref: order.reference,
  flw_ref: 'FLW-2',
  amount: 5000.5,
  currency: 'NGN',
  charged_amount: 5000.5,
  app_fee: 70,
  status: 'successful',
  payment_type: 'bank_transfer',
  created_at: '2026-11-21T12:05:09.000Z',
  amount_settled: 4930.5,
};
const id = '288200108';

describe('a virtual account', () => {
  it('requests a permanent account under our reference', () => {
    assert.deepEqual(accountRequest(order), {
      email: 'a@b.ng',
      is_permanent: true,
      bvn: '22345678901',
      tx_ref: 'oja-0a1b2c3d-7-ngn',
      phonenumber: '2348031234567',
      firstname: 'Ada',
      lastname: 'Obi',
      narration: 'Ada Obi',
    });
  });

  it('reads a numbered account as active, a refused field as refused, and others as unknown', () => {
    const account = {
      number: '7824822527',
      name: 'SHOP Ada Obi',
      bankName: 'WEMA BANK',
      providerId: 'URF_1',
    };
    assert.deepEqual(createdAccount(good(opened), order), { kind: 'active', account });
    const nameless = createdAccount(good({ ...opened, note: null }), order);
    assert.equal(nameless.kind === 'active' ? nameless.account.name : '', 'Ada Obi');
    assert.equal(createdAccount(refusal('Invalid bvn', 400), order).kind, 'refused');
    for (const doubt of [
      good({ ...opened, account_number: null }),
      good({ ...opened, account_number: '782482252' }),
      good({ ...opened, expiry_date: '2026-12-01 10:00:00' }),
      good(undefined),
      reply({ status: 'success', data: opened }, 400),
      refusal('An error occurred', 400),
      refusal('Invalid bvn', 500),
      refusal('Invalid bvn', 404),
      refusal('Invalid authorization key', 401),
      refusal('IP not whitelisted, add your e-mail', 403),
      refusal('x', 429),
      reply('<html>', 200),
      { kind: 'lost', reason: 'cut' },
    ] satisfies CallResult[]) {
      assert.equal(createdAccount(doubt, order).kind, 'unavailable', JSON.stringify(doubt));
    }
  });
});

describe('a transaction that is read back', () => {
  it('reads a successful transfer to an account of ours as a payment', () => {
    const payment = {
      reference: id,
      paidTo: { kind: 'reference', value: order.reference },
      amount: 500_050n,
      currency: 'NGN',
      paidAt: new Date('2026-11-21T12:05:09.000Z'),
      settled: 493_050n,
    };
    assert.deepEqual(paymentOf(good(charge), id), { kind: 'paid', payment });
    assert.deepEqual(paymentOf(good({ ...charge, id, amount: '5000.50', amount_settled: null }), id), {
      kind: 'paid',
      payment,
    });
  });

  it('reads no payment from a documented other state', () => {
    for (const status of ['pending', 'failed']) {
      assert.equal(paymentOf(good({ ...charge, status }), id).kind, 'not_paid');
    }
    assert.equal(paymentOf(refusal('No transaction was found for this id', 400), id).kind, 'not_paid');
  });

  it('leaves out other payments of the same account of Flutterwave', () => {
    for (const other of [{ payment_type: 'card' }, { tx_ref: 'shop-1' }, { tx_ref: 'URF_1' }]) {
      assert.equal(paymentOf(good({ ...charge, ...other }), id).kind, 'other');
    }
  });

  it('treats anything else as unknown', () => {
    for (const odd of [
      { id: 1 },
      { id: undefined },
      { status: undefined },
      { status: 'SUCCESSFUL' },
      { status: 'success' },
      { status: 'reversed' },
      { payment_type: undefined },
      { payment_type: 'Bank_Transfer' },
      { payment_type: 'banktransfer' },
      { tx_ref: undefined },
      { amount: 0 },
      { amount: -1 },
      { amount: null },
      { amount: '1e9' },
      { charged_amount: 5000 },
      { charged_amount: 'x' },
      { currency: 'USD' },
      { currency: undefined },
    ]) {
      assert.equal(paymentOf(good({ ...charge, ...odd }), id).kind, 'unavailable', JSON.stringify(odd));
    }
    for (const doubt of [
      refusal('Invalid authorization key', 401),
      refusal('IP not whitelisted', 403),
      refusal('No transaction was found for this id', 500),
      refusal('Something went wrong', 400),
      reply({ status: 'success', data: charge }, 500),
      reply({ status: true, data: charge }),
      reply(charge),
      reply('<html>'),
      { kind: 'not_sent', reason: 'full' },
      { kind: 'lost', reason: 'cut' },
    ] satisfies CallResult[]) {
      assert.equal(paymentOf(doubt, id).kind, 'unavailable', JSON.stringify(doubt));
    }
  });
});

describe('a notice', () => {
  const bytes = (body: unknown): Uint8Array => Buffer.from(JSON.stringify(body));
  const event = bytes({ event: 'charge.completed', data: charge });
  const mac = createHmac('sha256', hash).update(event).digest('base64');

  it('accepts a notice with the secret hash or the signature of its bytes', () => {
    const payment = { kind: 'payment', reference: id };
    assert.deepEqual(noticeOf(event, { 'verif-hash': hash }, hash), payment);
    assert.deepEqual(noticeOf(event, { 'flutterwave-signature': mac }, hash), payment);
    for (const headers of [
      {},
      { 'verif-hash': '' },
      { 'verif-hash': 'another' },
      { 'verif-hash': [hash] },
      { 'flutterwave-signature': hash },
      { 'flutterwave-signature': '' },
    ]) {
      assert.equal(noticeOf(event, headers, hash), undefined, JSON.stringify(headers));
    }
    const changed = bytes({ event: 'charge.completed', data: { ...charge, id: 1 } });
    assert.equal(noticeOf(changed, { 'flutterwave-signature': mac }, hash), undefined);
    assert.equal(noticeOf(event, { 'verif-hash': '' }, ''), undefined);
  });

  it('reads a payment only from a completed transfer to an account of ours', () => {
    const read = (body: unknown) => noticeOf(bytes(body), { 'verif-hash': hash }, hash);
    for (const other of [
      { event: 'transfer.completed', data: charge },
      { event: 'singlebillpayment.status', data: charge },
      { event: 'charge.completed', data: { ...charge, status: 'failed' } },
      { event: 'charge.completed', data: { ...charge, payment_type: 'card' } },
      { event: 'charge.completed', data: { ...charge, tx_ref: 'shop-1' } },
      { event: 'charge.completed', data: { ...charge, id: '1/../2' } },
      { event: 'charge.completed' },
      {},
      [],
      'text',
    ]) {
      assert.deepEqual(read(other), { kind: 'irrelevant' }, JSON.stringify(other));
    }
    // The read-back decides about a type that is not listed.
    const unlisted = { event: 'charge.completed', data: { ...charge, payment_type: 'banktransfer' } };
    assert.deepEqual(read(unlisted), { kind: 'payment', reference: id });
  });
});

describe('the list of transactions', () => {
  const account = { reference: order.reference, number: '7824822527', providerId: 'URF_1' };
  const info = (current_page: number, total_pages: number) => ({ page_info: { current_page, total_pages } });

  it('queries the list by days with a margin, page by page', () => {
    const from = new Date('2026-11-21T10:00:00Z');
    const to = new Date('2026-11-22T10:00:00Z');
    assert.equal(toTransactionsQuery({ from, to }, undefined), 'from=2026-11-20&to=2026-11-23&page=1');
    assert.equal(toTransactionsQuery({ from, to }, '3'), 'from=2026-11-20&to=2026-11-23&page=3');
    assert.equal(
      toAccountQuery(account, from, 0, to),
      'from=2026-11-20&to=2026-11-23&page=1&tx_ref=oja-0a1b2c3d-7-ngn',
    );
  });

  it('finds the payments of one account among all rows', () => {
    const rows = [
      charge,
      { ...charge, id: '2', tx_ref: 'oja-0a1b2c3d-8-ngn' },
      { ...charge, id: '3', payment_type: 'card' },
      { ...charge, id: '4', tx_ref: undefined },
      { ...charge, id: '5', status: 'pending' },
      { ...charge, id: '6', status: undefined },
      { ...charge, id: '7', payment_type: 'banktransfer' },
    ];
    const page = pageOf(0, good(rows, info(1, 2)), account);
    assert.ok('references' in page);
    assert.deepEqual(page.references, [id, '4', '6', '7']);
    assert.equal(page.last, false);
    const last = pageOf(1, good([], info(2, 2)), account);
    assert.equal('last' in last && last.last, true);
  });

  it('reads statement lines, and no part of an unreadable list', () => {
    const page = readTransactions('2', good([charge, { ...charge, id: 3, tx_ref: 'shop' }], info(2, 3)));
    assert.ok(page.kind === 'page');
    assert.deepEqual(
      page.lines.map(({ state, providerId, amount, cost }) => ({ state, providerId, amount, cost })),
      [
        { state: 'payment', providerId: id, amount: 500_050n, cost: 7_000n },
        { state: 'unrelated', providerId: '3', amount: 500_050n, cost: 7_000n },
      ],
    );
    assert.equal(page.next, '3');
    for (const bad of [
      good('x'),
      good([{ ...charge, id: undefined }]),
      good([{ ...charge, created_at: 'x' }]),
      good([], info(1, 2)),
      refusal('x', 400),
      reply({}, 500),
    ]) {
      assert.equal(readTransactions(undefined, bad).kind, 'unavailable', JSON.stringify(bad));
    }
  });
});

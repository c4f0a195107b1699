/** Paystack's answers and notices: documented ones are read, others are treated as unknown. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  pageOf,
  readTransactions,
  toAccountQuery,
  toTransactionsQuery,
} from '../../../../src/funding/banks/paystack/list.ts';
import {
  assigned,
  assignRequest,
  customerAccount,
  noticeOf,
  paymentOf,
} from '../../../../src/funding/banks/paystack/mapping.ts';
import type { CallResult } from '../../../../src/providers/http/call.ts';
import { reply } from '../../../providers/connector-replies.ts';

const key = 'sk_live_of_a_test';

function good(data: unknown): CallResult {
  return reply({ status: true, message: 'ok', data });
}

function refusal(message: string, status: number): CallResult {
  return reply({ status: false, message }, status);
}

const dedicated = {
  bank: { name: 'Titan', id: 1, slug: 'titan-paystack' },
  account_name: 'OJA / ADA OBI',
  account_number: '9812345678',
  active: true,
};

describe('a dedicated account', () => {
  it('requests an account by e-mail address', () => {
    const identity = {
      email: 'a@b.ng',
      firstName: 'Ada',
      lastName: 'Obi',
      phone: '2348031234567',
      bvn: undefined,
    };
    assert.deepEqual(assignRequest({ reference: 'r', currency: 'NGN', identity }, 'titan-paystack'), {
      email: 'a@b.ng',
      first_name: 'Ada',
      last_name: 'Obi',
      phone: '+2348031234567',
      preferred_bank: 'titan-paystack',
      country: 'NG',
    });
  });

  it('reads a requested account as pending, a documented refusal as refused, and others as unknown', () => {
    assert.deepEqual(assigned(reply({ status: true, message: 'Assign dedicated account in progress' })), {
      kind: 'pending',
    });
    assert.equal(assigned(refusal('Invalid BVN', 400)).kind, 'refused');
    for (const doubt of [
      refusal('Invalid key', 401),
      refusal('x', 404),
      refusal('x', 429),
      refusal('x', 500),
      reply({}, 400),
      reply({ status: false, message: 'An error occurred', type: 'api_error' }, 400),
      reply({ status: false, message: 'The bank is away', type: 'processor_error' }, 400),
      reply({ status: false }, 200),
      { kind: 'lost', reason: 'cut' },
    ] satisfies CallResult[]) {
      assert.equal(assigned(doubt).kind, 'unavailable', JSON.stringify(doubt));
    }
  });

  it('finds an account by its customer in any letter case', () => {
    const customer = { id: 77, email: 'A@b.ng', dedicated_account: dedicated };
    assert.deepEqual(customerAccount(good(customer), 'a@B.ng'), {
      kind: 'active',
      account: { number: '9812345678', name: 'OJA / ADA OBI', bankName: 'Titan', providerId: '77' },
    });
    assert.equal(customerAccount(good({ ...customer, dedicated_account: null }), 'a@b.ng').kind, 'none');
    assert.equal(customerAccount(refusal('Customer not found', 404), 'a@b.ng').kind, 'none');
    assert.equal(customerAccount(refusal('Customer not found', 400), 'a@b.ng').kind, 'none');
    assert.equal(customerAccount(refusal('An error occurred', 400), 'a@b.ng').kind, 'unavailable');
    assert.equal(customerAccount(good(customer), 'other@b.ng').kind, 'unavailable');
    assert.equal(customerAccount(refusal('x', 500), 'a@b.ng').kind, 'unavailable');
  });
});

const charge = {
  id: 1,
  reference: 'ref1',
  status: 'success',
  channel: 'dedicated_nuban',
  currency: 'NGN',
  amount: 500_050,
  fees: 5_000,
  paid_at: '2026-11-21T12:05:09.000Z',
  authorization: { receiver_bank_account_number: '9812345678' },
};

describe('a transaction that is read back', () => {
  it('reads a successful transaction of a dedicated account as a payment', () => {
    const payment = {
      reference: 'ref1',
      paidTo: { kind: 'number', value: '9812345678' },
      amount: 500_050n,
      currency: 'NGN',
      paidAt: new Date('2026-11-21T12:05:09.000Z'),
      settled: 495_050n,
    };
    assert.deepEqual(paymentOf(good(charge), 'ref1'), { kind: 'paid', payment });
    const told = { ...charge, authorization: {}, metadata: '{"receiver_account_number":"9812345678"}' };
    assert.deepEqual(paymentOf(good(told), 'ref1'), { kind: 'paid', payment });
  });

  it('reads no payment from any other state, whatever the HTTP status', () => {
    for (const status of [
      'abandoned',
      'failed',
      'ongoing',
      'pending',
      'processing',
      'queued',
      'reversed',
      undefined,
    ]) {
      assert.equal(paymentOf(good({ ...charge, status }), 'ref1').kind, 'not_paid');
    }
    assert.equal(paymentOf(refusal('Transaction reference not found', 404), 'ref1').kind, 'not_paid');
    assert.equal(paymentOf(refusal('Transaction reference not found.', 400), 'ref1').kind, 'not_paid');
    assert.equal(paymentOf(good({ ...charge, channel: 'card' }), 'ref1').kind, 'other');
  });

  it('reads a transaction of another reference, or without a valid amount or account, as unknown', () => {
    for (const odd of [
      { reference: 'ref2' },
      { amount: -1 },
      { amount: 0 },
      { amount: 1.5 },
      { amount: '1e9' },
      { currency: 'GHS' },
      { authorization: {} },
      { channel: undefined },
      { channel: null },
    ]) {
      assert.equal(paymentOf(good({ ...charge, ...odd }), 'ref1').kind, 'unavailable', JSON.stringify(odd));
    }
  });
});

describe('doubt about a transaction', () => {
  it('reads a refusal other than "not found", and a fraction of a kobo, as unknown', () => {
    for (const doubt of [refusal('An error occurred', 400), refusal('x', 422), refusal('x', 403)]) {
      assert.equal(paymentOf(doubt, 'ref1').kind, 'unavailable');
    }
    assert.equal(paymentOf(good({ ...charge, amount: '500050.00', fees: '5000' }), 'ref1').kind, 'paid');
    assert.equal(paymentOf(good({ ...charge, amount: '500050.50' }), 'ref1').kind, 'unavailable');
  });
});

describe('a notice', () => {
  const read = (body: object, signingKey = key): ReturnType<typeof noticeOf> => {
    const bytes = Buffer.from(JSON.stringify(body));
    return noticeOf(bytes, createHmac('sha512', signingKey).update(bytes).digest('hex'), key);
  };

  it('reads a payment or an account from a notice that Paystack signed', () => {
    assert.deepEqual(read({ event: 'charge.success', data: charge }), { kind: 'payment', reference: 'ref1' });
    assert.equal(read({ event: 'charge.success', data: charge }, 'another'), undefined);
    assert.deepEqual(read({ event: 'charge.success', data: { ...charge, channel: 'card' } }), {
      kind: 'irrelevant',
    });
    const customer = { email: 'a@b.ng' };
    assert.deepEqual(read({ event: 'dedicatedaccount.assign.success', data: { customer } }), {
      kind: 'account',
      email: 'a@b.ng',
      refusal: undefined,
    });
    assert.deepEqual(
      read({ event: 'customeridentification.failed', data: { email: 'a@b.ng', reason: 'no match' } }),
      {
        kind: 'account',
        email: 'a@b.ng',
        refusal: 'no match',
      },
    );
    assert.deepEqual(read({ event: 'subscription.create', data: {} }), { kind: 'irrelevant' });
    const reason = "BVN 22222222226 is CHIDI OKAFOR's (chidi@x.example), not Ada's";
    const named = { email: 'a@b.ng', first_name: 'Ada' };
    assert.deepEqual(read({ event: 'dedicatedaccount.assign.failed', data: { customer: named, reason } }), {
      kind: 'account',
      email: 'a@b.ng',
      refusal: "BVN [number] is [name] [name] ([e-mail]), not [name]'s",
    });
  });
});

describe('a page of transactions', () => {
  const account = { number: '9812345678', providerId: '77' };
  const paged = (rows: unknown, meta?: unknown): ReturnType<typeof pageOf> =>
    pageOf(reply({ status: true, message: 'ok', data: rows, meta }), account);
  const lastOf = (meta: unknown): unknown => {
    const page = paged([charge], meta);
    return 'last' in page ? page.last : page.unavailable;
  };

  it('returns the references of transfers', () => {
    const card = { ...charge, reference: 'ref2', channel: 'card' };
    const { channel: _, ...silent } = { ...charge, reference: 'ref3' };
    const page = paged([charge, card, silent]);
    assert.ok('references' in page);
    assert.deepEqual(page.references, ['ref1', 'ref3']);
    assert.deepEqual(page.marks, ['ref1', 'ref2', 'ref3']);
    assert.equal(page.times?.length, 3);
  });

  it('returns transactions that belong to no other customer from the list of all', () => {
    const to = (fields: object): object => ({ ...charge, authorization: {}, ...fields });
    for (const [row, isOurs] of [
      [to({ authorization: { receiver_bank_account_number: '9812345678' } }), true],
      [to({ authorization: { receiver_bank_account_number: '9800000000' } }), false],
      [to({ metadata: { receiver_account_number: '9800000000' }, customer: { id: 77 } }), false],
      [to({ customer: { id: 77 } }), true],
      [to({ customer: { id: '78' } }), false],
      [to({}), true],
    ] as const) {
      const page = paged([row]);
      assert.equal('references' in page && page.references.length === 1, isOurs, JSON.stringify(row));
    }
  });

  it('reads from Paystack whether a page is the last, by pages or a cursor, whatever its rows', () => {
    assert.equal(lastOf({ total: 1, page: 1, pageCount: 1 }), true);
    assert.equal(lastOf({ total: 9, page: '1', pageCount: '2' }), false);
    assert.equal(lastOf({ next: 'dXw', previous: null, perPage: 100 }), false);
    assert.equal(lastOf({ next: null, previous: null, perPage: 100 }), true);
    for (const silent of [undefined, null, {}, { total: 1 }, []]) assert.equal(lastOf(silent), undefined);
  });

  it('reads a documented row, and treats an absent field as no proof', () => {
    const bare = { reference: 'r1', amount: '500000', created_at: '2026-11-21T13:05:09.000Z', fees: null };
    for (const [row, state] of [
      [bare, 'payment'],
      [{ ...bare, paid_at: null, status: 'success' }, 'payment'],
      [{ ...bare, channel: 'dedicated_nuban', currency: 'NGN', status: 'success' }, 'payment'],
      [{ ...bare, created_at: undefined, paid_at: 1_795_266_309 }, 'payment'],
      [{ ...bare, created_at: '2026-11-21 13:05:09' }, 'payment'],
      [{ ...bare, status: 'reversed' }, 'reversed'],
      [{ ...bare, status: 'abandoned' }, 'failed'],
      [{ ...bare, status: 'queued' }, 'pending'],
      [{ ...bare, channel: 'card', status: 'success' }, 'unrelated'],
      [{ ...bare, currency: 'GHS', status: 'success' }, 'unrelated'],
    ] as const) {
      const body = reply({ status: true, message: 'ok', data: [row], meta: { page: '1', pageCount: '1' } });
      const page = readTransactions(undefined, body);
      assert.ok(page.kind === 'page' && page.next === undefined);
      const [line] = page.lines;
      assert.deepEqual(
        [line?.state, line?.amount, line?.cost, line?.at.toISOString()],
        [state, 500_000n, undefined, '2026-11-21T13:05:09.000Z'],
        JSON.stringify(row),
      );
      const swept = pageOf(body, account);
      assert.equal('references' in swept && swept.references.length === 1, state === 'payment');
    }
    const dollars = readTransactions(
      undefined,
      reply({ status: true, data: [{ ...bare, currency: 'USD' }] }),
    );
    assert.equal(dollars.kind === 'page' && dollars.lines[0]?.currency, 'USD');
  });

  it('finds the next page by number or cursor', () => {
    const nextOf = (
      page: string | undefined,
      meta: unknown,
      rows: readonly unknown[] = [charge],
    ): unknown => {
      const read = readTransactions(page, reply({ status: true, message: 'ok', data: rows, meta }));
      return read.kind === 'page' ? read.next : read.reason;
    };
    assert.equal(nextOf(undefined, { page: '1', pageCount: '2' }), '2');
    assert.equal(nextOf('2', { page: 2, page_count: 2 }), undefined);
    assert.equal(nextOf('1', { page: 1, total: '150', perPage: '100' }), '2');
    assert.equal(nextOf('2', { page: 2, total: 150, per_page: 100 }), undefined);
    assert.equal(nextOf('3', undefined), '4');
    assert.equal(nextOf('3', undefined, []), undefined);
    const cursor = String(nextOf(undefined, { next: 'dXw', previous: null }));
    const period = { from: new Date(0), to: new Date(1) };
    const listed = { ...account, reference: 'r' };
    for (const query of [
      toTransactionsQuery(period, cursor),
      toAccountQuery(listed, new Date(0), 1, cursor),
    ]) {
      const asked = new URLSearchParams(query);
      assert.deepEqual(
        [asked.get('next'), asked.get('use_cursor'), asked.get('page')],
        ['dXw', 'true', null],
      );
    }
    assert.equal(nextOf(cursor, { next: null, previous: 'x' }), undefined);
  });

  it('reads no page from an unknown shape', () => {
    for (const rows of [undefined, null, {}, 'text', [5], [{ ...charge, reference: null }]]) {
      assert.ok('unavailable' in paged(rows), JSON.stringify(rows));
    }
    assert.deepEqual(pageOf(refusal('x', 500), account), { unavailable: 'HTTP 500' });
  });
});

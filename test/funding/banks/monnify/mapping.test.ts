/** Monnify's answers and notices: documented ones are read, others are treated as unknown. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageOf, readTransactions } from '../../../../src/funding/banks/monnify/list.ts';
import {
  accountRequest,
  createdAccount,
  foundAccount,
  noticeOf,
  paymentOf,
  readTime,
} from '../../../../src/funding/banks/monnify/mapping.ts';
import { isSigned } from '../../../../src/funding/banks/signature.ts';
import type { CallResult } from '../../../../src/providers/http/call.ts';
import { reply } from '../../../providers/connector-replies.ts';

/** The sample of Monnify's page on webhooks: secret, body and the hash printed there. */
const sample = {
  secret: '91MUDL9N6U3BQRXBQ2PJ9M0PW4J22M1Y',
  body: '{"eventData":{"product":{"reference":"111222333","type":"OFFLINE_PAYMENT_AGENT"},"transactionReference":"MNFY|76|20211117154810|000001","paymentReference":"0.01462001097368737","paidOn":"17/11/2021 3:48:10 PM","paymentDescription":"Mockaroo Jesse","metaData":{},"destinationAccountInformation":{},"paymentSourceInformation":{},"amountPaid":78000,"totalPayable":78000,"offlineProductInformation":{"code":"41470","type":"DYNAMIC"},"cardDetails":{},"paymentMethod":"CASH","currency":"NGN","settlementAmount":77600,"paymentStatus":"PAID","customer":{"name":"Mockaroo Jesse","email":"111222333@ZZAMZ4WT4Y3E.monnify"}},"eventType":"SUCCESSFUL_TRANSACTION"}',
  hash: 'f04fb635e04d71648bd3cc7999003da6861483342c856d05ddfa9b2dafacb873b0de1d0f8f67405d0010b4348b721c49fa171d317972618debba6b638aedcd3c',
};

describe('a notice’s signature', () => {
  const bytes = Buffer.from(sample.body);

  it('accepts the documented signature', () => {
    assert.equal(isSigned(bytes, sample.hash, sample.secret), true);
    assert.equal(isSigned(bytes, sample.hash.toUpperCase(), sample.secret), true);
  });

  it('refuses a signature of other bytes, another key or another hash, and a missing one', () => {
    const [first = '', ...rest] = sample.hash;
    for (const [given, body, key] of [
      [sample.hash, `${sample.body} `, sample.secret],
      [sample.hash, JSON.stringify(JSON.parse(sample.body), undefined, 1), sample.secret],
      [sample.hash, sample.body, `${sample.secret}x`],
      [sample.hash, sample.body, ''],
      [[first === 'f' ? 'e' : 'f', ...rest].join(''), sample.body, sample.secret],
      [sample.hash.slice(0, 127), sample.body, sample.secret],
      ['', sample.body, sample.secret],
      [undefined, sample.body, sample.secret],
      [[sample.hash], sample.body, sample.secret],
    ] as const) {
      assert.equal(isSigned(Buffer.from(body), given, key), false, `${given} ${key}`);
    }
  });

  it('reads only notices of payments to reserved accounts', () => {
    assert.deepEqual(noticeOf(bytes, sample.hash, sample.secret), { kind: 'irrelevant' });
    assert.equal(noticeOf(bytes, sample.hash, 'other'), undefined);
  });
});

function good(responseBody: unknown): CallResult {
  return reply({ requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody });
}

function refusal(responseCode: string, responseMessage: string, status: number): CallResult {
  return reply({ requestSuccessful: false, responseMessage, responseCode }, status);
}

const account = {
  accountReference: 'oja-1-ngn',
  accountName: 'Ada Obi',
  accounts: [{ bankCode: '035', bankName: 'Wema Bank', accountNumber: '6012345678', accountName: 'Ada Obi' }],
};

describe('a reserved account', () => {
  it('requests an account by our reference, with the BVN', () => {
    const order = {
      reference: 'oja-1-ngn',
      currency: 'NGN',
      identity: {
        email: 'a@b.ng',
        firstName: 'Ada',
        lastName: 'Obi',
        phone: '2348031234567',
        bvn: '22222222222',
      },
    } as const;
    assert.deepEqual(accountRequest(order, { contractCode: '7', preferredBanks: ['035'] }), {
      accountReference: 'oja-1-ngn',
      accountName: 'Ada Obi',
      currencyCode: 'NGN',
      contractCode: '7',
      customerEmail: 'a@b.ng',
      customerName: 'Ada Obi',
      bvn: '22222222222',
      getAllAvailableBanks: false,
      preferredBanks: ['035'],
    });
  });

  it('reads an account as active with a number, and as pending without', () => {
    assert.deepEqual(createdAccount(good(account), 'oja-1-ngn'), {
      kind: 'active',
      account: { number: '6012345678', name: 'Ada Obi', bankName: 'Wema Bank' },
    });
    assert.deepEqual(createdAccount(good({ ...account, accounts: [] }), 'oja-1-ngn'), { kind: 'pending' });
    assert.equal(createdAccount(good(account), 'oja-2-ngn').kind, 'unavailable');
  });

  it('reads an account as refused only by a documented refusal', () => {
    const kindOf = (result: CallResult): string => createdAccount(result, 'oja-1-ngn').kind;
    assert.equal(kindOf(refusal('R42', 'cannot reserve more than 1 account(s)', 422)), 'refused');
    assert.equal(kindOf(refusal('R40', 'Invalid BVN', 400)), 'refused');
    for (const doubt of [
      refusal('99', 'Service error', 503),
      refusal('99', 'Something', 400),
      refusal('D01', 'Unlisted', 200),
      reply({ message: 'x' }, 400),
      reply('<html>', 200),
      reply({ responseBody: account }),
      { kind: 'lost', reason: 'cut' },
      { kind: 'not_sent', reason: 'refused' },
    ] satisfies CallResult[]) {
      assert.equal(kindOf(doubt), 'unavailable', JSON.stringify(doubt));
    }
  });

  it('reads an account as missing only when Monnify reports that', () => {
    assert.equal(foundAccount(refusal('99', 'Cannot find reserved account', 404), 'x').kind, 'none');
    assert.equal(foundAccount(refusal('99', 'Service error', 400), 'x').kind, 'unavailable');
    assert.equal(foundAccount({ kind: 'lost', reason: 'cut' }, 'x').kind, 'unavailable');
  });
});

const transaction = {
  transactionReference: 'MNFY|1',
  amountPaid: '5000.50',
  settlementAmount: 4990.5,
  paidOn: '2026-11-21 13:05:09.120',
  paymentStatus: 'PAID',
  currency: 'NGN',
  product: { type: 'RESERVED_ACCOUNT', reference: 'oja-1-ngn' },
};

describe('a transaction that is read back', () => {
  it('reads a paid transaction of a reserved account as a payment', () => {
    assert.deepEqual(paymentOf(good(transaction), 'MNFY|1'), {
      kind: 'paid',
      payment: {
        reference: 'MNFY|1',
        paidTo: { kind: 'reference', value: 'oja-1-ngn' },
        amount: 500_050n,
        currency: 'NGN',
        paidAt: new Date('2026-11-21T12:05:09.120Z'),
        settled: 499_050n,
      },
    });
  });

  it('reads no payment from any other state', () => {
    for (const paymentStatus of [
      'PENDING',
      'OVERPAID',
      'PARTIALLY_PAID',
      'FAILED',
      'EXPIRED',
      'CANCELLED',
      'paid',
      undefined,
    ]) {
      assert.equal(paymentOf(good({ ...transaction, paymentStatus }), 'MNFY|1').kind, 'not_paid');
    }
    assert.equal(paymentOf(refusal('99', 'not found', 404), 'MNFY|1').kind, 'not_paid');
    assert.equal(paymentOf(good({ ...transaction, product: { type: 'INVOICE' } }), 'MNFY|1').kind, 'other');
  });

  it('reads a transaction of another reference, or without a valid amount, as unknown', () => {
    for (const odd of [
      { transactionReference: 'MNFY|2' },
      { amountPaid: -5 },
      { amountPaid: 0 },
      { amountPaid: 'much' },
      { amountPaid: null },
      { currency: 'USD' },
      { product: { type: 'RESERVED_ACCOUNT' } },
      { product: {} },
      { product: undefined },
    ]) {
      assert.equal(
        paymentOf(good({ ...transaction, ...odd }), 'MNFY|1').kind,
        'unavailable',
        JSON.stringify(odd),
      );
    }
    assert.equal(paymentOf({ kind: 'lost', reason: 'cut' }, 'MNFY|1').kind, 'unavailable');
    assert.equal(paymentOf(refusal('99', 'Request failed', 400), 'MNFY|1').kind, 'unavailable');
  });
});

describe('a page of transactions', () => {
  it('returns the references of paid transactions', () => {
    const other = { ...transaction, transactionReference: 'MNFY|2', paymentStatus: 'FAILED' };
    const time = new Date('2026-11-21T12:05:09.120Z');
    assert.deepEqual(pageOf(0, good({ content: [transaction, other], last: true })), {
      references: ['MNFY|1'],
      marks: ['MNFY|1', 'MNFY|2'],
      times: [time, time],
      last: true,
    });
    assert.deepEqual(pageOf(0, { kind: 'lost', reason: 'cut' }), { unavailable: 'cut' });
  });

  it('reads from Monnify whether a page is the last, and otherwise leaves it open', () => {
    const lastOf = (fields: object): unknown => {
      const page = pageOf(0, good({ content: [transaction], ...fields }));
      return 'last' in page ? page.last : page.unavailable;
    };
    assert.equal(lastOf({ last: false, totalPages: 1, number: 0 }), false);
    assert.equal(lastOf({ totalPages: 2, number: 0 }), false);
    assert.equal(lastOf({ totalPages: 2, number: 1 }), true);
    assert.equal(lastOf({ totalPages: 2 }), false);
    assert.equal(lastOf({}), undefined);
    assert.equal(lastOf({ content: [] }), undefined);
  });

  it('reads page numbers that are text', () => {
    for (const [fields, last] of [
      [{ totalPages: '2', number: '0' }, false],
      [{ totalPages: '2', number: '1' }, true],
      [{ totalPages: 1 }, true],
      [{ last: 'true' }, true],
      [{ last: 'false', totalPages: 1, number: 0 }, false],
    ] as const) {
      const page = pageOf(0, good({ content: [transaction], ...fields }));
      assert.equal('last' in page && page.last, last, JSON.stringify(fields));
      const lines = readTransactions('0', good({ content: [transaction], ...fields }));
      assert.equal(lines.kind === 'page' && lines.next, last ? undefined : '1', JSON.stringify(fields));
    }
    const silent = readTransactions('4', good({ content: [transaction] }));
    assert.equal(silent.kind === 'page' && silent.next, '5');
    const empty = readTransactions('4', good({ content: [] }));
    assert.equal(empty.kind === 'page' && empty.next, undefined);
  });

  it('reads a documented row, and treats an absent field as no proof', () => {
    const bare = {
      transactionReference: 'MNFY|1',
      createdOn: 1_795_266_309_000,
      amount: 5000,
      fee: 10,
      currencyCode: 'NGN',
    };
    for (const [row, state, cost] of [
      [{ ...bare, paymentStatus: 'PAID' }, 'payment', 1_000n],
      [bare, 'payment', 1_000n],
      [{ ...bare, settlementAmount: '4980.00' }, 'payment', 2_000n],
      [{ ...bare, paymentStatus: 'REVERSED' }, 'reversed', 1_000n],
      [{ ...bare, paymentStatus: 'EXPIRED' }, 'failed', 1_000n],
      [{ ...bare, paymentStatus: 'PENDING' }, 'pending', 1_000n],
      [{ ...bare, paymentStatus: 'SETTLING' }, 'pending', 1_000n],
      [{ ...bare, product: { type: 'RESERVED_ACCOUNT' } }, 'payment', 1_000n],
      [{ ...bare, product: { type: 'WEB_SDK' } }, 'unrelated', 1_000n],
      [{ ...bare, currencyCode: 'GHS' }, 'unrelated', 1_000n],
    ] as const) {
      const body = good({ content: [row], last: true });
      const page = readTransactions('0', body);
      assert.ok(page.kind === 'page');
      const [line] = page.lines;
      assert.deepEqual(
        [line?.state, line?.cost, line?.amount, line?.at.toISOString()],
        [state, cost, 500_000n, '2026-11-21T13:05:09.000Z'],
        JSON.stringify(row),
      );
      const swept = pageOf(0, body);
      assert.equal('references' in swept && swept.references.length === 1, state === 'payment');
    }
    const { createdOn: _, ...undated } = bare;
    assert.equal(readTransactions('0', good({ content: [undated], last: true })).kind, 'unavailable');
    const failed = readTransactions(
      '0',
      good({ content: [{ ...undated, paymentStatus: 'FAILED' }], last: true }),
    );
    assert.equal(failed.kind, 'page');
  });

  it('reads no page from an unknown shape', () => {
    for (const content of [
      undefined,
      null,
      {},
      'text',
      [5],
      [{ ...transaction, transactionReference: '' }],
    ]) {
      assert.ok('unavailable' in pageOf(0, good({ content, last: true })), JSON.stringify(content));
    }
    const { paidOn: _, ...undated } = transaction;
    const page = pageOf(0, good({ content: [transaction, undated] }));
    assert.ok('times' in page && page.times === undefined);
  });
});

describe('Monnify’s times', () => {
  it('reads times in each of their forms', () => {
    assert.equal(readTime('17/11/2021 3:48:10 PM')?.toISOString(), '2021-11-17T14:48:10.000Z');
    assert.equal(readTime('17/11/2021 12:00:00 AM')?.toISOString(), '2021-11-16T23:00:00.000Z');
    assert.equal(readTime('2026-11-21 13:05:09')?.toISOString(), '2026-11-21T12:05:09.000Z');
    assert.equal(readTime('2026-11-21 13:05:09.5')?.toISOString(), '2026-11-21T12:05:09.500Z');
    assert.equal(readTime('2026-11-21T13:05:09.120+0000')?.toISOString(), '2026-11-21T13:05:09.120Z');
    assert.equal(readTime(1_795_266_309_120)?.toISOString(), '2026-11-21T13:05:09.120Z');
    assert.equal(readTime('1795266309')?.toISOString(), '2026-11-21T13:05:09.000Z');
    for (const odd of ['', 'yesterday', undefined, {}]) assert.equal(readTime(odd), undefined);
  });
});

/**
 * eSIM Access's documented words, one by one: the signature, the references, states and webhooks.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseEsimAccessCallback } from '../../../src/providers/esimaccess/callback.ts';
import { readBalance, readPackages } from '../../../src/providers/esimaccess/catalog.ts';
import { signRequest } from '../../../src/providers/esimaccess/client.ts';
import {
  answerToOrderQuery,
  answerToPurchase,
  answerToQuery,
  far,
  near,
  readListing,
  toListing,
  toOrder,
  toOrderQuery,
  toReference,
} from '../../../src/providers/esimaccess/mapping.ts';
import type { ProviderOrder } from '../../../src/providers/provider.ts';
import { runs } from '../../support/budget.ts';

const order: ProviderOrder = {
  reference: '20261121T060102-0123456789abcdef0123456789abcdef',
  product: 'ESIM',
  network: 'ESIM',
  recipient: '',
  amount: 250_000n,
  currency: 'NGN',
  planCodes: { slug: 'US_1_7', price: '15300' },
  item: { quantity: 1, unitPrice: 153n, currency: 'USD' },
};

const listed = {
  transactionId: order.reference,
  esimTranNo: '1',
  orderNo: 'B1',
  iccid: '8943108000000000001',
  ac: 'LPA:1$rsp.example$CODE',
  esimStatus: 'GOT_RESOURCE',
};

function refusedWith(errorCode: unknown, status = 200): string {
  const answer = answerToPurchase(order, {
    kind: 'reply',
    status,
    body: { success: false, errorCode, obj: null },
  });
  return answer.kind === 'failed' ? `failed ${answer.fault}` : answer.kind;
}

describe('the signature of a request', () => {
  it('computes the documented signature', () => {
    const signed = {
      timestamp: '1628670421',
      requestId: '4ce9d9cdac9e4e17b3a2c66c358c1ce2',
      accessCode: '11111',
      body: '{"imsi":"326543826"}',
    };
    const documented = '7eb765e27df5373dea2dbc8c41a7d9557743e46c8054750f3d851b3fd01d0835';
    assert.equal(signRequest(signed, '1111'), documented);
    assert.notEqual(signRequest({ ...signed, body: '{}' }, '1111'), documented);
    assert.notEqual(signRequest(signed, '1112'), documented);
  });
});

describe('a reference', () => {
  it('states its time, in 50 characters at most, and is queried around that time', () => {
    const reference = toReference(
      new Date('2026-11-21T06:01:02.345Z'),
      '01234567-89ab-cdef-0123-456789abcdef',
    );
    assert.equal(reference, order.reference);
    assert.ok(reference.length <= 50);
    for (const [window, from, to] of [
      [near, '2026-11-21T05:46+00:00', '2026-11-21T07:01+00:00'],
      [far, '2026-11-20T06:01+00:00', '2026-11-22T06:01+00:00'],
    ] as const) {
      const { startTime, endTime } = toListing(order, window, 1)?.body ?? {};
      assert.deepEqual([startTime, endTime], [from, to]);
      assert.equal(toListing({ ...order, reference: 'other' }, window, 1), undefined);
    }
  });
});

describe('an answer to an order', () => {
  it('accepts it with its number', () => {
    const body = { success: 'true', errorCode: '0', obj: { orderNo: 'B9' } };
    const answer = answerToPurchase(order, { kind: 'reply', status: 200, body });
    assert.ok(answer.kind === 'accepted' && answer.providerId === 'B9');
  });

  it('refuses it by the documented codes only', () => {
    assert.equal(refusedWith('200008'), 'failed order');
    for (const code of ['000104', '101001', '101003', '200005', '200006', '200007', '200011', '310243']) {
      assert.equal(refusedWith(code), 'failed provider', code);
    }
    assert.equal(refusedWith('200010'), 'accepted');
    for (const code of ['000001', '200009', '999999', null])
      assert.equal(refusedWith(code), 'unknown', String(code));
    assert.equal(refusedWith('200008', 500), 'unknown');
    assert.equal(refusedWith('200008', 429), 'not_sent');
  });

  it('reads a refusal that names an order as unknown', () => {
    for (const errorCode of ['200007', '200008', '200011', '101003']) {
      for (const obj of [{ orderNo: 'B9' }, { transactionId: order.reference }]) {
        const body = { success: false, errorCode, obj };
        assert.equal(
          answerToPurchase(order, { kind: 'reply', status: 200, body }).kind,
          'unknown',
          errorCode,
        );
      }
    }
  });

  it('reads an error or a refused log-in that names an order as unknown', () => {
    const obj = { orderNo: 'B9', transactionId: order.reference };
    for (const [success, status] of [
      [true, 404],
      [true, 302],
      [true, 429],
      [false, 429],
    ] as const) {
      const body = { success, errorCode: null, obj };
      const answer = answerToPurchase(order, { kind: 'reply', status, body });
      assert.equal(answer.kind, 'unknown', `${success} ${status}`);
    }
  });

  it('reads an answer without our order as unknown', () => {
    for (const obj of [null, {}, { orderNo: 'B9', transactionId: 'other' }]) {
      const body = { success: true, errorCode: null, obj };
      assert.equal(answerToPurchase(order, { kind: 'reply', status: 200, body }).kind, 'unknown');
    }
    assert.equal(answerToPurchase(order, { kind: 'lost', reason: 'cut' }).kind, 'unknown');
  });
});

describe('an order', () => {
  it('sends package, count, price and our id, so that it fails rather than cost more', () => {
    assert.deepEqual(toOrder(order), {
      operation: 'purchase',
      path: '/esim/order',
      body: {
        transactionId: order.reference,
        amount: 15300,
        packageInfoList: [{ packageCode: 'US_1_7', count: 1, price: 15300 }],
      },
    });
  });

  it('builds no order without a maximum price', () => {
    for (const price of ['0', '', '-1', '1.5', '1e3', 'x']) {
      assert.equal(toOrder({ ...order, planCodes: { slug: 'US_1_7', price } }), undefined, price);
    }
  });
});

describe('the installation data of an eSIM', () => {
  it('reads ICCID and activation code, and puts neither into the message', () => {
    const answer = answerToQuery(order, [listed], 1);
    assert.ok(answer.kind === 'success');
    const { redemption_instructions, ...goods } = answer.goods ?? {};
    assert.deepEqual(goods, {
      iccid: '8943108000000000001',
      activation_code: 'CODE',
      smdp_address: 'rsp.example',
      lpa: 'LPA:1$rsp.example$CODE',
      reference_code: 'B1',
    });
    assert.ok(redemption_instructions);
    assert.doesNotMatch(answer.message, /CODE|8943108/);
  });

  it('keeps an activation code of any length whole', () => {
    const code = 'X'.repeat(235);
    const lpa = `LPA:1$rsp.example$${code}`;
    const answer = answerToQuery(order, [{ ...listed, ac: lpa }], 1);
    assert.ok(answer.kind === 'success');
    assert.deepEqual([answer.goods?.lpa, answer.goods?.activation_code], [lpa, code]);
    const tooLong = answerToQuery(order, [{ ...listed, ac: `LPA:1$rsp.example$${'X'.repeat(600)}` }], 1);
    assert.equal(tooLong.kind, 'accepted');
  });

  it('returns an eSIM complete or not at all', () => {
    for (const change of [
      { iccid: null },
      { iccid: '' },
      // Cut on its way through a JSON number.
      { iccid: 8_943_108_170_000_000_000 },
      { ac: null },
      { ac: 'LPA:1$rsp.example' },
      { ac: 'LPA:1$rsp.example$' },
      { ac: 'LPA:1$$CODE' },
      { ac: 'LPA:1$rsp example$CODE' },
      { ac: 'https://rsp.example$CODE$X' },
      { ac: 5 },
      { ac: 'LPA:1$rsp.example$CO\u0007DE' },
      { iccid: '89431080000' },
      { iccid: 'null' },
    ]) {
      const answer = answerToQuery(order, [{ ...listed, ...change }], 1);
      assert.equal(answer.kind, 'accepted', JSON.stringify(change));
    }
  });
});

describe('the question by the order number', () => {
  const kindOf = (...entries: readonly Record<string, unknown>[]): string =>
    answerToOrderQuery(order, entries).kind;

  it('queries by the order number, and not without', () => {
    assert.deepEqual(toOrderQuery({ ...order, providerId: 'B1' }), {
      operation: 'query',
      path: '/esim/query',
      body: { orderNo: 'B1', pager: { pageNum: 1, pageSize: 500 } },
    });
    assert.equal(toOrderQuery(order), undefined);
  });

  it('reads the state of our eSIM', () => {
    assert.equal(kindOf(listed), 'success');
    assert.equal(kindOf({ ...listed, ac: '', esimStatus: 'GETTING_RESOURCE' }), 'accepted');
    assert.equal(kindOf({ ...listed, esimStatus: 'CANCEL' }), 'failed');
  });

  it('reads an empty answer, another order, or two eSIMs as unknown', () => {
    assert.equal(kindOf(), 'unknown');
    assert.equal(kindOf({ ...listed, transactionId: 'other' }), 'unknown');
    assert.equal(kindOf(listed, { ...listed, transactionId: undefined }), 'unknown');
    assert.equal(kindOf(listed, { ...listed, esimTranNo: '2' }), 'unknown');
  });
});

describe('the question by the order number, of an entry without our id', () => {
  it('reads an entry without our id by the order number', () => {
    const nameless = { ...listed, transactionId: null, orderNo: 'B1' };
    const asked = { ...order, providerId: 'B1' };
    assert.equal(answerToOrderQuery(asked, [nameless]).kind, 'success');
    assert.equal(answerToOrderQuery(asked, [{ ...nameless, orderNo: 'B2' }]).kind, 'unknown');
    assert.equal(answerToOrderQuery(asked, [{ ...nameless, orderNo: '' }]).kind, 'unknown');
  });
});

describe('a list', () => {
  const kindOf = (entries: readonly Record<string, unknown>[], total = entries.length): string =>
    answerToQuery(order, entries, total).kind;

  it('reads each documented state', () => {
    const used = ['ONBOARDING', 'IN_USE', 'SUSPENDED', 'USED_UP', 'USED_EXPIRED', 'UNUSED_EXPIRED'];
    for (const esimStatus of ['GOT_RESOURCE', ...used]) {
      assert.equal(kindOf([{ ...listed, esimStatus }]), 'success', esimStatus);
    }
    for (const esimStatus of ['CREATE', 'PAYING', 'PAID', 'GETTING_RESOURCE']) {
      assert.equal(kindOf([{ ...listed, ac: '', esimStatus }]), 'accepted', esimStatus);
    }
    assert.equal(kindOf([{ ...listed, esimStatus: 'CANCEL' }]), 'failed');
    assert.equal(kindOf([{ ...listed, esimStatus: 'REVOKED' }]), 'unknown');
    assert.equal(kindOf([{ ...listed, ac: '' }]), 'accepted');
    assert.equal(kindOf([{ ...listed, ac: 'https://example' }]), 'accepted');
  });

  it('reads numbers as text', () => {
    const pageOf = (total: unknown): unknown => {
      const body = { success: true, errorCode: '0', obj: { esimList: [listed], pager: { total } } };
      const page = readListing({ kind: 'reply', status: 200, body });
      return page.kind === 'page' ? page.total : page.answer.kind;
    };
    assert.deepEqual([1, '1'].map(pageOf), [1, 1]);
    for (const total of [null, '', 'many', -1, 1.5, {}])
      assert.equal(pageOf(total), 'unknown', String(total));
  });

  it('reads "not found" only from a complete list that names the ids of all', () => {
    const other = { ...listed, transactionId: 'other', esimTranNo: '2' };
    assert.equal(kindOf([]), 'not_found');
    assert.equal(kindOf([other]), 'not_found');
    assert.equal(kindOf([other], 2), 'unknown');
    assert.equal(kindOf([other, other], 2), 'unknown');
    assert.equal(kindOf([{ ...other, transactionId: undefined }]), 'unknown');
  });

  it('leaves two eSIMs under our id to a person', () => {
    assert.equal(kindOf([listed, { ...listed, esimTranNo: '2' }]), 'unknown');
    assert.equal(kindOf([listed, listed]), 'success');
  });
});

describe('a webhook', () => {
  it('hints at the order it names, and at nothing else', () => {
    const content = { orderNo: 'B1', transactionId: order.reference, orderStatus: 'GOT_RESOURCE' };
    assert.deepEqual(parseEsimAccessCallback({ notifyType: 'ORDER_STATUS', content }), {
      reference: order.reference,
    });
    for (const body of [undefined, [], {}, { content: {} }, { content: { transactionId: "' or 1=1" } }]) {
      assert.equal(parseEsimAccessCallback(body), undefined);
    }
  });
});

describe('any reply', () => {
  const refusals = /"(?:0001\d\d|1010\d\d|3102\d\d|200005|200006|200007|200008|200011)"/;
  const words = [
    'GOT_RESOURCE',
    'CANCEL',
    'PAID',
    'REVOKED',
    '200007',
    '200008',
    '200010',
    '101003',
    '000001',
  ];
  const leaf = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(...words, order.reference, listed.ac, listed.iccid, true, false, 'true', 'false', 'B1'),
  );
  const row = fc.record(
    { transactionId: leaf, esimTranNo: leaf, esimStatus: leaf, iccid: leaf, ac: leaf, orderNo: leaf },
    { requiredKeys: [] },
  );
  const obj = fc.record(
    {
      orderNo: leaf,
      transactionId: leaf,
      esimList: fc.oneof(leaf, fc.array(row)),
      pager: fc.record({ total: fc.oneof(fc.nat(3), leaf) }),
    },
    { requiredKeys: [] },
  );
  const success = fc.oneof(fc.constantFrom(true, false), leaf);
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record({ success, errorCode: leaf, errorMsg: leaf, obj: fc.oneof(leaf, obj) }, { requiredKeys: [] }),
  );
  const status = fc.oneof(fc.constant(200), fc.integer({ min: 100, max: 599 }));

  it('never throws, and is final only by an explicit documented word', () => {
    fc.assert(
      fc.property(body, status, (value, code) => {
        const reply = { kind: 'reply', status: code, body: value } as const;
        const text = JSON.stringify(value);
        const purchase = answerToPurchase(order, reply);
        assert.notEqual(purchase.kind, 'success');
        if (purchase.kind === 'failed') assert.match(text, refusals);
        const page = readListing(reply);
        if (page.kind === 'answer') assert.ok(['unknown', 'accepted'].includes(page.answer.kind));
        else {
          const answer = answerToQuery(order, page.entries, page.total);
          assert.notEqual(answer.kind, 'not_sent');
          if (answer.kind === 'success' || answer.kind === 'failed')
            assert.ok(text.includes(order.reference));
          if (answer.kind === 'failed') assert.match(text, /"cancel"/i);
          if (answer.kind === 'success') assert.ok(text.includes(listed.ac));
          assert.notEqual(answerToOrderQuery(order, page.entries).kind, 'not_found');
        }
        readPackages(reply);
        readBalance(reply);
        parseEsimAccessCallback(value);
      }),
      runs(500),
    );
  });
});

describe('the float of eSIM Access', () => {
  const balance = (value: unknown, success = true): unknown =>
    readBalance({ kind: 'reply', status: 200, body: { success, errorCode: null, obj: { balance: value } } });

  it('reads the float in dollars, rounded down to the cent', () => {
    for (const [units, cents] of [
      [123_456, 12_34n],
      ['10000', 1_00n],
      [99, 0n],
      [0, 0n],
    ] as const) {
      assert.deepEqual(balance(units), { amount: cents, currency: 'USD' });
    }
  });

  it('reads no float from a refusal, a missing answer or a fraction', () => {
    for (const value of [-1, 1.5, 1e21, 'much', null, undefined]) assert.equal(balance(value), undefined);
    assert.equal(balance(10_000, false), undefined);
    assert.equal(readBalance({ kind: 'lost', reason: 'x' }), undefined);
  });
});

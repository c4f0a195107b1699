/**
 * VTpass's interface as data: every listed code, on a purchase and on a requery, and everything
 * that is not listed.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import { answerToPay, answerToQuery, readBalance, readPlans } from '../../../src/providers/vtpass/mapping.ts';
import { toPurchase } from '../../../src/providers/vtpass/purchase.ts';
import { runs } from '../../support/budget.ts';
import { brief, reply, testsCallsWithoutReply } from '../connector-replies.ts';

const REFERENCE = '202611211530abcdefghijklmnopqrstuvwx';

const ORDER: ProviderOrder = {
  reference: REFERENCE,
  product: 'airtime',
  network: 'MTN',
  recipient: '2348031234567',
  amount: 100_50n,
  currency: 'NGN',
};

type Expected = 'failed order' | 'failed provider' | Exclude<ProviderAnswer['kind'], 'failed'>;

/** Answers without a status: the decision by the code only, for a purchase and a requery. */
const CODES: Readonly<Record<string, readonly [pay: Expected, query: Expected]>> = {
  '000': ['unknown', 'unknown'],
  '001': ['unknown', 'unknown'],
  '010': ['failed order', 'unknown'],
  '011': ['failed order', 'unknown'],
  '012': ['failed order', 'unknown'],
  '013': ['failed order', 'unknown'],
  '014': ['unknown', 'unknown'],
  '015': ['unknown', 'not_found'],
  '016': ['failed order', 'failed order'],
  '017': ['failed order', 'unknown'],
  '018': ['failed provider', 'unknown'],
  '019': ['unknown', 'failed provider'],
  '020': ['unknown', 'unknown'],
  '021': ['failed provider', 'unknown'],
  '022': ['failed provider', 'unknown'],
  '023': ['failed provider', 'unknown'],
  '024': ['failed provider', 'unknown'],
  '025': ['unknown', 'unknown'],
  '026': ['unknown', 'unknown'],
  '027': ['failed provider', 'unknown'],
  '028': ['failed provider', 'unknown'],
  '030': ['failed order', 'unknown'],
  '031': ['failed order', 'unknown'],
  '032': ['failed order', 'unknown'],
  '034': ['failed provider', 'unknown'],
  '035': ['failed provider', 'unknown'],
  '040': ['failed order', 'failed order'],
  '044': ['unknown', 'unknown'],
  '083': ['unknown', 'unknown'],
  '085': ['not_sent', 'unknown'],
  '087': ['failed provider', 'unknown'],
  '089': ['accepted', 'accepted'],
  '091': ['failed order', 'failed order'],
  '099': ['accepted', 'accepted'],
  '100': ['unknown', 'unknown'],
  '999': ['unknown', 'unknown'],
};

const STATUSES: Readonly<Record<string, Expected>> = {
  delivered: 'success',
  initiated: 'accepted',
  pending: 'accepted',
  failed: 'failed order',
  reversed: 'failed order',
  resolved: 'unknown',
  successful: 'unknown',
};

describe('codes', () => {
  for (const [code, [pay, query]] of Object.entries(CODES)) {
    it(`reads ${code} as ${pay} to a purchase and as ${query} to a query`, () => {
      for (const spelling of [code, Number(code)]) {
        const result = reply({ code: spelling, response_description: 'TEXT' });
        assert.equal(brief(answerToPay(ORDER, result)), pay);
        assert.equal(brief(answerToQuery(ORDER, result)), query);
      }
    });
  }

  it('reads every code from 000 to 999 outside the table as unknown', () => {
    for (let number = 0; number < 1_000; number += 1) {
      const code = number.toString().padStart(3, '0');
      if (code in CODES) continue;
      const result = reply({ code, content: { transactions: { status: 'delivered' } } });
      assert.equal(answerToPay(ORDER, result).kind, 'unknown', code);
      assert.equal(answerToQuery(ORDER, result).kind, 'unknown', code);
    }
  });
});

describe('statuses', () => {
  for (const [status, expected] of Object.entries(STATUSES)) {
    it(`reads 000 and 001 with ${status} as ${expected}`, () => {
      for (const code of ['000', '001', 0, 1]) {
        const nested = reply({ code, requestId: REFERENCE, content: { transactions: { status } } });
        const flat = reply({ code, requestId: REFERENCE, status: status.toUpperCase() });
        for (const result of [nested, flat]) {
          assert.equal(brief(answerToPay(ORDER, result)), expected);
          assert.equal(brief(answerToQuery(ORDER, result)), expected);
        }
      }
    });
  }

  it('reads a refusal beside a contradicting status as unknown', () => {
    for (const code of ['016', '018', '040', '091']) {
      for (const status of ['delivered', 'pending', 'initiated', 'resolved']) {
        const result = reply({ code, content: { transactions: { status } } });
        assert.equal(answerToPay(ORDER, result).kind, 'unknown', `${code} ${status}`);
        assert.equal(answerToQuery(ORDER, result).kind, 'unknown', `${code} ${status}`);
      }
    }
  });

  it('reads no refusal from a likely duplicate with another request id or a status', () => {
    const other = reply({ code: '019', requestId: '202611211530other' });
    const beside = reply({ code: '019', content: { transactions: { status: 'delivered' } } });
    for (const result of [other, beside]) assert.equal(answerToQuery(ORDER, result).kind, 'unknown');
    const refusal = { code: '019', response_description: 'LIKELY DUPLICATE', content: { errors: ['X'] } };
    const answer = answerToQuery(ORDER, reply(refusal));
    assert.equal(brief(answer), 'failed provider');
    assert.equal(answer.telcoMessage, undefined);
  });

  it('reads no code from a number without other fields of VTpass', () => {
    for (const code of [12, 13, 16, 91]) {
      for (const status of [200, 400, 401, 403]) {
        const result = reply({ code, message: 'Unauthenticated', details: [] }, status);
        assert.equal(answerToPay(ORDER, result).kind, 'unknown', String(code));
        assert.equal(answerToQuery(ORDER, result).kind, 'unknown', String(code));
      }
    }
  });

  it('reads "not found" beside a status as unknown', () => {
    const result = reply({ code: '015', content: { transactions: { status: 'delivered' } } });
    assert.equal(answerToQuery(ORDER, result).kind, 'unknown');
  });
});

describe('the rest of a reply', () => {
  const delivered = { status: 'delivered', transactionId: 17, total_amount: '97.00' };

  it('reads cost, provider id and message from numbers and text alike', () => {
    const costs: readonly (readonly [unknown, bigint | undefined])[] = [
      ['97.00', 97_00n],
      [97, 97_00n],
      [96.5, 96_50n],
      ['48.51', 48_51n],
      [48.510000000000005, 48_51n],
      [19.999999999999996, 20_00n],
      ['0.005', 1n],
      ['', undefined],
      ['N97', undefined],
      [-1, undefined],
      [null, undefined],
      [1e30, undefined],
    ];
    for (const [total_amount, cost] of costs) {
      const body = {
        code: '000',
        response_description: 'TRANSACTION SUCCESSFUL',
        content: { transactions: { ...delivered, total_amount } },
      };
      const answer = answerToPay(ORDER, reply(body));
      assert.ok(answer.kind === 'success');
      assert.equal(answer.cost, cost, String(total_amount));
      assert.equal(answer.providerId, '17');
      assert.equal(answer.telcoMessage, 'TRANSACTION SUCCESSFUL');
    }
  });

  it('reads the old flat reply as unknown, with its transaction id', () => {
    const answer = answerToPay(ORDER, reply({ code: '000', transactionId: '17', requestId: REFERENCE }));
    assert.equal(answer.kind, 'unknown');
    assert.equal(answer.providerId, '17');
  });

  it('reads a reply with another request id as unknown, and without one as ours', () => {
    const content = { transactions: delivered };
    for (const requestId of ['202611211530stranger', 202611211530]) {
      const answer = answerToPay(ORDER, reply({ code: '000', requestId, content }));
      assert.equal(answer.kind, 'unknown');
    }
    for (const requestId of [REFERENCE, '', null, undefined]) {
      assert.equal(answerToPay(ORDER, reply({ code: '000', requestId, content })).kind, 'success');
    }
  });

  it('reads a delivery of another amount as unknown and delivered', () => {
    const told = (over: object, order = ORDER): string => {
      const transaction = { status: 'delivered', amount: '100.50', unit_price: 100.5, ...over };
      const body = { code: '000', requestId: order.reference, content: { transactions: transaction } };
      const [paid, asked] = [answerToPay(order, reply(body)), answerToQuery(order, reply(body))];
      assert.deepEqual(paid, asked);
      return paid.kind === 'unknown' ? `${paid.code} ${paid.delivered}` : paid.kind;
    };
    assert.equal(told({}), 'success');
    assert.equal(told({ amount: '50.00', unit_price: 50 }), 'other_amount true');
    // One of them may include a fee, and an unreadable cost proves nothing.
    assert.equal(told({ amount: '200.50' }), 'success');
    assert.equal(told({ amount: 'N50', unit_price: null }), 'success');
    // A plan is sold by its code, at VTpass's current price.
    const planCodes = { service_id: 'mtn-data', variation_code: 'mtn-1gb' };
    assert.equal(told({ amount: 50, unit_price: 50 }, { ...ORDER, product: 'data', planCodes }), 'success');
  });

  it('reads no delivery of another amount without a request id or from an error', () => {
    const transactions = { status: 'delivered', amount: 50, unit_price: 50 };
    for (const [body, status] of [
      [{ code: '000', content: { transactions } }, 200],
      [{ code: '000', requestId: REFERENCE, content: { transactions: { status: 'delivered' } } }, 404],
    ] as const) {
      const answer = answerToPay(ORDER, reply(body, status));
      assert.equal(answer.kind === 'unknown' && answer.delivered, undefined);
    }
  });

  it('bounds texts, on one line, without characters that a database refuses', () => {
    const response_description = `A\u0000B\r\n${'x'.repeat(10_000)}\ud800`;
    const answer = answerToPay(ORDER, reply({ code: '016', response_description }));
    assert.match(answer.telcoMessage ?? '', /^A B x+$/);
    assert.ok((answer.telcoMessage ?? '').length <= 200);
  });

  it('reads HTTP 5xx as unknown whatever its body, and reads other statuses', () => {
    const body = { code: '000', content: { transactions: delivered } };
    assert.equal(answerToPay(ORDER, reply(body, 502)).kind, 'unknown');
    assert.equal(brief(answerToPay(ORDER, reply({ code: '087' }, 401))), 'failed provider');
    assert.equal(answerToPay(ORDER, reply({ message: 'Unauthenticated' }, 401)).kind, 'unknown');
    assert.equal(answerToPay(ORDER, reply({ message: 'Too Many Attempts' }, 429)).kind, 'unknown');
  });

  testsCallsWithoutReply(
    [(result) => answerToPay(ORDER, result)],
    [(result) => answerToQuery(ORDER, result)],
  );
});

describe('any reply', () => {
  const leaf = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(...Object.keys(CODES), ...Object.keys(STATUSES), REFERENCE),
  );
  const transactions = fc.record(
    { status: leaf, transactionId: leaf, total_amount: leaf },
    { requiredKeys: [] },
  );
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        code: leaf,
        status: leaf,
        requestId: leaf,
        response_description: leaf,
        content: fc.oneof(leaf, fc.record({ transactions: fc.oneof(leaf, transactions) })),
      },
      { requiredKeys: [] },
    ),
  );
  const SUCCESS_WORD = /"delivered"/i;
  const FINAL_WORD =
    /"(failed|reversed)"|"code":"?0?(10|11|12|13|16|17|18|19|21|22|23|24|27|28|30|31|32|34|35|40|85|87|91)"?[,}]/i;

  it('never throws, and is final only by an explicit listed word', () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 100, max: 599 }), (value, status) => {
        const text = JSON.stringify(value);
        for (const read of [answerToPay, answerToQuery]) {
          const answer = read(ORDER, reply(value, status));
          if (answer.kind === 'success') assert.match(text, SUCCESS_WORD);
          if (answer.kind === 'failed') assert.match(text, FINAL_WORD);
        }
        readBalance(reply(value, status));
        readPlans(reply(value, status));
      }),
      runs(500),
    );
  });
});

describe('a purchase', () => {
  const body = (order: ProviderOrder): unknown => {
    const purchase = toPurchase(order, undefined);
    return 'body' in purchase ? purchase.body : purchase;
  };

  it('sends the service of each network, the local number and naira for airtime', () => {
    const services = { MTN: 'mtn', GLO: 'glo', AIRTEL: 'airtel', '9MOBILE': 'etisalat' };
    for (const [network, serviceID] of Object.entries(services)) {
      const expected = { request_id: REFERENCE, serviceID, amount: '100.50', phone: '08031234567' };
      assert.deepEqual(body({ ...ORDER, network }), expected);
    }
  });

  it('sends the codes of the plan for data, and the amount for 9mobile', () => {
    const planCodes = { service_id: 'etisalat-data', variation_code: 'eti-500' };
    assert.deepEqual(body({ ...ORDER, product: 'data', network: '9MOBILE', planCodes }), {
      request_id: REFERENCE,
      serviceID: 'etisalat-data',
      variation_code: 'eti-500',
      billersCode: '08031234567',
      phone: '08031234567',
      amount: '100.50',
    });
  });

  it('has no body without a code at VTpass', () => {
    const none = { lacks: 'code' };
    assert.deepEqual(body({ ...ORDER, network: 'SMILE' }), none);
    assert.deepEqual(body({ ...ORDER, product: 'data' }), none);
    assert.deepEqual(body({ ...ORDER, product: 'data', planCodes: { service_id: 'mtn-data' } }), none);
    assert.deepEqual(body({ ...ORDER, product: 'ELECTRICITY' }), none);
    assert.deepEqual(body({ ...ORDER, product: 'BETTING', planCodes: {} }), none);
  });
});

describe('float, plans, callbacks', () => {
  it('reads the float in either spelling, only from a successful reply', () => {
    const float = { amount: 1081_82n, currency: 'NGN' };
    assert.deepEqual(readBalance(reply({ code: 1, contents: { balance: 1081.82 } })), float);
    assert.deepEqual(readBalance(reply({ code: 1, content: { balance: '1081.82' } })), float);
    for (const body of [
      { code: '087' },
      { contents: {} },
      { contents: { balance: 'many' } },
      [],
      null,
      'x',
    ]) {
      assert.equal(readBalance(reply(body)), undefined);
    }
    assert.equal(readBalance({ kind: 'lost', reason: 'x' }), undefined);
  });

  it('reads plans in either spelling, and keeps a row without a code as unreadable', () => {
    const plan = { variation_code: 'a', name: 'A', variation_amount: '100.00', fixedPrice: 'Yes' };
    for (const content of [
      { variations: [plan] },
      { varations: [plan] },
      { variations: [], varations: [plan] },
    ]) {
      assert.deepEqual(readPlans(reply({ response_description: '000', content })), [
        { code: 'a', name: 'A', price: 100_00n, fixed: true },
      ]);
    }
    for (const row of [{}, { ...plan, variation_code: {} }, { ...plan, variation_code: null }, 5]) {
      const listed = readPlans(reply({ response_description: '000', content: { variations: [plan, row] } }));
      assert.deepEqual(
        listed?.map(({ code }) => code),
        ['a', undefined],
        JSON.stringify(row),
      );
    }
    for (const body of [{ response_description: '012', content: { varations: [plan] } }, {}, null]) {
      assert.equal(readPlans(reply(body)), undefined);
    }
  });
});

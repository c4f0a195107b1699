/**
 * Reloadly's interface as data: every status and error code, of an order and a search, and unlisted
 * ones.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { CallResult } from '../../../src/providers/http/call.ts';
import type { ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import { toCardsRequest, withCards } from '../../../src/providers/reloadly/cards.ts';
import { readAvailability, readBalance, readPage } from '../../../src/providers/reloadly/catalog.ts';
import {
  answerToPurchase,
  answerToQuery,
  isUnauthorised,
  toOrder,
  toSearch,
  uncodedRefusal,
} from '../../../src/providers/reloadly/mapping.ts';
import { runs } from '../../support/budget.ts';

const REFERENCE = '0d3b1f0e-7a51-4b87-9f0c-0b8f6f1f8a11';

const ORDER: ProviderOrder = {
  reference: REFERENCE,
  product: 'GIFTCARD',
  network: 'GIFTCARD',
  recipient: '',
  amount: 80_000_00n,
  currency: 'NGN',
  planCodes: { product_id: '120' },
  item: { quantity: 2, unitPrice: 25_50n, currency: 'USD' },
};

type Expected = 'failed order' | 'failed provider' | Exclude<ProviderAnswer['kind'], 'failed'>;

const STATUSES: Readonly<Record<string, Expected>> = {
  SUCCESSFUL: 'success',
  PROCESSING: 'accepted',
  PENDING: 'accepted',
  REFUNDED: 'failed order',
  FAILED: 'failed order',
  SUCCESS: 'unknown',
  ON_HOLD: 'unknown',
  '': 'unknown',
};

/** Under HTTP 400. */
const CODES: Readonly<Record<string, Expected>> = {
  INVALID_INPUT_PROVIDED: 'failed order',
  WRONG_PRODUCT_PRICE: 'failed order',
  INVALID_AMOUNT: 'failed order',
  IMPOSSIBLE_AMOUNT: 'failed order',
  INVALID_PRODUCT: 'failed order',
  COUNTRY_NOT_SUPPORTED: 'failed order',
  TRANSACTION_CANNOT_BE_PROCESSED: 'failed order',
  TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT: 'failed order',
  INSUFFICIENT_BALANCE: 'failed provider',
  INSUFFICIENT_WALLET_BALANCE: 'failed provider',
  INACTIVE_ACCOUNT: 'failed provider',
  ACCOUNT_NOT_FOUND: 'failed provider',
  INVALID_CREDENTIALS: 'failed provider',
  INVALID_TOKEN: 'failed provider',
  MISSING_TOKEN: 'failed provider',
  TOKEN_EXPIRED: 'failed provider',
  CUSTOM_IDENTIFIER_ALREADY_USED: 'unknown',
  PROVIDER_INTERNAL_ERROR: 'unknown',
  UNMAPPED_PROVIDER_ERROR_CODE: 'unknown',
  TRANSACTION_NOT_FOUND: 'unknown',
  SOMETHING_NEW: 'unknown',
};

describe('statuses', () => {
  for (const [status, expected] of Object.entries(STATUSES)) {
    it(`reads ${status === '' ? 'no status' : status} as ${expected}, on an order and on a search`, () => {
      for (const spelling of [status, status.toLowerCase()]) {
        const told = { ...record(), status: spelling };
        assert.equal(brief(answerToPurchase(ORDER, reply(told))), expected);
        assert.equal(brief(answerToQuery(ORDER, found(told))), expected);
      }
    });
  }
});

describe('error codes', () => {
  for (const [code, expected] of Object.entries(CODES)) {
    it(`reads ${code} as ${expected}, under HTTP 5xx and on a search as unknown`, () => {
      const body = { errorCode: code, message: 'TEXT' };
      const answer = answerToPurchase(ORDER, reply(body, 400));
      assert.equal(brief(answer), expected);
      assert.equal(answer.telcoMessage, expected === 'failed order' ? 'TEXT' : undefined);
      assert.equal(answerToPurchase(ORDER, reply(body, 500)).kind, 'unknown');
      assert.equal(answerToPurchase(ORDER, reply(body, 200)).kind, 'unknown');
      assert.equal(answerToQuery(ORDER, reply(body, 400)).kind, 'unknown');
      const beside = { ...body, ...record() };
      assert.equal(answerToPurchase(ORDER, reply(beside, 400)).kind, 'unknown', 'beside an order');
    });
  }

  it('does not take a property of every object for a listed code', () => {
    for (const errorCode of ['toString', 'constructor', '__proto__']) {
      assert.equal(answerToPurchase(ORDER, reply({ errorCode }, 400)).kind, 'unknown');
    }
  });

  it('reads HTTP 401 as our access, 429 as not executed, and others as unknown without a code', () => {
    assert.equal(brief(answerToPurchase(ORDER, reply({ errorCode: null }, 401))), 'failed provider');
    assert.equal(answerToPurchase(ORDER, reply({ message: 'slow down' }, 429)).kind, 'not_sent');
    const wrongPath = { timestamp: 'x', status: 404, error: 'Not Found', path: '/orders' };
    assert.equal(answerToPurchase(ORDER, reply(wrongPath, 404)).kind, 'unknown');
    assert.equal(answerToQuery(ORDER, reply(wrongPath, 404)).kind, 'unknown');
    assert.equal(answerToQuery(ORDER, reply({ errorCode: 'TRANSACTION_NOT_FOUND' }, 404)).kind, 'not_found');
    assert.equal(answerToQuery(ORDER, reply({ errorCode: 'TRANSACTION_NOT_FOUND' }, 400)).kind, 'unknown');
    assert.equal(isUnauthorised(reply({ status: 401, error: 'Unauthorized' }, 401)), true);
    assert.equal(isUnauthorised(reply({ errorCode: 'INVALID_TOKEN' }, 400)), false);
    assert.equal(isUnauthorised(reply(record(), 401)), false, 'it names an order: it was executed');
  });

  it('recognizes a refusal without a code by its message, and confirms it by a search', () => {
    const refused = (body: object, status = 400): string | undefined => {
      const result = reply({ errorCode: null, ...body }, status);
      assert.equal(answerToPurchase(ORDER, result).kind, 'unknown', 'until a search confirms it');
      const answer = uncodedRefusal(result);
      return answer && `${answer.fault}: ${answer.telcoMessage}`;
    };
    for (const status of [400, 404, 409, 422]) {
      assert.equal(
        refused({ message: 'Product is not available' }, status),
        'order: Product is not available',
      );
    }
    for (const message of ['You do not have enough balance', 'Insufficient funds in your wallet']) {
      assert.equal(refused({ message }), 'provider: undefined', message);
    }
    for (const [body, status] of [
      [{ message: '' }, 400],
      [{ message: 'Identifier has already been used' }, 400],
      [{ message: 'x', transactionId: 7 }, 400],
      [{ message: 'x', status: 'PROCESSING' }, 400],
      [{ message: 'x', errorCode: 'SOMETHING_NEW' }, 400],
      [{ message: 'x' }, 500],
      [{ message: 'x' }, 403],
    ] as const) {
      assert.equal(refused(body, status), undefined, JSON.stringify(body));
    }
    assert.equal(uncodedRefusal(reply({ message: 'x' }, 400)), undefined, 'no error of Reloadly’s');
    assert.equal(uncodedRefusal({ kind: 'lost', reason: 'x' }), undefined);
  });

  it('reads no answer from a redirect', () => {
    assert.equal(
      answerToPurchase(ORDER, reply({ errorCode: 'INVALID_PRODUCT', message: 'x' }, 302)).kind,
      'unknown',
    );
    assert.equal(answerToPurchase(ORDER, reply(record(), 301)).kind, 'unknown');
  });

  it('reads a call that did not leave as not sent for an order and as unknown for a search', () => {
    const notSent: CallResult = { kind: 'not_sent', reason: 'ECONNREFUSED' };
    assert.equal(answerToPurchase(ORDER, notSent).kind, 'not_sent');
    assert.equal(answerToQuery(ORDER, notSent).kind, 'unknown');
    const lost: CallResult = { kind: 'lost', reason: 'ECONNRESET', status: 401 };
    assert.equal(answerToPurchase(ORDER, lost).kind, 'unknown');
    assert.equal(answerToQuery(ORDER, lost).kind, 'unknown');
    const noAccess = { kind: 'no_access', reason: 'refused' } as const;
    assert.equal(brief(answerToPurchase(ORDER, noAccess)), 'failed provider');
    assert.equal(answerToQuery(ORDER, noAccess).kind, 'unknown');
  });
});

describe('the owner of a record', () => {
  const kindOf = (...records: readonly unknown[]): string => brief(answerToQuery(ORDER, found(...records)));

  it('reads a reply that names another order as unknown, and one that names none as ours', () => {
    const named = (customIdentifier: unknown): string =>
      answerToPurchase(ORDER, reply({ ...record(), customIdentifier })).kind;
    assert.equal(named(REFERENCE), 'success');
    assert.equal(named(undefined), 'success');
    assert.equal(named(null), 'success');
    for (const other of ['another', '', 5, REFERENCE.toUpperCase()]) assert.equal(named(other), 'unknown');
  });

  it('a search finds our identifier letter by letter', () => {
    assert.equal(kindOf(record()), 'success');
    assert.equal(kindOf(), 'not_found');
    assert.equal(kindOf({ ...record(), customIdentifier: REFERENCE.toUpperCase() }), 'not_found');
    for (const customIdentifier of ['another', '', null, undefined, 5]) {
      assert.equal(kindOf({ ...record(), customIdentifier }), 'unknown', String(customIdentifier));
      assert.equal(kindOf(record(), { ...record(), customIdentifier }), 'unknown', 'it did not search');
    }
  });

  it('a search counts only a record of the product that we ordered', () => {
    const of = (fields: object): string => kindOf({ ...record(), product: { ...product(), ...fields } });
    assert.equal(of({}), 'success');
    assert.equal(of({ productId: '120', quantity: '2', unitPrice: '25.50' }), 'success');
    assert.equal(of({ productId: undefined, quantity: null, unitPrice: undefined }), 'success');
    for (const fields of [{ productId: 121 }, { quantity: 1 }, { unitPrice: 25 }, { unitPrice: 'much' }]) {
      assert.equal(of(fields), 'unknown', JSON.stringify(fields));
    }
    assert.equal(kindOf({ ...record(), product: undefined }), 'success');
  });

  it('reads another product under our identifier as a delivery that a person must settle', () => {
    const other = { ...record(), product: { ...product(), unitPrice: 10 } };
    const nameless = { ...other, customIdentifier: null };
    for (const answer of [
      answerToQuery(ORDER, found(other)),
      answerToPurchase(ORDER, reply(other)),
      answerToPurchase(ORDER, reply(nameless)),
      answerToQuery(ORDER, found({ ...record(), status: 'FAILED' }, other)),
    ]) {
      assert.ok(answer.kind === 'unknown' && answer.delivered, answer.kind);
      assert.equal(answer.code, 'other_order');
    }
    const pending = answerToQuery(ORDER, found({ ...other, status: 'PROCESSING' }));
    assert.ok(pending.kind === 'unknown' && pending.delivered === undefined);
    const strangers = answerToPurchase(ORDER, reply({ ...record(), customIdentifier: 'another' }));
    assert.ok(strangers.kind === 'unknown' && strangers.delivered === undefined);
  });

  it('reads a malformed or incomplete list as unknown', () => {
    for (const body of [
      {},
      null,
      'text',
      { content: 5 },
      { content: [5] },
      { content: [], totalElements: 1 },
    ]) {
      assert.equal(answerToQuery(ORDER, reply(body)).kind, 'unknown', JSON.stringify(body));
    }
    assert.equal(answerToQuery(ORDER, reply([])).kind, 'not_found', 'the bare list of the older interface');
    assert.equal(answerToQuery(ORDER, reply([record()])).kind, 'success');
    const full = Array.from({ length: 50 }, () => record());
    assert.equal(kindOf(...full), 'unknown');
  });

  it('of two records under our identifier the better counts, and both are reported', () => {
    const as = (status: string): unknown => ({ ...record(), status });
    for (const [one, other, best] of [
      ['FAILED', 'SUCCESSFUL', 'success'],
      ['PROCESSING', 'SUCCESSFUL', 'success'],
      ['REFUNDED', 'PENDING', 'accepted'],
      ['FAILED', 'ON_HOLD', 'unknown'],
      ['FAILED', 'REFUNDED', 'failed order'],
    ] as const) {
      assert.equal(kindOf(as(one), as(other)), best);
      assert.equal(kindOf(as(other), as(one)), best);
      assert.match(answerToQuery(ORDER, found(as(one), as(other))).message, /\b2\b/);
    }
  });
});

describe('the float', () => {
  it('reads the float in the currency of the account, and only from a good reply', () => {
    const balance = (fields: object, status = 200): unknown => readBalance(reply(fields, status));
    for (const currency of ['NGN', 'USD']) {
      assert.deepEqual(balance({ balance: 12.5, currencyCode: currency }), { amount: 12_50n, currency });
    }
    for (const currencyCode of ['XXX', '', null, undefined]) {
      assert.equal(balance({ balance: 12.5, currencyCode }), undefined);
    }
    assert.equal(balance({ balance: 'much', currencyCode: 'USD' }), undefined);
    assert.equal(balance({ balance: 12.5, currencyCode: 'USD' }, 401), undefined);
    assert.equal(readBalance({ kind: 'lost', reason: 'x' }), undefined);
  });
});

describe('the cost', () => {
  it('reads the cost of an account in naira, and leaves it open in any other', () => {
    const cost = (fields: object): unknown => {
      const answer = answerToPurchase(ORDER, reply({ ...record(), ...fields }));
      return answer.kind === 'success' ? answer.cost : answer;
    };
    assert.equal(cost({}), 76_543_21n);
    assert.equal(cost({ amount: '76543.215' }), 76_543_22n);
    assert.equal(cost({ currencyCode: 'USD' }), undefined);
    assert.equal(cost({ currencyCode: undefined }), undefined);
    for (const amount of [null, 'free', -5]) assert.equal(cost({ amount }), undefined);
  });
});

describe('the cards', () => {
  const bought = answerToPurchase(ORDER, reply(record()));
  const goods = (body: unknown, status = 200): unknown => {
    assert.ok(bought.kind === 'success');
    const answer = withCards(bought, ORDER, reply(body, status));
    assert.equal(answer.kind, 'success');
    assert.doesNotMatch(answer.message, /SECRET/);
    return answer.goods;
  };
  const one = { cardNumber: 'SECRET-1', pinCode: 'SECRET-2', redemptionUrl: 'https://claim.example/SECRET' };
  const read = { card_number: 'SECRET-1', pin: 'SECRET-2', claim_url: 'https://claim.example/SECRET' };

  it('queries cards by the second version', () => {
    assert.deepEqual(toCardsRequest('7'), {
      operation: 'cards',
      method: 'GET',
      path: '/orders/transactions/7/cards',
      version: 'v2',
    });
  });

  it('returns cards when there are as many as were ordered', () => {
    assert.deepEqual(goods([one, one]), { cards: [read, read], reference_code: '7' });
    assert.deepEqual(goods({ content: [one, one] }), { cards: [read, read], reference_code: '7' });
    const bare = { cardNumber: null, pinCode: 12345678 };
    const linked = { redemptionUrl: ' https://claim.example/a ' };
    assert.deepEqual(goods([bare, linked]), {
      cards: [{ pin: '12345678' }, { claim_url: 'https://claim.example/a' }],
      reference_code: '7',
    });
  });

  it('returns no cards before that', () => {
    const empty = { cardNumber: null, pinCode: '' };
    for (const body of [
      [],
      [one],
      [one, one, one],
      [one, empty],
      {},
      null,
      'text',
      [one, 5],
      { content: one },
      // A card without a part that is there and cannot be read.
      [one, { ...one, cardNumber: 2 ** 60 }],
      [one, { ...one, pinCode: 'SECRET\n2' }],
      [one, { pinCode: 'SECRET', redemptionUrl: 'www.claim.example/SECRET' }],
    ]) {
      assert.equal(goods(body), undefined, JSON.stringify(body));
    }
    assert.equal(goods([one, one], 404), undefined);
    assert.equal(goods([one, one], 500), undefined);
    assert.ok(bought.kind === 'success');
    assert.equal(withCards(bought, ORDER, { kind: 'lost', reason: 'x' }).goods, undefined);
  });

  it('reads a truncated or rounded code, and a malformed link, as absent', () => {
    for (const cardNumber of ['x'.repeat(2_001), 1e20, 1.5, 'a\nb', {}, true, '\ud800']) {
      assert.equal(goods([one, { cardNumber }]), undefined, String(cardNumber).slice(0, 20));
    }
    for (const redemptionUrl of ['javascript:alert(1)', 'ftp://x', 5, 'https://']) {
      assert.equal(goods([one, { redemptionUrl }]), undefined, String(redemptionUrl));
    }
  });
});

describe('an order', () => {
  it('sends card, value and our identifier, at once, without an address of a customer', () => {
    assert.deepEqual(toOrder(ORDER, 'Oja Ltd'), {
      operation: 'purchase',
      method: 'POST',
      path: '/orders',
      body: {
        productId: 120,
        quantity: 2,
        unitPrice: 25.5,
        customIdentifier: REFERENCE,
        senderName: 'Oja Ltd',
        preOrder: false,
      },
    });
    assert.match(toSearch(ORDER).path, new RegExp(`^/reports/transactions\\?customIdentifier=${REFERENCE}&`));
  });

  it('builds no order without a product id or a card, or of another product', () => {
    const { item: _, ...unnamed } = ORDER;
    assert.equal(toOrder(unnamed, 'Oja'), undefined);
    assert.equal(toOrder({ ...ORDER, product: 'ESIM' }, 'Oja'), undefined);
    for (const product_id of ['', '0', '-1', '1.5', '12a', '12345678901']) {
      assert.equal(toOrder({ ...ORDER, planCodes: { product_id } }, 'Oja'), undefined, product_id);
    }
  });
});

describe('the catalog', () => {
  const listed = {
    productId: 120,
    productName: 'Amazon US',
    status: 'ACTIVE',
    denominationType: 'FIXED',
    recipientCurrencyCode: 'USD',
    fixedRecipientDenominations: [10, 25.5],
    brand: { brandId: 2, brandName: 'Amazon' },
    category: { id: 1, name: 'Shopping' },
    country: { isoName: 'US', name: 'United States' },
  };
  const range = {
    ...listed,
    denominationType: 'RANGE',
    minRecipientDenomination: 5,
    maxrecipientDenomination: '200.00',
    fixedRecipientDenominations: [],
  };
  const common = {
    planCodes: { product_id: '120' },
    title: 'Amazon US',
    brand: 'Amazon',
    category: 'Shopping',
  };

  it('lists one item for each fixed value and one for a range', () => {
    const page = readPage(reply({ content: [listed, range], last: true }));
    assert.ok(page?.isLast);
    const sold = { ...common, country: 'US', currency: 'USD' };
    assert.deepEqual(page.listings, [
      { ...sold, price: 10_00n },
      { ...sold, price: 25_50n },
      { ...sold, minPrice: 5_00n, maxPrice: 200_00n },
    ]);
  });

  it('omits cards that are not sold or not in our currencies', () => {
    const out = [
      { ...listed, status: 'INACTIVE' },
      { ...listed, recipientCurrencyCode: 'JPY' },
      { ...listed, recipientCurrencyCode: 'JPY', productId: undefined },
    ];
    assert.deepEqual(readPage(reply({ content: out }))?.listings, []);
    assert.equal(readPage(reply({ content: [listed] }, 500)), undefined);
    assert.equal(readPage(reply('text')), undefined);
    assert.equal(readPage({ kind: 'lost', reason: 'x' }), undefined);
    assert.equal(readPage(reply({ content: Array(100).fill(listed), last: false }))?.isLast, false);
  });

  it('lists a card without a currency or a name as unreadable, in every currency it may have', () => {
    const { recipientCurrencyCode, productName, ...bare } = listed;
    const unknown = readPage(reply({ content: [{ ...bare, productName }] }))?.listings ?? [];
    assert.ok(unknown.every((one) => one.isUnreadable && one.planCodes.product_id === '120'));
    assert.ok(unknown.some(({ currency }) => currency === 'GBP'));
    for (const productId of [undefined, null, {}]) {
      const [one, ...others] = readPage(reply({ content: [{ ...listed, productId }] }))?.listings ?? [];
      assert.deepEqual([one?.planCodes, one?.currency, one?.isUnreadable], [{}, 'USD', true]);
      assert.equal(others.length, 0);
    }
    const unnamed = readPage(reply({ content: [{ ...bare, recipientCurrencyCode: 'usd' }] }))?.listings;
    assert.deepEqual(
      unnamed?.map(({ title, currency, price }) => [title, currency, price]),
      [
        ['120', 'USD', 10_00n],
        ['120', 'USD', 25_50n],
      ],
    );
  });

  it('ends with the page that Reloadly calls the last, however full it is', () => {
    const isLast = (body: object): boolean | undefined => readPage(reply(body))?.isLast;
    assert.equal(isLast({ content: [listed], last: false }), false);
    assert.equal(isLast({ content: Array(100).fill(listed), last: true }), true);
    assert.equal(isLast({ content: [listed], number: 0, totalPages: 2 }), false);
    assert.equal(isLast({ content: [listed], number: 1, totalPages: 2 }), true);
    assert.equal(isLast({ content: [listed] }), false);
    assert.equal(isLast({ content: [] }), true);
  });

  it('reads availability', () => {
    const query = { product: 'GIFTCARD', planCodes: { product_id: '120' } };
    const state = (body: unknown, status = 200): string => {
      const answer = readAvailability(query, reply(body, status));
      return answer.kind === 'known' ? answer.fulfillment : answer.kind;
    };
    assert.equal(state(listed), 'immediate');
    assert.equal(state(range), 'immediate');
    assert.equal(state({ ...listed, status: undefined }), 'immediate');
    assert.equal(state({ ...listed, status: 'INACTIVE' }), 'out_of_stock');
    assert.equal(state({ ...listed, status: 'INACTIVE', supportsPreOrder: true }), 'preorder');
    assert.equal(state({ ...listed, supportsPreOrder: true }), 'immediate');
    assert.equal(state({ ...listed, additionalRequirements: { userIdRequired: true } }), 'out_of_stock');
    assert.equal(state({ errorCode: 'INVALID_PRODUCT' }, 404), 'out_of_stock');
    assert.equal(state({ errorCode: 'SOMETHING' }, 404), 'unavailable');
    assert.equal(state(listed, 503), 'unavailable');
    assert.equal(state({ ...listed, productId: 121 }), 'unavailable');
    assert.equal(state(null), 'unavailable');
  });

  it('reads the values at which a card is sold', () => {
    const query = { product: 'GIFTCARD', planCodes: { product_id: '120' } };
    const sells = (body: unknown): unknown => {
      const answer = readAvailability(query, reply(body));
      return answer.kind === 'known' ? answer.sells : answer;
    };
    assert.deepEqual(sells(listed), { currency: 'USD', values: [10_00n, 25_50n] });
    assert.deepEqual(sells(range), { currency: 'USD', min: 5_00n, max: 200_00n });
    assert.deepEqual(sells({ productId: 120 }), { currency: '', values: [] });
    assert.equal(sells({ ...listed, status: 'INACTIVE' }), undefined);
  });
});

describe('any reply', () => {
  const words = [...Object.keys(STATUSES), ...Object.keys(CODES), REFERENCE, 120, 2, 25.5];
  const leaf = fc.oneof(fc.jsonValue(), fc.constantFrom(...words));
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        status: leaf,
        errorCode: leaf,
        message: leaf,
        transactionId: leaf,
        customIdentifier: fc.oneof(fc.constant(REFERENCE), leaf),
        product: fc.oneof(leaf, fc.record({ productId: leaf, quantity: leaf, unitPrice: leaf })),
        amount: leaf,
        currencyCode: leaf,
      },
      { requiredKeys: [] },
    ),
  );

  it('never throws, is final only by an explicit listed word, and a search only about our own order', () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 100, max: 599 }), fc.boolean(), (value, status, listed) => {
        const result = reply(listed ? { content: [value] } : value, status);
        const text = JSON.stringify(result.body);
        const purchase = answerToPurchase(ORDER, result);
        if (purchase.kind === 'success') assert.match(text, /"successful"/i);
        if (purchase.kind === 'failed' && status !== 401) {
          const refusals = Object.entries(CODES).filter(([, kind]) => kind.startsWith('failed'));
          const finals = ['REFUNDED', 'FAILED', ...refusals.map(([code]) => code)];
          assert.ok(
            finals.some((word) => text.toUpperCase().includes(`"${word}"`)),
            text,
          );
        }
        const query = answerToQuery(ORDER, result);
        assert.notEqual(query.kind, 'not_sent');
        if (query.kind === 'success') assert.match(text, /"successful"/i);
        if (query.kind === 'failed') assert.match(text, /"(?:refunded|failed)"/i);
        if (query.kind === 'success' || query.kind === 'failed') assert.ok(text.includes(REFERENCE));
        isUnauthorised(result);
        readPage(result);
        readAvailability({ product: 'GIFTCARD', planCodes: { product_id: '120' } }, result);
        if (purchase.kind === 'success') withCards(purchase, ORDER, result);
      }),
      runs(500),
    );
  });
});

function product(): Record<string, unknown> {
  return { productId: 120, quantity: 2, unitPrice: 25.5, currencyCode: 'USD' };
}

/** Reloadly's answer to the order, and its later record. */
function record(): Record<string, unknown> {
  return {
    transactionId: 7,
    status: 'SUCCESSFUL',
    customIdentifier: REFERENCE,
    amount: 76543.21,
    currencyCode: 'NGN',
    product: product(),
  };
}

function found(...content: readonly unknown[]): Extract<CallResult, { kind: 'reply' }> {
  return reply({ content, totalElements: content.length, last: true });
}

function reply(body: unknown, status = 200): Extract<CallResult, { kind: 'reply' }> {
  return { kind: 'reply', status, body };
}

function brief(answer: ProviderAnswer): string {
  return answer.kind === 'failed' ? `failed ${answer.fault}` : answer.kind;
}

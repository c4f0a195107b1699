/** Bills on test credentials: the identifiers of the interface exactly, and no others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Customer } from '../../../src/core/products/customer.ts';
import type { CustomerQuery, ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import { createSandbox } from '../../../src/providers/sandbox/connector.ts';
import { aPurchase, isBought } from '../../support/a-purchase.ts';

const sandbox = createSandbox({ notFoundGraceMs: 0 });

const METER: CustomerQuery = { product: 'ELECTRICITY', network: 'EKEDC', recipient: '10000000001' };
const PREPAID = { meter_type: 'prepaid' };
const POSTPAID = { meter_type: 'postpaid' };
const CARD: CustomerQuery = { product: 'CABLE', network: 'DSTV', recipient: '10000000010' };
const BET: CustomerQuery = { product: 'BETTING', network: '1XBET', recipient: 'TESTBET001' };

const ACCEPTED: readonly CustomerQuery[] = [
  { ...METER, planCodes: PREPAID },
  { ...METER, recipient: '10000000002', planCodes: POSTPAID },
  { ...METER, recipient: '10000000003', planCodes: PREPAID },
  { ...METER, recipient: '10000000004', planCodes: PREPAID },
  { ...METER, network: 'ABEDC' },
  CARD,
  { ...CARD, network: 'GOTV', recipient: '10000000020' },
  { ...CARD, network: 'STARTIMES', recipient: '10000000030' },
  BET,
  { ...BET, network: 'BANGBET' },
];

const REJECTED: readonly CustomerQuery[] = [
  { ...METER, recipient: '10000000005' },
  { ...METER, recipient: '45002000001', planCodes: PREPAID },
  { ...METER, recipient: '010000000001' },
  { ...METER, recipient: '10000000010' },
  { ...METER, planCodes: POSTPAID },
  { ...METER, recipient: '10000000002', planCodes: PREPAID },
  { ...METER, recipient: '10000000003', planCodes: POSTPAID },
  { ...METER, recipient: '10000000004', planCodes: POSTPAID },
  { ...METER, recipient: '10000000142', planCodes: POSTPAID },
  { ...METER, recipient: '10000000199' },
  { ...CARD, recipient: '10000000142' },
  { ...BET, recipient: '10000000101' },
  { ...CARD, recipient: '10000000020' },
  { ...CARD, network: 'STARTIMES' },
  { ...CARD, recipient: '10000000001' },
  { ...CARD, recipient: '' },
  { ...BET, recipient: 'testbet001' },
  { ...BET, recipient: 'TESTBET002' },
  { ...BET, recipient: '10000000001' },
  { ...BET, recipient: '__proto__' },
];

describe('a bill on test credentials', () => {
  it('verifies and pays bills of the test customers, with their name', async () => {
    for (const query of ACCEPTED) {
      const answer = await sandbox.verifyCustomer?.(query);
      assert.ok(answer?.kind === 'verified', JSON.stringify(query));
      const order = orderOf(query);
      const paid = await sandbox.purchase(order);
      assert.ok(paid.kind === 'success', JSON.stringify(query));
      assert.equal(paid.cost, order.amount);
      assert.equal(paid.goods?.customer_name, answer.customer.name);
      assert.deepEqual(await sandbox.query(order), paid, 'any process can answer it again');
    }
  });

  it('rejects other customers, with a reason, in verification and in purchase', async () => {
    for (const query of REJECTED) {
      const answer = await sandbox.verifyCustomer?.(query);
      assert.ok(answer?.kind === 'rejected' && answer.message !== '', JSON.stringify(query));
      const order = orderOf(query);
      for (const paid of [await sandbox.purchase(order), await sandbox.query(order)]) {
        assert.ok(paid.kind === 'failed' && paid.fault === 'order', JSON.stringify(query));
        assert.equal(paid.telcoMessage, answer.message);
      }
    }
  });

  it('names the test customers to a caller that tries another', async () => {
    const answer = await sandbox.verifyCustomer?.({ ...CARD, recipient: '7002000001' });
    assert.ok(answer?.kind === 'rejected');
    assert.match(answer.message, /10000000010$/);
  });
});

describe('the goods of test customers', () => {
  it('returns a token of twenty digits and units, different for every purchase', async () => {
    const tokens = new Set<unknown>();
    for (let n = 0; n < 50; n += 1) {
      const goods = goodsOf(await sandbox.purchase(orderOf({ ...METER, planCodes: PREPAID })));
      assert.deepEqual(Object.keys(goods).sort(), ['customer_name', 'token', 'units']);
      assert.match(String(goods.token), /^\d{20}$/);
      assert.equal(goods.units, '9.5');
      tokens.add(goods.token);
    }
    assert.equal(tokens.size, 50);
  });

  it('returns key change tokens too', async () => {
    const goods = goodsOf(await sandbox.purchase(orderOf({ ...METER, recipient: '10000000003' })));
    const { token, kct1, kct2 } = goods;
    for (const digits of [token, kct1, kct2]) assert.match(String(digits), /^\d{20}$/);
    assert.equal(new Set([token, kct1, kct2]).size, 3);
  });

  it('returns no token if the payment cleared a debt, or for postpaid, cable and betting', async () => {
    const debt = goodsOf(await sandbox.purchase(orderOf({ ...METER, recipient: '10000000004' })));
    assert.deepEqual(debt, { payment_spent_on: 'debt', customer_name: 'TEST CUSTOMER' });
    for (const query of [{ ...METER, recipient: '10000000002' }, CARD, BET]) {
      assert.deepEqual(goodsOf(await sandbox.purchase(orderOf(query))), { customer_name: 'TEST CUSTOMER' });
    }
  });
});

describe('the facts about test customers in a verification', () => {
  const customer = async (query: CustomerQuery): Promise<Customer> => {
    const answer = await sandbox.verifyCustomer?.(query);
    assert.ok(answer?.kind === 'verified');
    return answer.customer;
  };

  it('verifies a meter: its limits, kind, address, and arrears if any', async () => {
    const { minAmount, maxAmount, meterType, meterNumber, address, arrears } = await customer(METER);
    assert.ok(minAmount !== undefined && maxAmount !== undefined && minAmount < maxAmount);
    assert.deepEqual([meterType, meterNumber, arrears], ['PREPAID', '10000000001', undefined]);
    assert.ok(address);
    assert.equal((await customer({ ...METER, recipient: '10000000002' })).meterType, 'POSTPAID');
    assert.ok(((await customer({ ...METER, recipient: '10000000004' })).arrears ?? 0n) > 0n);
  });

  it('verifies a meter that names a story: its own number, and the text of the story', async () => {
    const story = (id: string) => customer({ ...METER, recipient: `10000000${id}` });
    assert.equal((await story('210')).meterNumber, '10000000210');
    assert.equal((await story('143')).arrears, 25_000_00n);
    assert.equal((await story('103')).minAmount, 900_000_00n);
    assert.equal((await story('101')).arrears, undefined);
  });

  it('verifies a smartcard with its bouquet, and a betting account with its user name', async () => {
    assert.equal((await customer(CARD)).currentBouquet, 'DStv Compact');
    assert.equal((await customer(BET)).username, 'testbet001');
  });
});

function orderOf(query: CustomerQuery): ProviderOrder {
  return {
    ...query,
    reference: sandbox.mintReference(new Date(), aPurchase, isBought),
    amount: 2_000_00n,
    currency: 'NGN',
  };
}

function goodsOf(answer: ProviderAnswer): Readonly<Record<string, unknown>> {
  return (answer.kind === 'success' ? answer.goods : undefined) ?? {};
}

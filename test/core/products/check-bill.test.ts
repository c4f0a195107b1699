/** The rules of bills: recipients, phones and amounts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BillAmount } from '../../../src/core/products/bill-amount.ts';
import { billRecipient } from '../../../src/core/products/bill-recipient.ts';
import { type BillRequest, checkBill, validateBillCustomer } from '../../../src/core/products/check-bill.ts';
import { type BillProduct, billProducts } from '../../../src/core/products/product.ts';
import { recordOf } from '../../../src/core/products/registry.ts';

const variable: BillAmount & { name: string } = {
  name: 'Ikeja Electric Prepaid',
  amountType: 'variable',
  price: undefined,
  minAmount: 100_000n,
  maxAmount: 5_000_000n,
};
const padi: BillAmount & { name: string } = {
  name: 'DStv Padi',
  amountType: 'fixed',
  price: 440_000n,
  minAmount: undefined,
  maxAmount: undefined,
};

const goodIds: Readonly<Record<BillProduct, readonly string[]>> = {
  ELECTRICITY: [
    '10000000001',
    '10000000004',
    '123456',
    '1111111111111',
    '12/34/56/7890-01',
    '12/34/5678',
    '1234567890-01',
  ],
  CABLE: ['10000000010', '1212121212', '201000000000'],
  BETTING: ['TESTBET001', '965820', '7', 'Arete995', 'a'.repeat(30)],
  EDUCATION: ['1000000001', '0123456789'],
};
const badIds: Readonly<Record<BillProduct, readonly string[]>> = {
  ELECTRICITY: [
    '12345',
    '12345678901234',
    '1000000000A',
    '10000-00001',
    '1000000 0001',
    '12//34/5678',
    '/12/34/5678',
    '12/34/5678/',
    '12/34/5678-',
    '12/3',
    '12/34/56/78/90/12/34/56/78',
    '../../12345',
  ],
  CABLE: ['123456789', '1234567890123', '1212121212X'],
  BETTING: ['a'.repeat(31), 'bet 1', 'bet-1', 'bét1', "1'--"],
  EDUCATION: ['123456789', '12345678901', '08000000010', '12345 6789', '123456789A'],
};
const badEverywhere = ['', ' ', '\n', '10000000001\n', ' 10000000001', '१००००००००००', '1'.repeat(10_000)];

function request(product: BillProduct, over: Partial<BillRequest> = {}): BillRequest {
  const recipient = goodIds[product][0] ?? '';
  const network = recordOf(product).networkExample;
  return { product, network, recipient, amount: 100_000n, phone: '08031234567', ...over };
}

function faultsOf(product: BillProduct, over: Partial<BillRequest>, plan = variable): string[] {
  return checkBill(request(product, over), plan).map((fault) => fault.code);
}

for (const product of billProducts) {
  test(`${product}: customer ids pass, also those of test customers`, () => {
    for (const id of goodIds[product]) {
      assert.deepEqual(validateBillCustomer(request(product, { recipient: id })), [], id);
      assert.deepEqual(checkBill(request(product, { recipient: id }), variable), [], id);
    }
  });

  test(`${product}: a malformed customer id is a fault of the customer`, () => {
    for (const id of [...badIds[product], ...badEverywhere]) {
      const faults = validateBillCustomer(request(product, { recipient: id }));
      // The required form, and not the id itself.
      const form = recordOf(product).customer.customerIdText;
      assert.deepEqual(faults, [{ code: 'customer_malformed', form }], JSON.stringify(id.slice(0, 40)));
      assert.deepEqual(checkBill(request(product, { recipient: id }), variable), faults);
    }
  });

  test(`${product}: accepts a phone only as a mobile number, in any spelling`, () => {
    for (const phone of ['08031234567', '2348031234567', '+2348031234567']) {
      assert.deepEqual(faultsOf(product, { phone }), []);
    }
    for (const phone of ['', '10000000001', '0803123456', '0803 123 4567', 'phone']) {
      assert.deepEqual(faultsOf(product, { phone }), ['phone_malformed']);
    }
  });
}

test('betting requires a phone, the others do not', () => {
  assert.deepEqual(faultsOf('ELECTRICITY', { phone: undefined }), []);
  assert.deepEqual(faultsOf('CABLE', { phone: undefined }), []);
  assert.deepEqual(checkBill(request('BETTING', { phone: undefined }), variable), [
    { code: 'phone_missing', product: 'BETTING' },
  ]);
});

test('a variable amount lies within the plan’s limits, both included', () => {
  for (const amount of [100_000n, 100_100n, 5_000_000n]) {
    assert.deepEqual(faultsOf('ELECTRICITY', { amount }), []);
  }
  assert.deepEqual(checkBill(request('ELECTRICITY', { amount: 99_900n }), variable), [
    { code: 'amount_below', plan: 'Ikeja Electric Prepaid', min: 100_000n },
  ]);
  assert.deepEqual(checkBill(request('ELECTRICITY', { amount: 5_000_100n }), variable), [
    { code: 'amount_above', plan: 'Ikeja Electric Prepaid', max: 5_000_000n },
  ]);
});

test('a variable amount is whole naira, except for electricity', () => {
  for (const amount of [100_001n, 100_050n, 100_099n]) {
    assert.deepEqual(faultsOf('CABLE', { amount }), ['amount_not_whole_naira']);
    assert.deepEqual(faultsOf('BETTING', { amount }), ['amount_not_whole_naira']);
    assert.deepEqual(faultsOf('ELECTRICITY', { amount }), []);
  }
});

test('a fixed price must match, and a refusal names it', () => {
  assert.deepEqual(faultsOf('CABLE', { amount: 440_000n }, padi), []);
  for (const amount of [439_999n, 440_001n, 44_000n, 4_400_000n]) {
    assert.deepEqual(checkBill(request('CABLE', { amount }), padi), [
      { code: 'amount_not_price', plan: 'DStv Padi', price: 440_000n },
    ]);
  }
});

test('a fixed price may have kobo', () => {
  const odd = { ...padi, price: 440_050n };
  assert.deepEqual(faultsOf('CABLE', { amount: 440_050n }, odd), []);
  assert.equal(faultsOf('CABLE', { amount: 440_000n }, odd).length, 1);
});

test('names every error at once', () => {
  const faults = checkBill(
    request('BETTING', { recipient: 'bet 1', amount: 1n, phone: undefined }),
    variable,
  );
  assert.deepEqual(
    faults.map((fault) => fault.code),
    ['customer_malformed', 'amount_not_whole_naira', 'phone_missing'],
  );
});

test('sells for a mobile number on a network without customers', () => {
  for (const recipient of ['2348000000010', '2348031234567']) {
    assert.deepEqual(faultsOf('EDUCATION', { network: 'WAEC', recipient }), []);
  }
  for (const recipient of ['1000000001', '0803123456', '']) {
    assert.deepEqual(faultsOf('EDUCATION', { network: 'WAEC', recipient }), ['number_malformed']);
  }
  assert.equal(billRecipient('EDUCATION', 'WAEC', '0803 1'), '0803 1');
  assert.equal(billRecipient('EDUCATION', 'WAEC', '08031234567'), '2348031234567');
  assert.equal(billRecipient('EDUCATION', 'JAMB', '1000000001'), '1000000001');
  assert.equal(billRecipient('ELECTRICITY', 'EKEDC', '08031234567'), '08031234567');
});

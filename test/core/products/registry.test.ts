/** The records of the products agree with each other and with the rules that read them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sellersOf } from '../../../src/catalog/routes/require-route.ts';
import { validateBillCustomer } from '../../../src/core/products/check-bill.ts';
import { parseMobileNumber } from '../../../src/core/products/mobile-number.ts';
import {
  billProducts,
  directProducts,
  orderProducts,
  parseProduct,
  parseProductName,
  planProducts,
  productNames,
  products,
  productsAtFirst,
} from '../../../src/core/products/product.ts';
import { isSealed, owedGoods, productRecords, recordOf } from '../../../src/core/products/registry.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';

describe('the products', () => {
  it('lists products in the order of the interface, by kind', () => {
    assert.deepEqual(products, [...directProducts, ...billProducts]);
    assert.deepEqual(productNames, [...products, ...orderProducts]);
    assert.deepEqual(products.slice(0, 5), ['airtime', 'data', 'ELECTRICITY', 'CABLE', 'BETTING']);
    assert.deepEqual(orderProducts, ['GIFTCARD', 'ESIM']);
    assert.deepEqual(
      planProducts,
      productNames.filter((product) => product !== 'airtime'),
    );
    assert.deepEqual(productsAtFirst, ['airtime', 'data']);
  });

  it('gives products names that differ in every letter case', () => {
    assert.equal(new Set(productNames.map((name) => name.toLowerCase())).size, productNames.length);
    for (const name of productNames) {
      assert.equal(parseProductName(name.toUpperCase()), name);
      assert.equal(parseProductName(name.toLowerCase()), name);
    }
  });

  it('counts ordered products as no transactions', () => {
    for (const name of orderProducts) assert.equal(parseProduct(name), undefined);
    for (const name of products) assert.equal(parseProduct(name), name);
  });

  it('finds a product by its canonical name only', () => {
    for (const record of productRecords) assert.equal(recordOf(record.name), record);
    for (const text of ['', 'Airtime', 'electricity', 'toString', '__proto__']) {
      assert.equal(recordOf(text), undefined, text);
      assert.equal(isSealed(text), false, text);
    }
  });

  it('names a provider for test purchases and one for live ones', () => {
    for (const name of productNames) {
      assert.deepEqual(sellersOf(name, 'test', builtInProviders), ['sandbox'], name);
      assert.ok(sellersOf(name, 'live', builtInProviders).length > 0, name);
    }
  });

  it('seals the goods of an order, because they can be spent', () => {
    for (const name of orderProducts) assert.ok(isSealed(name), name);
  });
});

describe('owed goods', () => {
  it('owes a token for prepaid electricity only', () => {
    const electricity = recordOf('ELECTRICITY');
    assert.equal(owedGoods(electricity, { meterKind: 'prepaid' }), 'token');
    assert.equal(owedGoods(electricity, { meterKind: 'postpaid' }), undefined);
  });

  it('owes nothing if a receipt is enough, and owes the codes of ordered goods', () => {
    for (const name of ['airtime', 'data', 'CABLE', 'BETTING'] as const) {
      assert.equal(owedGoods(recordOf(name), {}), undefined, name);
    }
    assert.equal(owedGoods(recordOf('EDUCATION'), {}), 'pins');
    assert.equal(owedGoods(recordOf('GIFTCARD'), {}), 'cards');
    assert.equal(owedGoods(recordOf('ESIM'), {}), 'iccid');
  });
});

describe('the test rules', () => {
  it('names test numbers and customers that pass the rules of their product', () => {
    for (const record of productRecords) {
      if (record.kind === 'direct') {
        for (const { number } of record.testNumbers) assert.ok(parseMobileNumber(number), number);
      }
    }
    for (const product of billProducts) {
      const { testCustomers, networkExample } = recordOf(product);
      for (const { id: recipient, network = networkExample } of testCustomers) {
        assert.deepEqual(validateBillCustomer({ product, network, recipient }), [], recipient);
      }
    }
  });

  it('gives a test customer id to one product only', () => {
    const ids = billProducts.flatMap((product) => recordOf(product).testCustomers.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length);
  });
});

/** The names of products and networks, in any letter case. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { airtime } from '../../../src/core/products/airtime.ts';
import { mobileNetworks, parseMobileNetwork } from '../../../src/core/products/network.ts';
import { billProducts, isBillProduct, parseProduct } from '../../../src/core/products/product.ts';

test('a product is known in any letter case and comes out in the spelling of the interface', () => {
  for (const text of ['airtime', 'AIRTIME', 'Airtime']) assert.equal(parseProduct(text), 'airtime');
  for (const text of ['data', 'DATA']) assert.equal(parseProduct(text), 'data');
  for (const text of ['electricity', 'ELECTRICITY', 'Electricity']) {
    assert.equal(parseProduct(text), 'ELECTRICITY');
  }
  assert.equal(parseProduct('cable'), 'CABLE');
  assert.equal(parseProduct('betting'), 'BETTING');
});

test('accepts no other word as a product', () => {
  for (const text of ['', ' airtime', 'airtime ', 'esim', 'toString', '__proto__', 'constructor', 'datа']) {
    assert.equal(parseProduct(text), undefined, JSON.stringify(text));
  }
});

test('a bill is known in its canonical spelling only', () => {
  for (const product of ['ELECTRICITY', 'CABLE', 'BETTING', 'EDUCATION'] as const)
    assert.ok(billProducts.includes(product), product);
  for (const product of billProducts) assert.ok(isBillProduct(product));
  for (const text of ['airtime', 'data', 'electricity', '', 'toString'])
    assert.ok(!isBillProduct(text), text);
});

test('a mobile network is known in any letter case, the fourth by its other names too', () => {
  for (const network of mobileNetworks) {
    assert.equal(parseMobileNetwork(network), network);
    assert.equal(parseMobileNetwork(network.toLowerCase()), network);
  }
  for (const text of ['9mobile', '9Mobile', 'etisalat', 'Etisalat', 't2', 'T2']) {
    assert.equal(parseMobileNetwork(text), '9MOBILE', text);
  }
});

test('accepts no other word as a mobile network', () => {
  for (const text of ['', 'mtn ', ' mtn', 'mtnn', 'm t n', 't', '9', 'DSTV', 'Ikeja Electric', '__proto__']) {
    assert.equal(parseMobileNetwork(text), undefined, JSON.stringify(text));
  }
});

test('lists the networks in the order in which the interface numbers them', () => {
  assert.deepEqual(mobileNetworks, ['MTN', 'GLO', 'AIRTEL', '9MOBILE']);
});

test('airtime runs from ten naira to half a million', () => {
  assert.deepEqual(airtime.amounts, { min: 1_000n, max: 50_000_000n });
});

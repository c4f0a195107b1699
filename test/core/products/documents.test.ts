/** The documents list the products and test identifiers of the registry. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  makeTestNumbersPage,
  productsPage,
  testNumbersPage,
  withProducts,
} from '../../support/write-test-numbers.ts';

test('the table of products is as npm run test-numbers writes it', () => {
  const text = readFileSync(productsPage, 'utf8');
  assert.equal(text, withProducts(text));
});

test('the page of test numbers is as npm run test-numbers writes it', () => {
  assert.equal(readFileSync(testNumbersPage, 'utf8'), makeTestNumbersPage());
});

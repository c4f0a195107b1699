/**
 * The documents list the products and test identifiers of the registry. A failure shows the
 * expected table.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type {
  BillRecord,
  DirectRecord,
  OrderRecord,
  ProductRecord,
} from '../../../src/core/products/product-record.ts';
import { productRecords } from '../../../src/core/products/registry.ts';
import { makeTestNumbersPage, testNumbersPage } from '../../support/write-test-numbers.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'merchants');

const kinds: Readonly<Record<ProductRecord['kind'], string>> = {
  direct: 'sync or async, for a mobile number',
  bill: 'sync, for a customer of a biller',
  order: 'ordered by plan, at routes of its own',
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function assertHas(page: string, wanted: string): void {
  const text = readFileSync(join(folder, page), 'utf8');
  assert.ok(text.includes(wanted), `docs/merchants/${page} must contain:\n\n${wanted}\n`);
}

function msisdnOf(record: DirectRecord | BillRecord | OrderRecord): string {
  if (record.kind === 'direct') return 'a Nigerian mobile number';
  if (record.kind === 'order') return 'none';
  const { customerIdText, customerNetworks } = record.customer;
  const id = customerIdText.replace(' and nothing else', '');
  return customerNetworks === undefined ? id : `${id}; elsewhere a Nigerian mobile number`;
}

function bringsOf(record: ProductRecord): string {
  if (record.kind === 'direct' || record.owes === undefined) return 'a receipt';
  const goods = `\`${record.owes.goods}\``;
  return record.owes.plans === 'all' ? goods : `${goods} by ${record.owes.plans} plans, else a receipt`;
}

test('the products', () => {
  const rows = productRecords.map((record) => [
    `\`${record.name}\``,
    kinds[record.kind],
    msisdnOf(record),
    record.kind === 'bill' ? record.customer.phone : 'no',
    bringsOf(record),
    record.isEnabledAtFirst ? 'yes' : 'no',
  ]);
  const head = ['`product`', 'Bought', '`msisdn`', '`phone`', 'Brings', 'Enabled at first'];
  assertHas('products.md', table(head, rows));
});

test('the page of test numbers is as npm run test-numbers writes it', () => {
  assert.equal(readFileSync(testNumbersPage, 'utf8'), makeTestNumbersPage());
});

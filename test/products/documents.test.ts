/**
 * The tables of the documents that list products and test identifiers are those of the registry. A
 * table that differs is shown as it should be.
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
} from '../../src/products/product-record.ts';
import { productRecords } from '../../src/products/registry.ts';
import type { TestCustomer } from '../../src/products/test-rules.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'merchants');

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

const brings: Readonly<Record<TestCustomer['brings'], string>> = {
  token: '`token`, `units`',
  'token and key change': '`kct1`, `kct2`, `token`, `units`',
  'debt cleared': '`payment_spent_on`: a debt took it all, no token',
  receipt: 'a receipt',
  'serial and PIN': '`pins`: one with a `serial` and a `pin`',
  PIN: '`pins`: one with a `pin`',
};

test('the customers that test credentials can pay for', () => {
  const rows = productRecords.flatMap((record) =>
    record.kind === 'bill'
      ? record.testCustomers.map(({ id, network, meterKind, brings: gets }) => {
          const plan = meterKind === undefined ? 'any plan' : `any ${meterKind} plan`;
          const of = network === undefined ? plan : `${plan} of \`${network}\``;
          return [`\`${id}\``, `\`${record.name}\`, ${of}`, brings[gets]];
        })
      : [],
  );
  assertHas('test-numbers.md', table(['`msisdn`', 'Product', 'Brings'], rows));
});

test('the test numbers', () => {
  const text = readFileSync(join(folder, 'test-numbers.md'), 'utf8');
  const [numbers = ''] = text.split('## Bills');
  const listed = [...numbers.matchAll(/^\| `(0800[0-9]{7})` \|/gm)].map((match) => match[1]);
  for (const record of productRecords) {
    if (record.kind !== 'direct') continue;
    assert.deepEqual(
      listed,
      record.testNumbers.map(({ number }) => number),
    );
  }
});

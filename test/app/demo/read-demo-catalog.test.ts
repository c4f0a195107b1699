/** The demo's catalog is read completely or refused completely, with every error of every file. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type DemoCatalog, readDemoCatalog } from '../../../src/app/demo/read-demo-catalog.ts';

const dstv = { product: 'CABLE', network: 'DSTV', name: 'DStv', aliases: [], active: true };

function bouquet(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 2101,
    name: 'DStv Padi',
    network: 'DSTV',
    product: 'CABLE',
    amount_type: 'fixed',
    price: '4400.00',
    active: true,
    provider_codes: {},
    ...over,
  };
}

function bundle(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    plan_code: 'MTN-1',
    id: 1,
    network: 'MTN',
    name: 'MTN 1GB',
    description: '1GB',
    price: '500.00',
    tarrifTypeId: '10',
    validity: '1 day',
    value: '1GB',
    group: 'Daily',
    shortCode: 'MTN-1GB-1D',
    active: true,
    provider_codes: { vtpass: { service_id: 'mtn-data', variation_code: 'mtn-1gb' } },
    ...over,
  };
}

const rate = { currency: 'USD', rate: '1545.00', margin_percent: '3.00' };

/**
 * A folder in which every file is an empty list, except the given `files`. Undefined: the file is
 * missing.
 */
async function readFolder(files: Record<string, unknown>): Promise<DemoCatalog> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-catalog-'));
  const empty = Object.fromEntries(
    [
      ...['billers', 'fx-rates', 'gift-cards/us', 'esims/regions'],
      ...['electricity', 'cable', 'betting', 'education'].map((product) => `bill-plans/${product}`),
      ...['mtn', 'glo', 'airtel', '9mobile'].map((network) => `data-plans/${network}`),
    ].map((name) => [`${name}.json`, []]),
  );
  try {
    for (const [name, content] of Object.entries({ ...empty, ...files })) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      if (content === undefined) continue;
      await writeFile(join(folder, name), typeof content === 'string' ? content : lines(content));
    }
    return await readDemoCatalog(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** One record per line, from line 2. */
function lines(content: unknown): string {
  if (!Array.isArray(content)) return JSON.stringify(content);
  return `[\n${content.map((record) => JSON.stringify(record)).join(',\n')}\n]`;
}

/** Each error, in order, by the texts that it must contain: its file, its line, and the problem. */
async function assertFaults(
  files: Record<string, unknown>,
  faults: readonly (readonly string[])[],
): Promise<void> {
  await assert.rejects(readFolder(files), ({ message }: Error) => {
    const [, ...told] = message.split('\n  ');
    assert.equal(told.length, faults.length, message);
    for (const [index, words] of faults.entries()) {
      const found: readonly string[] = told[index]?.match(/[\w./-]*\w/g) ?? [];
      for (const word of words) assert.ok(found.includes(word), `${word} in: ${told[index]}`);
    }
    return true;
  });
}

test('reads plans, billers and rates in the order of their files', async () => {
  const read = await readFolder({
    'billers.json': [dstv],
    'bill-plans/cable.json': [bouquet()],
    'data-plans/mtn.json': [bundle()],
    'data-plans/glo.json': [
      bundle({ plan_code: 'GLO-1', id: 2, network: 'GLO', shortCode: 'G', provider_codes: {} }),
    ],
    'fx-rates.json': [rate],
  });
  assert.deepEqual(
    read.billers.map(({ network }) => network),
    ['DSTV'],
  );
  assert.deepEqual(
    read.billPlans.map(({ id, price }) => [id, price]),
    [[2101, 440_000n]],
  );
  assert.deepEqual(
    read.dataPlans.map(({ planCode }) => planCode),
    ['MTN-1', 'GLO-1'],
  );
  assert.deepEqual(read.rates, [{ currency: 'USD', rateMicro: 1_545_000_000n, marginBasisPoints: 300 }]);
  assert.deepEqual([read.giftCards, read.esims], [[], []]);
});

test('reports every error of every file at once, with its line', async () => {
  await assertFaults(
    {
      'billers.json': [dstv, { ...dstv, product: 'PAY-TV' }],
      'bill-plans/electricity.json': '{',
      'bill-plans/cable.json': [bouquet({ price: '4,400' }), 'plan'],
      'bill-plans/betting.json': undefined,
      'data-plans/mtn.json': [bundle({ id: '7', colour: 'red' }), bundle(), bundle()],
      'data-plans/glo.json': {},
      'data-plans/airtel.json': ' ',
      'gift-cards/us.json': [{ plan_id: 1 }],
      'fx-rates.json': [rate, { ...rate, rate: '0' }, { ...rate, margin_percent: '101' }, rate],
    },
    [
      ['billers.json', '3', 'product'],
      ['bill-plans/electricity.json'],
      ['bill-plans/cable.json', '2', 'price'],
      ['bill-plans/cable.json', '3'],
      ['bill-plans/betting.json', 'ENOENT'],
      ['data-plans/mtn.json', '2', 'colour'],
      ['data-plans/mtn.json', '2', 'id'],
      ['data-plans/mtn.json', '4', 'MTN-1', '3'],
      ['data-plans/glo.json'],
      ['data-plans/airtel.json'],
      ...['title', 'brand', 'ui_category', 'currency'].map((field) => ['gift-cards/us.json', '2', field]),
      ['fx-rates.json', '3', 'rate', '0'],
      ['fx-rates.json', '4', 'margin_percent', '101'],
      ['fx-rates.json', '5', 'USD', '2'],
    ],
  );
});

test('refuses duplicates across files, and a plan without its biller', async () => {
  await assertFaults(
    {
      'billers.json': [dstv, { ...dstv, product: 'BETTING', network: 'BET9JA', aliases: [{ name: 'dstv' }] }],
      'bill-plans/cable.json': [
        bouquet({ service_id: 'padi' }),
        bouquet({ id: 2102, service_id: 'PADI', tariff_type_id: '2101' }),
        bouquet({ id: 2103, price: '4400.01' }),
        bouquet({ id: 2104, network: 'GOTV' }),
      ],
      'bill-plans/betting.json': [bouquet({ id: 2101, active: false })],
      'data-plans/mtn.json': [bundle({ id: 2103 }), bundle({ plan_code: 'MTN-2', id: 3 })],
    },
    [
      ['2101'],
      ['dstv', 'DSTV', 'BET9JA'],
      ['MTN-1GB-1D', 'MTN-1', 'MTN-2'],
      ['MTN-1GB-1D', 'MTN-1', 'MTN-2'],
      ['10', 'MTN-1', 'MTN-2'],
      ['2103', 'MTN-1'],
      ['2104', 'GOTV'],
    ],
  );
});

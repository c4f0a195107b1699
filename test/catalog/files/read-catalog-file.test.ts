/** The records of a file, by kind, and their errors with line numbers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogItem } from '../../../src/catalog/catalog-item.ts';
import {
  catalogFileSteps,
  readCatalogFile,
  readFxRateFile,
} from '../../../src/catalog/files/read-catalog-file.ts';
import type { RecordOptions } from '../../../src/catalog/records/read-catalog-record.ts';

type Fields = Record<string, unknown>;

const biller = { product: 'CABLE', network: 'DSTV', name: 'DStv' };
const meter = {
  product: 'ELECTRICITY',
  id: 2001,
  name: 'Ikeja Prepaid',
  network: 'Ikeja Electric',
  amount_type: 'variable',
  min_amount: '1000.00',
  max_amount: '50000.00',
  meter_kind: 'prepaid',
};
const bouquet = {
  product: 'CABLE',
  id: 2101,
  name: 'DStv Padi',
  network: 'DSTV',
  amount_type: 'fixed',
  price: '4400.00',
};
const bundle = {
  product: 'data',
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
};
const card = {
  product: 'GIFTCARD',
  plan_id: 1,
  title: 'Acme US 10',
  brand: 'Acme',
  ui_category: 'Shopping',
  currency: 'USD',
  face_value: '10.00',
};
const esim = {
  product: 'ESIM',
  plan_id: 'US-1GB',
  title: 'US 1 GB',
  region: 'North America',
  data_mb: 1000,
  duration_days: 7,
  currency: 'USD',
  price: '1.53',
};

/** In the form of a file with one record per line, from line 2. */
function fileOf(records: readonly unknown[]): Buffer {
  return Buffer.from(`[\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]`);
}

function read(records: readonly unknown[], options: RecordOptions = {}) {
  return readCatalogFile(fileOf(records), options);
}

function thing(record: Fields, options: RecordOptions = {}): CatalogItem['item'] | undefined {
  const { items, faults } = read([record], options);
  assert.deepEqual(faults, []);
  return items[0]?.item.item;
}

/** The errors of `records`, each with the number of its record from 1. */
function faultsOf(records: readonly unknown[], options: RecordOptions = {}): unknown[] {
  const { items, faults } = read(records, options);
  assert.deepEqual(items, []);
  return faults.map(({ line, fault }) => ({ record: line - 1, ...fault }));
}

test('reads a biller into the record of the core', () => {
  const aliases = [{ name: 'DStv Nigeria', since: '2025-10-02', note: 'n', source: 's' }];
  assert.deepEqual(thing({ ...biller, aliases, active: false }, { billers: true }), {
    product: 'CABLE',
    network: 'DSTV',
    name: 'DStv',
    aliases,
    active: false,
  });
  const { product, ...unnamed } = biller;
  assert.deepEqual(thing(unnamed, { billers: true, product: 'CABLE' }), {
    product,
    network: 'DSTV',
    name: 'DStv',
    aliases: [],
    active: true,
  });
});

test('reads a bill plan into the record of the core', () => {
  const codes = { vtpass: { service_id: 'ikeja-electric', variation_code: 'prepaid' } };
  const old = { service_id: 'ikeja', tariff_type_id: '7', legacy_product_id: '70' };
  assert.deepEqual(thing({ ...meter, ...old, provider_codes: codes }), {
    id: 2001,
    product: 'ELECTRICITY',
    network: 'Ikeja Electric',
    name: 'Ikeja Prepaid',
    amountType: 'variable',
    price: undefined,
    minAmount: 100_000n,
    maxAmount: 5_000_000n,
    meterKind: 'prepaid',
    serviceId: 'ikeja',
    tariffTypeId: '7',
    legacyProductId: '70',
    providerCodes: codes,
    active: true,
  });
  assert.deepEqual(thing(bouquet), {
    id: 2101,
    product: 'CABLE',
    network: 'DSTV',
    name: 'DStv Padi',
    amountType: 'fixed',
    price: 440_000n,
    minAmount: undefined,
    maxAmount: undefined,
    meterKind: undefined,
    serviceId: undefined,
    tariffTypeId: undefined,
    legacyProductId: undefined,
    providerCodes: {},
    active: true,
  });
});

test('reads a data plan into the record of the core', () => {
  assert.deepEqual(thing({ ...bundle, product_id: '77' }), {
    planCode: 'MTN-1',
    id: 1,
    network: 'MTN',
    name: 'MTN 1GB',
    description: '1GB',
    price: 50_000n,
    tariffTypeId: '10',
    legacyProductId: '77',
    validity: '1 day',
    size: '1GB',
    group: 'Daily',
    planKind: 'direct',
    shortCode: 'MTN-1GB-1D',
    providerCodes: {},
    active: true,
  });
});

test('a data plan has the kind of its record, and no kind of airtime', () => {
  const read = thing({ ...bundle, kind: 'corporate_gifting' });
  assert.equal(read !== undefined && 'planKind' in read && read.planKind, 'corporate_gifting');
  for (const kind of ['vtu', 'SME', '', 1]) {
    assert.partialDeepStrictEqual(faultsOf([{ ...bundle, kind }]), [{ code: 'choice', field: 'kind' }]);
  }
});

test('reads a gift card and an eSIM into the records of the core', () => {
  const { face_value, ...open } = card;
  assert.deepEqual(thing({ ...open, region: 'US', min_price: '5', max_price: '50', test_only: true }), {
    planId: 1,
    title: 'Acme US 10',
    brand: 'Acme',
    region: 'US',
    uiCategory: 'Shopping',
    currency: 'USD',
    faceValue: undefined,
    minPrice: 500n,
    maxPrice: 5_000n,
    featured: false,
    fulfillment: 'immediate',
    testOnly: true,
    providerCodes: {},
    active: true,
  });
  assert.deepEqual(thing(esim), {
    planId: 'US-1GB',
    title: 'US 1 GB',
    country: undefined,
    region: 'North America',
    dataMb: 1_000,
    durationDays: 7,
    currency: 'USD',
    price: 153n,
    testOnly: false,
    providerCodes: {},
    active: true,
  });
});

test('reads CSV cells by the type of their field', () => {
  const csv = [
    'product,plan_id,title,brand,ui_category,currency,face_value,featured,provider_codes.shop.id,provider_codes.sandbox',
    'giftcard,1,"Acme, US 10",Acme,12,USD,10.00,TRUE,5,yes',
    '',
    'ESIM,12,"a title',
    'of two lines",,,USD,,,,',
    'GIFTCARD,x,T,B,C,USD,10.00,maybe,,',
  ].join('\n');
  const { items, faults } = readCatalogFile(Buffer.from(csv), {});
  const [one] = items;
  assert.ok(one?.item.kind === 'giftcard');
  const { planId, title, uiCategory, featured, providerCodes } = one.item.item;
  assert.deepEqual([one.line, planId, title, uiCategory, featured], [2, 1, 'Acme, US 10', '12', true]);
  assert.deepEqual(providerCodes, { shop: { id: '5' }, sandbox: {} });
  assert.deepEqual(
    faults.map(({ line, fault }) => [line, fault.code, 'field' in fault ? fault.field : '']),
    [
      ...['region', 'data_mb', 'duration_days', 'price'].map((field) => [4, 'missing', field]),
      [6, 'form', 'plan_id'],
      [6, 'form', 'featured'],
    ],
  );
});

test('reports a malformed record, or one of no product, with its line', () => {
  const { product: _product, ...nameless } = card;
  assert.deepEqual(faultsOf([5, null, ['a'], nameless, { product: 'FLOWERS' }, { product: 'airtime' }]), [
    { record: 1, code: 'no_record' },
    { record: 2, code: 'no_record' },
    { record: 3, code: 'no_record' },
    { record: 4, code: 'product', value: undefined },
    { record: 5, code: 'product', value: 'FLOWERS' },
    { record: 6, code: 'product', value: 'airtime' },
  ]);
  const csv = readCatalogFile(Buffer.from('product,plan_id\nESIM\nESIM,a,b'), {});
  assert.deepEqual(csv.faults, [
    { line: 2, fault: { code: 'cell_count' } },
    { line: 3, fault: { code: 'cell_count' } },
  ]);
});

test('reports a duplicate with both lines, and uses it once', () => {
  const { items, faults } = read([card, { ...esim, plan_id: '1' }, { ...card, title: 'Other' }]);
  assert.equal(items.length, 2);
  assert.deepEqual(faults, [{ line: 4, fault: { code: 'repeated', name: 'giftcard 1', firstLine: 2 } }]);
});

test('reports faults of a biller', () => {
  const named = (alias: Fields): Fields => ({ ...biller, aliases: [alias] });
  assert.deepEqual(
    faultsOf(
      [
        named({ name: 'IKEDC', since: '2025-02-30' }),
        named({ name: 'X', until: '2025-01-01' }),
        { ...biller, product: 'data' },
        { ...biller, name: undefined },
      ],
      { billers: true },
    ),
    [
      { record: 1, code: 'day', field: 'since', alias: 'IKEDC', value: '2025-02-30' },
      { record: 2, code: 'unknown_field', field: 'aliases.0.until' },
      {
        record: 3,
        code: 'other',
        field: 'product',
        value: 'data',
        wanted: 'one of ELECTRICITY, CABLE, BETTING, EDUCATION',
      },
      { record: 4, code: 'missing', field: 'name' },
    ],
  );
  const [form, ...others] = faultsOf([named({ name: ' EKEDC' })], { billers: true }) as Fields[];
  assert.deepEqual([form?.code, form?.field, others], ['form', 'aliases.0.name', []]);
});

test('reports faults of a bill plan', () => {
  const variable = (record: number) => ({ record, code: 'pricing', of: 'variable_plan' });
  const fixed = (record: number) => ({ record, code: 'pricing', of: 'fixed_plan' });
  assert.deepEqual(
    faultsOf([
      { ...meter, meter_kind: undefined, min_amount: '0.00' },
      { ...meter, max_amount: '999.99' },
      { ...meter, price: '1000.00' },
      { ...bouquet, price: undefined },
      { ...bouquet, price: '4,400' },
      { ...bouquet, min_amount: '1.00' },
      { ...bouquet, meter_kind: 'prepaid' },
      { ...bouquet, amount_type: 'any' },
      { ...bouquet, id: 1001, colour: 'red' },
    ]),
    [
      { record: 1, code: 'meter_kind', field: 'meter_kind' },
      ...[1, 2, 3].map(variable),
      ...[4, 5, 6].map(fixed),
      { record: 7, code: 'meter_kind', field: 'meter_kind' },
      { record: 8, code: 'choice', field: 'amount_type', allowed: ['fixed', 'variable'] },
      { record: 9, code: 'unknown_field', field: 'colour' },
      { record: 9, code: 'form', field: 'id', rule: 'must be >= 2001' },
    ],
  );
});

test('reports faults of a data plan', () => {
  assert.deepEqual(
    faultsOf([
      { ...bundle, price: '5e2' },
      { ...bundle, plan_code: 'GLO-1' },
      { ...bundle, plan_code: 'MTN-01' },
      { ...bundle, network: 'mtn' },
      { ...bundle, network: 'DSTV' },
      { ...bundle, network: undefined },
      { ...bundle, id: '7' },
    ]),
    [
      { record: 1, code: 'amount', field: 'price', value: '5e2' },
      { record: 2, code: 'other', field: 'plan_code', wanted: 'MTN-<n>', value: 'GLO-1' },
      { record: 3, code: 'other', field: 'plan_code', wanted: 'MTN-<n>', value: 'MTN-01' },
      { record: 4, code: 'other', field: 'network', wanted: 'MTN', value: 'mtn' },
      { record: 5, code: 'mobile_network', field: 'network', value: 'DSTV' },
      { record: 6, code: 'mobile_network', field: 'network', value: '' },
      { record: 7, code: 'form', field: 'id', rule: 'must be integer' },
    ],
  );
});

test('reports faults of a gift card or an eSIM', () => {
  const { face_value, ...open } = card;
  assert.deepEqual(
    faultsOf([
      { ...card, face_value: '0' },
      { ...card, min_price: '1.00' },
      open,
      { ...open, min_price: '2.00', max_price: '1.00' },
      { ...card, currency: 'JPY' },
      { ...esim, price: '0' },
    ]),
    [
      { record: 1, code: 'pricing', of: 'fixed_card' },
      { record: 2, code: 'pricing', of: 'fixed_card' },
      { record: 3, code: 'pricing', of: 'card' },
      { record: 4, code: 'pricing', of: 'card' },
      { record: 5, code: 'choice', field: 'currency', allowed: ['USD', 'EUR', 'GBP', 'CAD', 'AED'] },
      { record: 6, code: 'amount', field: 'price', value: '0' },
    ],
  );
});

test('reads rates, and reports faults of one', () => {
  const usd = { currency: 'USD', rate: '1545.25', margin_percent: '3.5' };
  const { items, faults } = readFxRateFile(
    fileOf([usd, { ...usd, currency: 'EUR', rate: '0', margin_percent: '101' }, usd]),
  );
  assert.deepEqual(items, [
    { line: 2, item: { currency: 'USD', rateMicro: 1_545_250_000n, marginBasisPoints: 350 } },
  ]);
  assert.deepEqual(
    faults.map(({ line, fault }) => [line, fault.code]),
    [
      [3, 'rate'],
      [3, 'margin'],
      [4, 'repeated'],
    ],
  );
});

test('refuses a file that is not a list of records', () => {
  for (const [text, code] of [
    [' \n', 'empty'],
    ['{}', 'not_list'],
    ['[{', 'not_json'],
    ['a,b\n"1', 'not_csv'],
  ] as const) {
    assert.throws(() => readCatalogFile(Buffer.from(text), {}), { name: 'CatalogFileError', code }, text);
  }
  assert.throws(() => readCatalogFile(Buffer.from('Café', 'latin1'), {}), { code: 'not_utf8' });
});

test('reads a large file in many steps with the same result', () => {
  const rows = Array.from({ length: 500 }, (_, index) => `WAEC-${index},EDUCATION`);
  const csv = ['plan_code,product', ...rows, rows[0], ''].join('\n');
  const steps = catalogFileSteps(csv, {});
  let count = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count += 1;
  assert.ok(count >= 10, `${count} steps`);
  assert.deepEqual(step.value, readCatalogFile(csv, {}));
  const short = catalogFileSteps(csv.split('\n').slice(0, 3).join('\n'), {});
  assert.equal(short.next().done, false);
  assert.equal(short.next().done, true);
});

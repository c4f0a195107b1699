/** Bill plans and billers in the database: stored, overwritten and listed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDemoCatalog } from '../../src/app/demo/read-demo-catalog.ts';
import type { BillPlan } from '../../src/catalog/bill-plan.ts';
import type { Biller } from '../../src/catalog/biller-index.ts';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { listThings, storeThings } from '../../src/catalog/catalog-store.ts';
import { AmbiguousCatalogError } from '../../src/catalog/clash.ts';
import { constraintName } from '../../src/db/database-errors.ts';
import { createTestDatabase } from '../support/database.ts';

const { billPlans: demoPlans, billers: demoBillers, dataPlans } = await readDemoCatalog();

test('lists bill plans and billers as they were stored, in their order', async () => {
  await using clone = await createTestDatabase();
  for (const [plans, billers] of [
    [demoPlans, demoBillers],
    [demoPlans, demoBillers],
    [demoPlans.toReversed(), demoBillers.toReversed()],
  ] as const) {
    await clone.database.transaction(async (tx) => {
      await storeThings(tx, 'biller', billers);
      await storeThings(tx, 'bill', plans);
    });
    assert.deepEqual(await listThings(clone.database, 'bill'), plans);
    assert.deepEqual(await listThings(clone.database, 'biller'), billers);
  }
});

test('storing bill plans overwrites known ones, adds new ones and leaves the others', async () => {
  await using clone = await createTestDatabase();
  const [first, second, third] = demoPlans as [BillPlan, BillPlan, BillPlan];
  await clone.database.transaction((tx) => storeThings(tx, 'bill', [first, second]));
  const changed: BillPlan = {
    id: second.id,
    product: 'CABLE',
    network: 'DSTV',
    name: "Dearer 'plan' 📺",
    amountType: 'fixed',
    price: 9_007_199_254_740_993n,
    minAmount: undefined,
    maxAmount: undefined,
    meterKind: undefined,
    serviceId: undefined,
    tariffTypeId: undefined,
    legacyProductId: undefined,
    providerCodes: { sandbox: {} },
    active: true,
  };
  await clone.database.transaction((tx) => storeThings(tx, 'bill', [third, changed]));
  const stored = new Map((await listThings(clone.database, 'bill')).map((plan) => [plan.id, plan]));
  assert.equal(stored.size, 3);
  assert.deepEqual(stored.get(first.id), first);
  assert.deepEqual(stored.get(second.id), changed);
  assert.deepEqual(stored.get(third.id), third);
});

test('storing billers overwrites known ones, adds new ones and leaves the others', async () => {
  await using clone = await createTestDatabase();
  const [first, second, third] = demoBillers as [Biller, Biller, Biller];
  await clone.database.transaction((tx) => storeThings(tx, 'biller', [first, second]));
  const changed: Biller = { ...second, name: 'Excel ⚡', aliases: [{ name: 'Excel', since: '2025-10-02' }] };
  await clone.database.transaction((tx) => storeThings(tx, 'biller', [third, changed]));
  const stored = new Map(
    (await listThings(clone.database, 'biller')).map((biller) => [biller.network, biller]),
  );
  assert.equal(stored.size, 3);
  assert.deepEqual(stored.get(first.network), first);
  assert.deepEqual(stored.get(second.network), changed);
  assert.deepEqual(stored.get(third.network), third);
});

test('storing plans of one product leaves those of others, and an id names one plan of all products', async () => {
  await using clone = await createTestDatabase();
  await clone.database.transaction((tx) => storeThings(tx, 'data', dataPlans));
  await clone.database.transaction((tx) => storeThings(tx, 'bill', demoPlans));
  await clone.database.transaction((tx) => storeThings(tx, 'data', dataPlans));
  assert.deepEqual(await listThings(clone.database, 'data'), dataPlans);
  assert.deepEqual(await listThings(clone.database, 'bill'), demoPlans);

  const [plan] = demoPlans as [BillPlan];
  const clashing = { ...plan, id: dataPlans[0]?.id ?? 0 };
  await assert.rejects(
    clone.database.transaction((tx) => storeThings(tx, 'bill', [...demoPlans, clashing])),
    (error) => constraintName(error) === 'plans_id_key',
  );
  assert.deepEqual(await listThings(clone.database, 'data'), dataPlans);
});

test('the table refuses a plan without a price or limits, and an unknown kind of meter', async () => {
  await using clone = await createTestDatabase();
  await clone.database.transaction((tx) => storeThings(tx, 'bill', demoPlans));
  await clone.database.transaction((tx) => storeThings(tx, 'data', dataPlans));
  for (const [change, constraint] of [
    [`amount_type = 'any'`, 'plans_amount'],
    [`price = 100`, 'plans_amount'],
    [`min_amount = null`, 'plans_amount'],
    [`min_amount = 0`, 'plans_amount'],
    [`max_amount = min_amount - 1`, 'plans_amount'],
    [`amount_type = 'fixed'`, 'plans_amount'],
    [`meter_kind = null`, 'plans_meter_kind'],
    [`meter_kind = 'smart'`, 'plans_meter_kind'],
  ] as const) {
    await assert.rejects(
      clone.database.query(`update plans set ${change} where id = 2001`),
      (error) => constraintName(error) === constraint,
      change,
    );
  }
  for (const change of [
    `validity = null`,
    `amount_type = 'variable', price = null, min_amount = 1, max_amount = 2`,
  ]) {
    await assert.rejects(
      clone.database.query(`update plans set ${change} where id = 1001`),
      (error) => constraintName(error) === 'plans_data',
      change,
    );
  }
  await assert.rejects(
    clone.database.query(`update plans set meter_kind = 'prepaid' where product = 'CABLE'`),
    (error) => constraintName(error) === 'plans_meter_kind',
  );
});

test('the catalog lists and finds stored bills, and a reload reads changes', async () => {
  await using clone = await createTestDatabase();
  const catalog = await loadCatalog(clone.database);
  assert.deepEqual(catalog.listBillers('ELECTRICITY'), []);
  assert.deepEqual(catalog.listBillPlans('ELECTRICITY'), []);
  assert.equal(catalog.findBiller('ELECTRICITY', 'EKEDC'), undefined);
  assert.deepEqual(catalog.findBillPlan('ELECTRICITY', 'EKEDC', '2003'), { kind: 'unknown' });

  await clone.database.transaction(async (tx) => {
    await storeThings(tx, 'biller', demoBillers);
    await storeThings(tx, 'bill', demoPlans);
  });
  assert.deepEqual(catalog.listBillers('CABLE'), [], 'nothing changes before the reload');
  await catalog.reload();

  const electricity = demoPlans.filter((plan) => plan.product === 'ELECTRICITY');
  const [prepaid, postpaid] = electricity.filter((plan) => plan.network === 'EKEDC') as [BillPlan, BillPlan];
  assert.equal(catalog.findBiller('ELECTRICITY', 'excel')?.network, 'EKEDC');
  assert.equal(catalog.findBillNetwork('dstv'), 'DSTV');
  assert.deepEqual(
    catalog.listBillers('CABLE').map((biller) => biller.network),
    ['DSTV', 'GOTV', 'STARTIMES'],
  );
  assert.deepEqual(catalog.listBillPlans('ELECTRICITY'), electricity);
  assert.deepEqual(catalog.listBillPlans('ELECTRICITY', 'EKEDC'), [prepaid, postpaid]);
  assert.deepEqual(catalog.listBillPlans('CABLE', 'EKEDC'), []);
  assert.deepEqual(catalog.findBillPlan('ELECTRICITY', 'EKEDC', String(prepaid.id)), {
    kind: 'found',
    plan: prepaid,
  });
  assert.deepEqual(catalog.findBillPlanByService('ELECTRICITY', 'EKEDC', 'eko-electric-postpaid'), {
    kind: 'found',
    plan: postpaid,
  });
});

test('the catalog does not list the plans of a withdrawn biller', async () => {
  await using clone = await createTestDatabase();
  await clone.database.transaction(async (tx) => {
    await storeThings(
      tx,
      'biller',
      demoBillers.map((biller) => ({ ...biller, active: biller.network !== 'GOTV' })),
    );
    await storeThings(tx, 'bill', demoPlans);
  });
  const catalog = await loadCatalog(clone.database);
  assert.equal(catalog.findBiller('CABLE', 'GOTV'), undefined);
  assert.deepEqual(catalog.listBillPlans('CABLE', 'GOTV'), []);
  assert.ok(catalog.listBillPlans('CABLE').every((plan) => plan.network !== 'GOTV'));
  assert.ok(catalog.listBillPlans('CABLE').length > 0);
});

test('refuses ambiguous bills at the start, and keeps the catalog if a reload finds them', async () => {
  await using clone = await createTestDatabase();
  await clone.database.transaction(async (tx) => {
    await storeThings(tx, 'biller', demoBillers);
    await storeThings(tx, 'bill', demoPlans);
  });
  const catalog = await loadCatalog(clone.database);
  await clone.database.query(`update plans set tariff_type_id = '7' where id in (2003, 2004)`);
  await assert.rejects(catalog.reload(), {
    part: 'bill plans',
    clashes: [{ scope: 'EKEDC', code: '7', things: ['2003', '2004'] }],
  });
  await assert.rejects(loadCatalog(clone.database), AmbiguousCatalogError);
  assert.equal(catalog.findBillPlan('ELECTRICITY', 'EKEDC', '2003').kind, 'found');

  await clone.database.query(`update plans set tariff_type_id = null where id = 2004`);
  await clone.database.query(`update billers set aliases = '[{"name": "dstv"}]' where network = 'EKEDC'`);
  await assert.rejects(catalog.reload(), {
    part: 'billers',
    clashes: [{ scope: 'name', code: 'DSTV', things: ['EKEDC', 'DSTV'] }],
  });
  assert.equal(catalog.findBiller('ELECTRICITY', 'Excel')?.network, 'EKEDC');

  await clone.database.query(`update billers set aliases = '[]' where network = 'EKEDC'`);
  await catalog.reload();
  assert.equal(catalog.findBiller('ELECTRICITY', 'Excel'), undefined);
  assert.equal(catalog.findBillPlan('ELECTRICITY', 'EKEDC', '7').kind, 'found');
});

test('test credentials find bills at the sandbox', async () => {
  await using clone = await createTestDatabase();
  const routes = await clone.database.query(
    `select product, provider
     from routes
     where environment = 'test'
       and network = '*'
       and product in ('ELECTRICITY', 'CABLE', 'BETTING')
     order by product`,
  );
  assert.deepEqual(routes, [
    { product: 'BETTING', provider: 'sandbox' },
    { product: 'CABLE', provider: 'sandbox' },
    { product: 'ELECTRICITY', provider: 'sandbox' },
  ]);
});

/** Data plans in the database: stored, overwritten and listed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDemoCatalog } from '../../src/app/demo/read-demo-catalog.ts';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { listThings, storeThings } from '../../src/catalog/catalog-store.ts';
import { AmbiguousCatalogError } from '../../src/catalog/clash.ts';
import type { DataPlan } from '../../src/catalog/data-plan-index.ts';
import { createTestDatabase } from '../support/database.ts';

const { dataPlans: demoPlans } = await readDemoCatalog();

test('lists data plans as they were stored, in their order', async () => {
  await using clone = await createTestDatabase();
  await clone.database.transaction((tx) => storeThings(tx, 'data', demoPlans));
  assert.deepEqual(await listThings(clone.database, 'data'), demoPlans);
  await clone.database.transaction((tx) => storeThings(tx, 'data', demoPlans));
  assert.deepEqual(await listThings(clone.database, 'data'), demoPlans);
  await clone.database.transaction((tx) => storeThings(tx, 'data', demoPlans.toReversed()));
  assert.deepEqual(await listThings(clone.database, 'data'), demoPlans.toReversed());
});

test('storing data plans overwrites known ones, adds new ones and leaves the others', async () => {
  await using clone = await createTestDatabase();
  const [first, second, third] = demoPlans as [DataPlan, DataPlan, DataPlan];
  await clone.database.transaction((tx) => storeThings(tx, 'data', [first, second]));
  const dearer: DataPlan = {
    ...second,
    price: 9_007_199_254_740_993n,
    name: "Dearer 'plan' 🛒",
    active: false,
  };
  await clone.database.transaction((tx) => storeThings(tx, 'data', [third, dearer]));
  const stored = await listThings(clone.database, 'data');
  const byCode = new Map(stored.map((plan) => [plan.planCode, plan]));
  assert.equal(stored.length, 3);
  assert.deepEqual(byCode.get(first.planCode), first);
  assert.deepEqual(byCode.get(second.planCode), dearer);
  assert.deepEqual(byCode.get(third.planCode), third);
});

test('storing data plans leaves the plans of other products', async () => {
  await using clone = await createTestDatabase();
  await clone.database.query(
    `insert into plans (
       plan_code, id, product, network, name, description, price, tariff_type_id, validity, size, plan_group,
       short_code, position
     )
     values ('3001', 3001, 'CABLE', 'DSTV', 'Padi', 'Padi', 440000, '1', '1 month', '', '', 'DSTV-PADI', 1)`,
  );
  await clone.database.transaction((tx) => storeThings(tx, 'data', demoPlans));
  assert.equal((await listThings(clone.database, 'data')).length, demoPlans.length);
  const [cable] = await clone.database.query(`select active from plans where id = 3001`);
  assert.deepEqual(cable, { active: true });
});

test('the catalog lists and finds stored data plans, and a reload reads changes', async () => {
  await using clone = await createTestDatabase();
  const catalog = await loadCatalog(clone.database);
  assert.deepEqual(catalog.listDataPlans('GLO'), []);
  assert.deepEqual(catalog.findDataPlan('GLO', 'GLO-1'), { kind: 'unknown' });

  await clone.database.transaction((tx) => storeThings(tx, 'data', demoPlans));
  assert.deepEqual(catalog.listDataPlans('GLO'), [], 'nothing changes before the reload');
  await Promise.all([catalog.reload(), catalog.reload()]);
  const glo = demoPlans.filter((plan) => plan.network === 'GLO');
  assert.deepEqual(catalog.listDataPlans('GLO'), glo);
  assert.deepEqual(catalog.findDataPlan('GLO', 'glo-1'), { kind: 'found', plan: glo[0] });
});

test('refuses an ambiguous catalog at the start, and keeps the loaded one at a reload', async () => {
  await using clone = await createTestDatabase();
  await clone.database.transaction((tx) => storeThings(tx, 'data', demoPlans));
  const catalog = await loadCatalog(clone.database);
  await clone.database.query(`update plans set short_code = 'SAME' where plan_code in ('MTN-1', 'MTN-2')`);

  await assert.rejects(catalog.reload(), {
    part: 'data plans',
    clashes: ['code', 'MTN'].map((scope) => ({ scope, code: 'SAME', things: ['MTN-1', 'MTN-2'] })),
  });
  await assert.rejects(loadCatalog(clone.database), AmbiguousCatalogError);
  assert.equal(catalog.findDataPlan('MTN', 'MTN-1').kind, 'found');

  await clone.database.query(`update plans set short_code = plan_code || '-S' where short_code = 'SAME'`);
  await catalog.reload();
  assert.equal(catalog.findDataPlan('MTN', 'mtn-2-s').kind, 'found');
});

/** The demo's data plans: every kind for every network, and the codes that old clients send. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { demoFolder, readDemoCatalog } from '../../../src/app/demo/read-demo-catalog.ts';
import { findDataPlan, indexDataPlans } from '../../../src/catalog/data-plan-index.ts';
import { mobileNetworks } from '../../../src/core/products/network.ts';
import { billProducts } from '../../../src/core/products/product.ts';

const { dataPlans: plans } = await readDemoCatalog();

const vtpassServices = new Map([
  ['MTN', ['mtn-data']],
  ['GLO', ['glo-data', 'glo-sme-data']],
  ['AIRTEL', ['airtel-data']],
  ['9MOBILE', ['etisalat-data', '9mobile-sme-data']],
]);

test('there is every kind of plan for every network', () => {
  for (const network of mobileNetworks) {
    const own = plans.filter((plan) => plan.network === network && plan.active);
    assert.ok(own.length >= 15, `${network} has ${own.length} plans`);
    for (const group of ['Daily', 'Weekly', 'Monthly', '2-Month', '3-Month']) {
      assert.ok(
        own.some((plan) => plan.group === group),
        `${network} ${group}`,
      );
    }
    for (const kind of ['SME', 'Gifting']) {
      assert.ok(
        own.some((plan) => plan.name.includes(` ${kind} `)),
        `${network} ${kind}`,
      );
    }
    for (const plan of own) {
      assert.ok(
        vtpassServices.get(network)?.includes(plan.providerCodes.vtpass?.service_id ?? ''),
        plan.planCode,
      );
      assert.ok(plan.providerCodes.vtpass?.variation_code, plan.planCode);
      assert.ok(plan.id >= 1001 && plan.id <= 1999, `${plan.planCode} lies outside the ids of data plans`);
    }
  }
});

test('the plans show how a bare number is read on the first network', () => {
  const index = indexDataPlans(plans);
  const mtn = plans.filter((plan) => plan.network === 'MTN');
  const twoFaced = mtn.filter((plan) =>
    mtn.some((other) => other !== plan && other.id === Number(plan.tariffTypeId)),
  );
  assert.ok(twoFaced.length > 0, 'no tariff id equals another plan’s catalog id');
  for (const plan of twoFaced) {
    assert.deepEqual(findDataPlan(index, 'MTN', plan.tariffTypeId), { kind: 'found', plan });
  }
});

test('has only plans of its own network or product in each file', async () => {
  const read = async (name: string): Promise<Record<string, unknown>[]> =>
    JSON.parse(await readFile(join(demoFolder, name), 'utf8'));
  for (const network of mobileNetworks) {
    const records = await read(`data-plans/${network.toLowerCase()}.json`);
    assert.deepEqual([...new Set(records.map((record) => record.network))], [network]);
  }
  for (const product of billProducts) {
    const records = await read(`bill-plans/${product.toLowerCase()}.json`);
    assert.deepEqual([...new Set(records.map((record) => record.product))], [product]);
  }
});

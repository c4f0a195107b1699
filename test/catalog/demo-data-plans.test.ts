import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { indexDataPlans } from '../../src/catalog/data-plan-index.ts';
import { findDataPlan } from '../../src/catalog/find-data-plan.ts';
import { readDemoDataPlans } from '../../src/catalog/read-demo-data-plans.ts';
import { mobileNetworks } from '../../src/products/network.ts';

const vtpassServices = new Map([
  ['MTN', ['mtn-data']],
  ['GLO', ['glo-data', 'glo-sme-data']],
  ['AIRTEL', ['airtel-data']],
  ['9MOBILE', ['etisalat-data', '9mobile-sme-data']],
]);

test('the shipped catalog is valid and has every kind of plan for every network', async () => {
  const plans = await readDemoDataPlans();
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

test('the shipped catalog shows which way a bare number is read on the first network', async () => {
  const plans = await readDemoDataPlans();
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

function entry(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    plan_code: 'MTN-1',
    id: 1,
    network: 'MTN',
    name: 'MTN Gifting 1GB - 1 day',
    description: '1GB',
    price: '500.00',
    tarrifTypeId: '10',
    validity: '1 day',
    value: '1GB',
    group: 'Daily',
    shortCode: 'MTN-1GB-1D',
    active: true,
    provider_codes: { vtpass: { service_id: 'mtn-data', variation_code: 'mtn-1gb-500' } },
    ...over,
  };
}

async function readFiles(files: Record<string, unknown>): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-catalog-'));
  try {
    for (const name of ['mtn.json', 'glo.json', 'airtel.json', '9mobile.json']) {
      const content = name in files ? files[name] : [];
      if (content === undefined) continue;
      await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
    }
    return await readDemoDataPlans(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('a plan file is read into the words of the inside', async () => {
  assert.deepEqual(await readFiles({ 'mtn.json': [entry({ product_id: '77' })] }), [
    {
      planCode: 'MTN-1',
      id: 1,
      network: 'MTN',
      name: 'MTN Gifting 1GB - 1 day',
      description: '1GB',
      price: 50_000n,
      tariffTypeId: '10',
      legacyProductId: '77',
      validity: '1 day',
      size: '1GB',
      group: 'Daily',
      shortCode: 'MTN-1GB-1D',
      providerCodes: { vtpass: { service_id: 'mtn-data', variation_code: 'mtn-1gb-500' } },
      active: true,
    },
  ]);
});

test('every fault of every file is reported at once', async () => {
  const faulty = readFiles({
    'mtn.json': [
      entry({ price: '5e2' }),
      entry({ plan_code: 'GLO-1', network: 'GLO' }),
      entry({ id: '7', colour: 'red' }),
      'plan',
    ],
    'glo.json': '{',
    'airtel.json': {},
    '9mobile.json': undefined,
  });
  await assert.rejects(faulty, ({ message }: Error) => {
    for (const fault of [
      'mtn.json, plan 1: price is no amount above zero: 5e2',
      'mtn.json, plan 2: network is not MTN: GLO',
      'mtn.json, plan 2: plan_code is not MTN-<n>: GLO-1',
      'mtn.json, plan 3: id must be integer',
      'mtn.json, plan 3: colour is no field of it',
      'mtn.json, plan 4: must be object',
      'glo.json: ',
      'airtel.json: must be a list of plans',
      '9mobile.json: ENOENT',
    ]) {
      assert.ok(message.includes(`\n  ${fault}`), `${fault}\nis missing from\n${message}`);
    }
    return true;
  });
});

test('what two plans must not share is refused', async () => {
  const faulty = readFiles({
    'mtn.json': [entry(), entry({ plan_code: 'MTN-2', shortCode: 'mtn-1gb-1d' })],
    'glo.json': [
      entry({ plan_code: 'GLO-1', network: 'GLO', id: 1, active: false, provider_codes: {} }),
      entry({ plan_code: 'GLO-1', network: 'GLO', id: 2, active: false, provider_codes: {} }),
    ],
  });
  await assert.rejects(faulty, ({ message }: Error) => {
    for (const fault of [
      'id 1 is both MTN-1 and MTN-2',
      'id 1 is both MTN-1 and GLO-1',
      'plan_code GLO-1 is both GLO-1 and GLO-1',
      'vtpass plan mtn-1gb-500 mtn-data is both MTN-1 and MTN-2',
      'MTN mtn-1gb-1d is both MTN-1 and MTN-2',
      'MTN 10 is both MTN-1 and MTN-2',
    ]) {
      assert.ok(message.includes(`\n  ${fault}`), `${fault}\nis missing from\n${message}`);
    }
    return true;
  });
});

/** The codes that find a data plan: each network accepts its own kinds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DataPlan,
  findCodeClashes,
  findDataPlan,
  indexDataPlans,
} from '../../src/catalog/data-plan-index.ts';
import type { MobileNetwork } from '../../src/core/products/network.ts';

function plan(planCode: string, network: MobileNetwork, id: number, over: Partial<DataPlan> = {}): DataPlan {
  return {
    planCode,
    id,
    network,
    name: planCode,
    description: planCode,
    price: 10_000n,
    tariffTypeId: `t${id}`,
    legacyProductId: undefined,
    validity: '1 day',
    size: '1GB',
    group: 'Daily',
    planKind: 'direct',
    shortCode: `${planCode}-short`,
    providerCodes: {},
    active: true,
    ...over,
  };
}

// The first network's plan 1 has the tariff id that is plan 2's catalog id, and the other way
// round.
const plans = [
  plan('MTN-1', 'MTN', 1, { tariffTypeId: '2' }),
  plan('MTN-2', 'MTN', 2, { tariffTypeId: '1' }),
  plan('MTN-3', 'MTN', 3, { tariffTypeId: '33', legacyProductId: '330' }),
  plan('GLO-1', 'GLO', 11, { tariffTypeId: '21', legacyProductId: '12' }),
  plan('GLO-2', 'GLO', 13, { tariffTypeId: '22', legacyProductId: '33' }),
  plan('AIRTEL-1', 'AIRTEL', 31, { tariffTypeId: '33', legacyProductId: '310' }),
  plan('9MOBILE-1', '9MOBILE', 41, { tariffTypeId: '33', legacyProductId: '410' }),
  plan('9MOBILE-2', '9MOBILE', 42, { active: false, price: 20_000n }),
  plan('9MOBILE-3', '9MOBILE', 43, { price: 30_000n }),
  plan('9MOBILE-4', '9MOBILE', 44, { price: 30_000n }),
];
const index = indexDataPlans(plans);

function find(network: MobileNetwork, code: string, amount?: bigint): string {
  const match = findDataPlan(index, network, code, amount);
  return 'plan' in match ? `${match.kind} ${match.plan.planCode}` : match.kind;
}

test('accepts plan codes and short codes on every network, in any letter case', () => {
  assert.equal(find('MTN', 'MTN-1'), 'found MTN-1');
  assert.equal(find('GLO', 'glo-1'), 'found GLO-1');
  assert.equal(find('AIRTEL', 'Airtel-1-Short'), 'found AIRTEL-1');
  assert.equal(find('9MOBILE', '9mobile-1-SHORT'), 'found 9MOBILE-1');
});

test('reads a bare number on the first network as a tariff id, even if it is another plan’s catalog id', () => {
  assert.equal(find('MTN', '2'), 'found MTN-1');
  assert.equal(find('MTN', '1'), 'found MTN-2');
  assert.equal(find('MTN', '33'), 'found MTN-3');
});

test('accepts no catalog id and no product id on the first network', () => {
  assert.equal(find('MTN', '3'), 'unknown');
  assert.equal(find('MTN', '330'), 'unknown');
});

test('accepts a catalog id, a product id or a tariff id on the second', () => {
  assert.equal(find('GLO', '11'), 'found GLO-1');
  assert.equal(find('GLO', '12'), 'found GLO-1');
  assert.equal(find('GLO', '33'), 'found GLO-2');
  assert.equal(find('GLO', '21'), 'found GLO-1');
  assert.equal(find('GLO', '22'), 'found GLO-2');
  assert.equal(find('GLO', '23'), 'unknown');
});

test('accepts a catalog id or a tariff id on the third, but no product id', () => {
  assert.equal(find('AIRTEL', '31'), 'found AIRTEL-1');
  assert.equal(find('AIRTEL', '33'), 'found AIRTEL-1');
  assert.equal(find('AIRTEL', '310'), 'unknown');
});

test('accepts a catalog id on the fourth, but neither a tariff id nor a product id', () => {
  assert.equal(find('9MOBILE', '41'), 'found 9MOBILE-1');
  assert.equal(find('9MOBILE', '33'), 'unknown');
  assert.equal(find('9MOBILE', '410'), 'unknown');
});

test('a plan code, short code or catalog id of another network names that plan', () => {
  assert.equal(find('MTN', 'GLO-1'), 'other-network GLO-1');
  assert.equal(find('GLO', 'mtn-1-short'), 'other-network MTN-1');
  assert.equal(find('9MOBILE', '31'), 'other-network AIRTEL-1');
  // A catalog id of the first network is refused there, with the network that it belongs to.
  assert.equal(find('GLO', '3'), 'other-network MTN-3');
});

test('finds nothing by another network’s operator id, because the operators number independently', () => {
  assert.equal(find('MTN', '21'), 'unknown');
  assert.equal(find('9MOBILE', '12'), 'unknown');
});

test('a code that no plan has is unknown', () => {
  for (const code of [
    '',
    ' ',
    'MTN',
    'MTN-',
    'MTN-1 ',
    ' MTN-1',
    'MTN-01',
    '031',
    '31.0',
    '__proto__',
    'toString',
  ]) {
    assert.equal(find('MTN', code), 'unknown', JSON.stringify(code));
    assert.equal(find('AIRTEL', code), 'unknown', JSON.stringify(code));
  }
});

test('a withdrawn plan is neither found nor listed, and does not hide another', () => {
  assert.equal(find('9MOBILE', '9MOBILE-2'), 'unknown');
  assert.equal(find('9MOBILE', '42'), 'unknown');
  assert.deepEqual(
    index.listed.get('9MOBILE')?.map((listed) => listed.planCode),
    ['9MOBILE-1', '9MOBILE-3', '9MOBILE-4'],
  );
  const heir = plan('9MOBILE-5', '9MOBILE', 45, { shortCode: '9MOBILE-2-short' });
  assert.deepEqual(findCodeClashes([...plans, heir]), []);
});

test('plans are listed in catalog order', () => {
  assert.deepEqual(
    index.listed.get('MTN')?.map((listed) => listed.planCode),
    ['MTN-1', 'MTN-2', 'MTN-3'],
  );
});

test('refuses a code that means two plans of a network, and names every such code', () => {
  const clashing = [
    ...plans,
    plan('MTN-4', 'MTN', 4, { tariffTypeId: '33' }),
    plan('GLO-3', 'GLO', 14, { legacyProductId: '11' }),
    plan('AIRTEL-2', 'AIRTEL', 32, { shortCode: 'airtel-1' }),
  ];
  const named = [
    { scope: 'MTN', code: '33', things: ['MTN-3', 'MTN-4'] },
    { scope: 'GLO', code: '11', things: ['GLO-1', 'GLO-3'] },
    { scope: 'code', code: 'airtel-1', things: ['AIRTEL-1', 'AIRTEL-2'] },
    { scope: 'AIRTEL', code: 'airtel-1', things: ['AIRTEL-1', 'AIRTEL-2'] },
  ];
  assert.deepEqual(
    findCodeClashes(clashing).map(({ things, ...place }) => ({
      ...place,
      things: things.map(({ planCode }) => planCode),
    })),
    named,
  );
  assert.throws(() => indexDataPlans(clashing), { part: 'data plans', clashes: named });
});

test('one operator’s id on two networks is no conflict', () => {
  assert.deepEqual(findCodeClashes(plans), []);
});

test('lets the amount decide which plan a code means on the fourth network', () => {
  assert.equal(find('9MOBILE', '41', 10_000n), 'found 9MOBILE-1');
  assert.equal(find('9MOBILE', '41', 30_000n), 'found 9MOBILE-3');
  assert.equal(find('9MOBILE', '44', 30_000n), 'found 9MOBILE-4');
  assert.equal(find('9MOBILE', '41', 20_000n), 'no-such-amount');
  assert.equal(find('9MOBILE', '42', 10_000n), 'unknown');
  assert.equal(find('9MOBILE', '9MOBILE-1', 30_000n), 'found 9MOBILE-3');
  assert.equal(find('9MOBILE', '9mobile-4', 30_000n), 'found 9MOBILE-4');
  assert.equal(find('9MOBILE', '9mobile-1-short', 30_000n), 'found 9MOBILE-3');
  assert.equal(find('9MOBILE', '9MOBILE-1', 20_000n), 'no-such-amount');
  assert.equal(find('9MOBILE', '9MOBILE-2', 30_000n), 'unknown');
  // On the other networks the caller compares the price.
  assert.equal(find('GLO', '11', 30_000n), 'found GLO-1');
});

/** Bill plans are found by each of their ids, only on their own network and product. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BillPlan } from '../../src/catalog/bill-plan.ts';
import {
  findBillCodeClashes,
  findBillPlan,
  findBillPlanByService,
  indexBillPlans,
  networkKey,
} from '../../src/catalog/bill-plan-index.ts';
import {
  type Biller,
  findBiller,
  findBillNetwork,
  findNameClashes,
  indexBillers,
} from '../../src/catalog/biller-index.ts';
import type { BillProduct } from '../../src/core/products/product.ts';

function plan(id: number, product: BillProduct, network: string, over: Partial<BillPlan> = {}): BillPlan {
  return {
    amountType: 'variable',
    price: undefined,
    minAmount: 10_000n,
    maxAmount: 100_000n,
    id,
    product,
    network,
    name: `${network} ${id}`,
    meterKind: undefined,
    serviceId: `service-${id}`,
    tariffTypeId: `t${id}`,
    legacyProductId: `P${id}`,
    providerCodes: {},
    active: true,
    ...over,
  } as BillPlan;
}

const plans = [
  plan(2001, 'ELECTRICITY', 'Ikeja Electric', { tariffTypeId: '1' }),
  plan(2002, 'ELECTRICITY', 'Ikeja Electric', { tariffTypeId: '2' }),
  plan(2003, 'ELECTRICITY', 'EKEDC', { tariffTypeId: '1' }),
  plan(2004, 'ELECTRICITY', 'EKEDC', {
    tariffTypeId: undefined,
    legacyProductId: undefined,
    serviceId: undefined,
  }),
  // Its old id is the catalog id of another network's plan.
  plan(2101, 'CABLE', 'DSTV', { tariffTypeId: '2001' }),
  plan(2102, 'CABLE', 'DSTV', { active: false }),
];
const index = indexBillPlans(plans);

function find(product: BillProduct, network: string, code: string): string {
  const match = findBillPlan(index, product, network, code);
  return match.kind === 'unknown' ? 'unknown' : `${match.kind} ${match.plan.id}`;
}

function findByService(product: BillProduct, network: string, serviceId: string): string {
  const match = findBillPlanByService(index, product, network, serviceId);
  return match.kind === 'unknown' ? 'unknown' : `${match.kind} ${match.plan.id}`;
}

test('a bill plan is found by its catalog id, its old tariff id and its old product id', () => {
  assert.equal(find('ELECTRICITY', 'Ikeja Electric', '2002'), 'found 2002');
  assert.equal(find('ELECTRICITY', 'Ikeja Electric', '2'), 'found 2002');
  assert.equal(find('ELECTRICITY', 'Ikeja Electric', 'P2002'), 'found 2002');
  assert.equal(find('ELECTRICITY', 'Ikeja Electric', 'p2002'), 'found 2002');
  assert.equal(find('ELECTRICITY', 'EKEDC', '1'), 'found 2003');
  assert.equal(find('ELECTRICITY', 'EKEDC', '2004'), 'found 2004');
});

test('an old id is read by its own network', () => {
  assert.equal(find('CABLE', 'DSTV', '2001'), 'found 2101');
  assert.equal(find('ELECTRICITY', 'EKEDC', '2'), 'unknown');
  assert.equal(find('ELECTRICITY', 'EKEDC', 'P2002'), 'unknown');
});

test('a catalog id of another network or product names that plan', () => {
  assert.equal(find('ELECTRICITY', 'EKEDC', '2001'), 'other-network 2001');
  assert.equal(find('ELECTRICITY', 'Ikeja Electric', '2101'), 'other-product 2101');
  assert.equal(find('BETTING', 'BET9JA', '2003'), 'other-product 2003');
});

test('an id that no plan has is unknown, a service id among them', () => {
  for (const code of ['', ' ', '02001', '2001.0', ' 2001', '9999', 'service-2001', '__proto__', 'toString']) {
    assert.equal(find('ELECTRICITY', 'Ikeja Electric', code), 'unknown', JSON.stringify(code));
  }
});

test('finds a plan by its service id, in any letter case, and reports another network or product', () => {
  assert.equal(findByService('ELECTRICITY', 'Ikeja Electric', 'service-2001'), 'found 2001');
  assert.equal(findByService('ELECTRICITY', 'Ikeja Electric', 'Service-2001'), 'found 2001');
  assert.equal(findByService('ELECTRICITY', 'EKEDC', 'service-2001'), 'other-network 2001');
  assert.equal(findByService('CABLE', 'DSTV', 'service-2001'), 'other-product 2001');
  for (const serviceId of ['', 'P2002', 'service-2004', 'service-2102', 'toString']) {
    assert.equal(findByService('ELECTRICITY', 'EKEDC', serviceId), 'unknown', serviceId);
  }
});

test('every code of a plan is accepted as its service id', () => {
  for (const code of ['2002', '2', 'P2002']) {
    assert.equal(findByService('ELECTRICITY', 'Ikeja Electric', code), 'found 2002');
  }
  assert.equal(findByService('ELECTRICITY', 'EKEDC', '2001'), 'other-network 2001');
});

test('a withdrawn plan is neither found nor listed', () => {
  assert.equal(find('CABLE', 'DSTV', '2102'), 'unknown');
  assert.deepEqual(
    index.listed.get(networkKey('CABLE', 'DSTV'))?.map((listed) => listed.id),
    [2101],
  );
});

test('refuses a code that means two plans, and names every such code', () => {
  const clashing = [
    ...plans,
    plan(2005, 'ELECTRICITY', 'EKEDC', { tariffTypeId: '2003', serviceId: 'SERVICE-2101' }),
    plan(2101, 'BETTING', 'BET9JA', { serviceId: 'bet9ja' }),
  ];
  const named = [
    { scope: 'service', code: 'SERVICE-2101', things: ['2101', '2005'] },
    { scope: 'EKEDC', code: '2003', things: ['2003', '2005'] },
    { scope: 'id', code: '2101', things: ['2101', '2101'] },
  ];
  assert.deepEqual(
    findBillCodeClashes(clashing).map(({ things, ...place }) => ({
      ...place,
      things: things.map(({ id }) => String(id)),
    })),
    named,
  );
  assert.throws(() => indexBillPlans(clashing), { part: 'bill plans', clashes: named });
});

test('one old id on two networks is no conflict, nor is any on a withdrawn plan', () => {
  assert.deepEqual(findBillCodeClashes(plans), []);
  assert.deepEqual(findBillCodeClashes([...plans, plan(2001, 'CABLE', 'DSTV', { active: false })]), []);
});

function biller(product: BillProduct, network: string, aliases: string[] = [], active = true): Biller {
  return { product, network, name: `${network} Plc`, aliases: aliases.map((name) => ({ name })), active };
}

const billers = [
  biller('ELECTRICITY', 'Ikeja Electric', ['IKEDC', 'IE Energy Lagos']),
  biller('ELECTRICITY', 'EKEDC', ['Eko Electric', 'Excel']),
  biller('CABLE', 'DSTV'),
  biller('ELECTRICITY', 'ABEDC', ['Abia'], false),
];
const names = indexBillers(billers);

test('a biller is found by its network and its aliases, in any letter case', () => {
  for (const text of ['Ikeja Electric', 'ikeja electric', 'IKEDC', 'ikedc', 'ie energy lagos']) {
    assert.equal(findBiller(names, 'ELECTRICITY', text)?.network, 'Ikeja Electric', text);
    assert.equal(findBillNetwork(names, text), 'Ikeja Electric', text);
  }
  assert.equal(findBiller(names, 'ELECTRICITY', 'EXCEL')?.network, 'EKEDC');
});

test('does not find a biller of another product, a withdrawn one or any other word', () => {
  assert.equal(findBiller(names, 'CABLE', 'IKEDC'), undefined);
  assert.equal(findBiller(names, 'ELECTRICITY', 'DSTV'), undefined);
  for (const text of ['ABEDC', 'Abia', '', 'Ikeja', 'Ikeja  Electric', 'Ikeja Electric Plc', '__proto__']) {
    assert.equal(findBiller(names, 'ELECTRICITY', text), undefined, text);
  }
});

test('finds the network of a withdrawn biller, unless an active one has its name', () => {
  assert.equal(findBillNetwork(names, 'abedc'), 'ABEDC');
  assert.equal(findBillNetwork(names, 'abia'), 'ABEDC');
  for (const text of ['', 'Ikeja', 'Ikeja  Electric', 'ABEDC Plc', '__proto__']) {
    assert.equal(findBillNetwork(names, text), undefined, text);
  }
  const taken = [...billers, biller('ELECTRICITY', 'Aba Power', ['Abia'])];
  for (const order of [taken, taken.toReversed()]) {
    assert.equal(findBillNetwork(indexBillers(order), 'abia'), 'Aba Power');
  }
});

test('billers are listed by product, in catalog order, without the withdrawn', () => {
  assert.deepEqual(
    names.listed.get('ELECTRICITY')?.map((listed) => listed.network),
    ['Ikeja Electric', 'EKEDC'],
  );
  assert.deepEqual(names.listed.get('BETTING'), []);
});

test('refuses a name that means two billers, even of different products', () => {
  const clashing = [
    ...billers,
    biller('ELECTRICITY', 'Excel'),
    biller('BETTING', 'EKO', ['dstv', 'abia', 'Eko']),
  ];
  const named = [
    { scope: 'name', code: 'Excel', things: ['EKEDC', 'Excel'] },
    { scope: 'name', code: 'dstv', things: ['DSTV', 'EKO'] },
  ];
  assert.deepEqual(
    findNameClashes(clashing).map(({ things, ...place }) => ({
      ...place,
      things: things.map(({ network }) => network),
    })),
    named,
  );
  assert.throws(() => indexBillers(clashing), { part: 'billers', clashes: named });
});

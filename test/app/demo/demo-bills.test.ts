/** The demo's billers and bill plans: the networks of the interface, and the providers' codes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDemoCatalog } from '../../../src/app/demo/read-demo-catalog.ts';
import type { BillPlan } from '../../../src/catalog/bill-plan.ts';
import { checkBill } from '../../../src/core/products/check-bill.ts';
import { billProducts } from '../../../src/core/products/product.ts';

// The networks of the interface, and the service of each disco at VTpass. ABEDC has no service.
const discos = {
  'Ikeja Electric': 'ikeja-electric',
  EKEDC: 'eko-electric',
  AEDC: 'abuja-electric',
  IBEDC: 'ibadan-electric',
  EEDC: 'enugu-electric',
  KEDCO: 'kano-electric',
  JED: 'jos-electric',
  PHED: 'portharcourt-electric',
  BEDC: 'benin-electric',
  ABEDC: undefined,
  KAEDCO: 'kaduna-electric',
  YEDC: 'yola-electric',
  ABA: 'aba-electric',
};
const bookmakers = ['BET9JA', 'SPORTYBET', '1XBET', 'BETKING', 'BETWAY', 'NAIRABET', 'MERRYBET', 'BANGBET'];

const { billPlans: plans, billers, dataPlans } = await readDemoCatalog();

function plansOf(network: string): BillPlan[] {
  return plans.filter((plan) => plan.network === network && plan.active);
}

test('the shipped billers are the networks of the interface, in its order', () => {
  const networks = Object.fromEntries(
    billProducts.map((product) => [
      product,
      billers.filter((biller) => biller.product === product && biller.active).map((biller) => biller.network),
    ]),
  );
  assert.deepEqual(networks, {
    ELECTRICITY: Object.keys(discos),
    CABLE: ['DSTV', 'GOTV', 'STARTIMES'],
    BETTING: bookmakers,
    EDUCATION: ['WAEC', 'JAMB'],
  });
});

test('every disco has one prepaid and one postpaid plan, of any amount, under its providers’ codes', () => {
  for (const [network, service_id] of Object.entries(discos)) {
    const own = plansOf(network);
    assert.deepEqual(
      own.map((plan) => [plan.product, plan.amountType, plan.meterKind]),
      [
        ['ELECTRICITY', 'variable', 'prepaid'],
        ['ELECTRICITY', 'variable', 'postpaid'],
      ],
      network,
    );
    for (const { meterKind, providerCodes } of own) {
      assert.ok(meterKind);
      assert.deepEqual(
        providerCodes.vtpass,
        service_id && { service_id, variation_code: meterKind },
        network,
      );
      assert.equal(providerCodes.nomba?.meter_type, meterKind);
      assert.ok(providerCodes.nomba?.disco, network);
      assert.deepEqual(providerCodes.sandbox, { meter_type: meterKind });
    }
  }
});

test('every cable network has its bouquets at fixed prices and one plan of any amount', () => {
  for (const [network, count] of [
    ['DSTV', 8],
    ['GOTV', 6],
    ['STARTIMES', 6],
  ] as const) {
    const own = plansOf(network);
    const fixed = own.filter((plan) => plan.amountType === 'fixed');
    assert.ok(fixed.length >= count, `${network} has ${fixed.length} bouquets`);
    assert.equal(own.length - fixed.length, 1, network);
    for (const plan of own) {
      assert.deepEqual(plan.providerCodes.nomba, { cable_type: network.toLowerCase() });
      assert.deepEqual(plan.providerCodes.sandbox, { bouquet: plan.name });
    }
    for (const plan of fixed) {
      assert.equal(plan.providerCodes.vtpass?.service_id, network.toLowerCase(), plan.name);
      assert.ok(plan.providerCodes.vtpass?.variation_code, plan.name);
    }
    const prices = new Set(fixed.map((plan) => plan.price));
    assert.equal(prices.size, fixed.length, `${network}: Nomba chooses the bouquet by its price`);
  }
});

test('every bookmaker has one plan, of any amount from 100 naira', () => {
  for (const network of bookmakers) {
    const [plan, ...others] = plansOf(network);
    assert.ok(plan !== undefined && others.length === 0, network);
    assert.deepEqual([plan.product, plan.amountType, plan.minAmount], ['BETTING', 'variable', 10_000n]);
    assert.ok(plan.providerCodes.nomba?.betting_provider, network);
    assert.deepEqual(plan.providerCodes.sandbox, {});
  }
});

test('no id of a bill plan is the id of a data plan', () => {
  const dataIds = new Set(dataPlans.map((plan) => plan.id));
  for (const plan of plans) assert.ok(plan.id >= 2001 && !dataIds.has(plan.id), String(plan.id));
});

test('has whole naira limits for every plan of any amount', () => {
  for (const plan of plans) {
    for (const amount of [plan.minAmount, plan.maxAmount]) {
      if (amount === undefined) continue;
      const { product, network } = plan;
      const request = { product, network, recipient: '10000000001', phone: '08031234567', amount };
      assert.deepEqual(checkBill(request, plan), [], plan.name);
    }
  }
});

test('old clients’ ids exist for every plan that old clients had', () => {
  for (const plan of plans) {
    if (plan.product === 'EDUCATION') continue;
    assert.ok(plan.tariffTypeId && plan.legacyProductId && plan.serviceId, plan.name);
  }
});

test('sells no plan of a provider under two ids', () => {
  // At some providers two bill plans of a network differ only in the price.
  const sold = [
    ...plans.map((plan) => ({ scope: [plan.network, String(plan.price)], codes: plan.providerCodes })),
    ...dataPlans.map(({ providerCodes: codes }) => ({ scope: ['data'], codes })),
  ].flatMap(({ scope, codes }) =>
    Object.entries(codes).map(([provider, of]) =>
      [...scope, provider, ...Object.values(of).sort()].join(' '),
    ),
  );
  assert.ok(sold.length > 100);
  assert.deepEqual(
    sold.filter((name, at) => sold.indexOf(name) !== at),
    [],
  );
});

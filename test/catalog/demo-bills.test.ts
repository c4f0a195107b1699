import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { BillPlan } from '../../src/catalog/bill-plan.ts';
import { readDemoBillPlans } from '../../src/catalog/read-demo-bill-plans.ts';
import { readDemoBillers } from '../../src/catalog/read-demo-billers.ts';
import { readDemoDataPlans } from '../../src/catalog/read-demo-data-plans.ts';
import { judgeBill } from '../../src/products/judge-bill.ts';
import { billProducts } from '../../src/products/product.ts';

// The networks of the interface, and each disco's service at VTpass; ABEDC has none.
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

const plans = await readDemoBillPlans();
const billers = await readDemoBillers();

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
  });
});

test('a name that came with a new company says since when and who says so', () => {
  const dated = billers.flatMap((biller) => biller.aliases).filter((alias) => alias.since !== undefined);
  for (const name of ['Excel', 'IE Energy Lagos', 'MainPower', 'FirstPower']) {
    assert.ok(
      dated.some((alias) => alias.name === name),
      name,
    );
  }
  for (const alias of dated) assert.ok(alias.note && alias.source, alias.name);
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

test('bouquets have the prices that were published', () => {
  const published = {
    'DStv Padi': 4_400n,
    'DStv Yanga': 6_000n,
    'DStv Confam': 11_000n,
    'DStv Compact': 19_000n,
    'DStv Compact Plus': 30_000n,
    'DStv Premium': 44_500n,
    'GOtv Smallie': 1_900n,
    'GOtv Jinja': 3_900n,
    'GOtv Jolli': 5_800n,
    'GOtv Max': 8_500n,
    'GOtv Supa': 11_400n,
    'GOtv Supa Plus': 16_800n,
    'StarTimes Nova': 1_700n,
    'StarTimes Smart': 3_800n,
    'StarTimes Super': 7_500n,
  };
  for (const [name, naira] of Object.entries(published)) {
    assert.equal(plans.find((plan) => plan.name === name)?.price, naira * 100n, name);
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

test('no id of a bill plan is one of a data plan', async () => {
  const dataIds = new Set((await readDemoDataPlans()).map((plan) => plan.id));
  for (const plan of plans) assert.ok(plan.id >= 2001 && !dataIds.has(plan.id), String(plan.id));
});

test('every plan of any amount can be paid with whole naira at either limit', () => {
  for (const plan of plans) {
    for (const amount of [plan.minAmount, plan.maxAmount]) {
      if (amount === undefined) continue;
      const request = { product: plan.product, recipient: '10000000001', phone: '08031234567', amount };
      assert.deepEqual(judgeBill(request, plan), [], plan.name);
    }
  }
});

test('old clients’ ids are there for every plan', () => {
  for (const plan of plans) {
    assert.ok(plan.tariffTypeId && plan.legacyProductId && plan.serviceId, plan.name);
  }
});

const ikeja = { product: 'ELECTRICITY', network: 'Ikeja Electric', name: 'Ikeja', aliases: [], active: true };
const dstv = { product: 'CABLE', network: 'DSTV', name: 'DStv', aliases: [], active: true };

function meterPlan(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 2001,
    name: 'Ikeja Electric Prepaid',
    network: 'Ikeja Electric',
    product: 'ELECTRICITY',
    amount_type: 'variable',
    min_amount: '1000.00',
    max_amount: '50000.00',
    meter_kind: 'prepaid',
    active: true,
    provider_codes: { vtpass: { service_id: 'ikeja-electric', variation_code: 'prepaid' } },
    ...over,
  };
}

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

async function inFolder<T>(files: Record<string, unknown>, read: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-catalog-'));
  const shipped = { 'billers.json': [ikeja, dstv], ...empty, ...files };
  try {
    for (const [name, content] of Object.entries(shipped)) {
      if (content === undefined) continue;
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
    }
    return await read(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const empty = Object.fromEntries(
  ['electricity', 'cable', 'betting'].map((product) => [`bill-plans/${product}.json`, []]),
);

async function assertFaults(read: Promise<unknown>, faults: readonly string[]): Promise<void> {
  await assert.rejects(read, ({ message }: Error) => {
    for (const fault of faults) {
      assert.ok(message.includes(`\n  ${fault}`), `${fault}\nis missing from\n${message}`);
    }
    assert.equal(message.split('\n  ').length - 1, faults.length, `unexpected faults in\n${message}`);
    return true;
  });
}

test('a plan file is read into the words of the inside', async () => {
  const read = await inFolder(
    {
      'bill-plans/electricity.json': [
        meterPlan({ service_id: 'ikeja', tariff_type_id: '7', legacy_product_id: '70' }),
      ],
      'bill-plans/cable.json': [bouquet()],
    },
    readDemoBillPlans,
  );
  assert.deepEqual(read, [
    {
      id: 2001,
      product: 'ELECTRICITY',
      network: 'Ikeja Electric',
      name: 'Ikeja Electric Prepaid',
      amountType: 'variable',
      price: undefined,
      minAmount: 100_000n,
      maxAmount: 5_000_000n,
      meterKind: 'prepaid',
      serviceId: 'ikeja',
      tariffTypeId: '7',
      legacyProductId: '70',
      providerCodes: { vtpass: { service_id: 'ikeja-electric', variation_code: 'prepaid' } },
      active: true,
    },
    {
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
    },
  ]);
});

test('every fault of every plan file is reported at once, and those of the billers with them', async () => {
  const fixedRule = 'a fixed plan has a price above zero and nothing else of amounts';
  const variableRule = 'a variable plan has a min_amount above zero, a max_amount not below it and no price';
  const faulty = inFolder(
    {
      'billers.json': [ikeja, dstv, { ...dstv, product: 'PAY-TV', network: 'SHOWMAX' }],
      'bill-plans/electricity.json': [
        meterPlan({ network: 'DSTV', product: 'CABLE' }),
        meterPlan({ meter_kind: undefined, min_amount: '0.00' }),
        meterPlan({ max_amount: '999.99' }),
        meterPlan({ price: '1000.00' }),
        meterPlan({ id: 1001, colour: 'red' }),
        meterPlan({ amount_type: 'any' }),
      ],
      'bill-plans/cable.json': [
        bouquet({ price: undefined }),
        bouquet({ price: '4,400' }),
        bouquet({ min_amount: '1.00' }),
        bouquet({ meter_kind: 'prepaid' }),
        'plan',
      ],
      'bill-plans/betting.json': undefined,
    },
    async (folder) => {
      await assertFaults(readDemoBillPlans(folder), [
        'billers.json, biller 3: product is not one of ELECTRICITY, CABLE, BETTING: PAY-TV',
        'bill-plans/electricity.json, plan 1: product is not ELECTRICITY: CABLE',
        'bill-plans/electricity.json, plan 1: network is of no ELECTRICITY biller: DSTV',
        'bill-plans/electricity.json, plan 2: meter_kind must be there for electricity and for nothing else',
        `bill-plans/electricity.json, plan 2: ${variableRule}`,
        `bill-plans/electricity.json, plan 3: ${variableRule}`,
        `bill-plans/electricity.json, plan 4: ${variableRule}`,
        'bill-plans/electricity.json, plan 5: colour is no field of it',
        'bill-plans/electricity.json, plan 5: id must be >= 2001',
        'bill-plans/electricity.json, plan 6: amount_type must be one of fixed, variable',
        `bill-plans/cable.json, plan 1: ${fixedRule}`,
        `bill-plans/cable.json, plan 2: ${fixedRule}`,
        `bill-plans/cable.json, plan 3: ${fixedRule}`,
        'bill-plans/cable.json, plan 4: meter_kind must be there for electricity and for nothing else',
        'bill-plans/cable.json, plan 5: must be object',
        'bill-plans/betting.json: ENOENT',
      ]);
    },
  );
  await faulty;
});

test('what two plans must not share is refused', async () => {
  await inFolder(
    {
      'bill-plans/electricity.json': [
        meterPlan({ service_id: 'ikeja', tariff_type_id: '7' }),
        meterPlan({ id: 2002, service_id: 'IKEJA', legacy_product_id: '7' }),
      ],
      'bill-plans/cable.json': [
        bouquet({ id: 2001, active: false }),
        bouquet({ provider_codes: { nomba: { cable_type: 'dstv' } } }),
        bouquet({ id: 2102, provider_codes: { nomba: { cable_type: 'dstv' } } }),
        bouquet({ id: 2103, price: '4400.01', provider_codes: { nomba: { cable_type: 'dstv' } } }),
      ],
    },
    async (folder) => {
      await assertFaults(readDemoBillPlans(folder), [
        'vtpass plan Ikeja Electric ikeja-electric prepaid at any amount is both 2001 and 2002',
        'id 2001 is both 2001 and 2001',
        'nomba plan DSTV dstv at 4400.00 is both 2101 and 2102',
        'service IKEJA is both 2001 and 2002',
        'Ikeja Electric 7 is both 2001 and 2002',
      ]);
    },
  );
});

test('every fault of the billers is reported at once', async () => {
  await inFolder(
    {
      'billers.json': [
        { ...ikeja, aliases: [{ name: 'IKEDC', since: '2025-02-30' }] },
        { ...ikeja, network: 'Eko', aliases: [{ name: ' EKEDC', until: '2025-01-01' }] },
        { ...ikeja, product: 'data' },
        dstv,
        { ...dstv, active: false },
        { ...dstv, network: 'GOTV', aliases: [{ name: 'dstv', since: '2025-10-02' }] },
        { ...dstv, network: 'ShowMax', active: undefined },
      ],
    },
    async (folder) => {
      await assertFaults(readDemoBillers(folder), [
        'billers.json, biller 1: IKEDC has no day of the calendar: 2025-02-30',
        'billers.json, biller 2: aliases.0.until is no field of it',
        'billers.json, biller 2: aliases.0.name must match pattern',
        'billers.json, biller 3: product is not one of ELECTRICITY, CABLE, BETTING: data',
        'billers.json, biller 7: active is missing',
        'CABLE network DSTV is both DSTV and DSTV',
        'name dstv is both DSTV and GOTV',
      ]);
    },
  );
  await inFolder({ 'billers.json': '{' }, (folder) =>
    assert.rejects(readDemoBillers(folder), /faulty:\n {2}billers\.json: /),
  );
});

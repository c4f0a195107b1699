/**
 * Lists of providers that state kind, size, validity and cost: priced by rule, applied by a person
 * with `catalog.sync`, and automatically by a rule within its limits.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { storeThings } from '../../src/catalog/catalog-store.ts';
import type { DataPlan } from '../../src/catalog/data-plan-index.ts';
import { findPriceRule, type PriceRule, priceByRule } from '../../src/catalog/margins/price-rule.ts';
import { syncByRules } from '../../src/catalog/sync-by-rule.ts';
import { takeDueSyncRule } from '../../src/catalog/sync-rule-store.ts';
import { readPlanDays, readPlanKind, readPlanSize } from '../../src/core/products/plan-words.ts';
import type { Provider, ProviderPlan } from '../../src/providers/provider.ts';
import { startOperations } from '../backoffice/operations/harness.ts';

const op = await startOperations();
after(() => op[Symbol.asyncDispose]());
const { database } = op;

function plan(n: number, price: bigint): DataPlan {
  return {
    planCode: `MTN-90${n}`,
    id: 9_000 + n,
    network: 'MTN',
    name: `Plan ${n}`,
    description: `Plan ${n}`,
    price,
    tariffTypeId: `90${n}`,
    legacyProductId: undefined,
    validity: '30 days',
    size: '1GB',
    group: 'Monthly',
    planKind: 'sme',
    shortCode: `PLAN-${n}`,
    providerCodes: { vtpass: { service_id: 'acme-mtn', variation_code: `${n}` } },
    active: true,
  };
}

const listed = (code: string, cost: bigint, more: Partial<ProviderPlan> = {}): ProviderPlan => ({
  code,
  name: code,
  price: cost,
  fixed: true,
  cost,
  ...more,
});

let list: readonly ProviderPlan[] = [];
let gloList: readonly ProviderPlan[] | undefined;
const acme = {
  name: 'vtpass',
  environment: 'live',
  products: new Set(['data']),
  dataLists: new Map([
    ['acme-mtn', 'MTN'],
    ['acme-glo', 'GLO'],
  ]),
  listPlans: (id: string) => Promise.resolve(id === 'acme-glo' ? gloList : list),
} as unknown as Provider;
const providers = new Map([['vtpass', acme]]);
Reflect.set(op.services, 'openProviders', () =>
  Promise.resolve({ providers, [Symbol.asyncDispose]: async () => undefined }),
);

async function reset(...plans: readonly DataPlan[]): Promise<void> {
  gloList = undefined;
  await database.query("delete from plans where product = 'data'");
  await database.query('delete from known_costs');
  await database.query('delete from price_rules');
  await database.query('delete from sync_rules');
  await database.transaction((tx) => storeThings(tx, 'data', plans));
}

async function stored(): Promise<readonly unknown[]> {
  const rows = await database.query(
    "select price, kind, size, validity, active from plans where product = 'data' order by plan_code",
  );
  return rows.map(({ price, kind, size, validity, active }) => [price, kind, size, validity, active]);
}

async function costs(): Promise<readonly unknown[]> {
  const rows = await database.query('select plan_code, amount, cost from known_costs order by plan_code');
  return rows.map(({ plan_code: code, amount, cost }) => [code, amount, cost]);
}

const sync = (): Promise<void> => syncByRules({ database, providers, nameOf: (name) => name });

describe('a sync by a person', () => {
  it('shows and applies kind, size, validity and the price by rule, and stores the cost', async () => {
    await reset(plan(1, 250_00n));
    list = [listed('1', 240_00n, { kind: 'sme2', sizeMb: 2_000, days: 7 })];
    await op.ask('price_rule.set', { network: '*', percent: '0' });
    const rule = { network: 'mtn', kind: 'sme2', percent: '2.5', markup: '5', round_to: '10' };
    const set = await op.ask('price_rule.set', rule);
    assert.deepEqual(
      [set.network, set.kind, set.percent, set.markup, set.round_to],
      ['MTN', 'sme2', '2.5', '5.00', '10.00'],
    );
    const shown = await op.ask('catalog.sync', { provider: 'vtpass' });
    const fields = shown.changes[0].fields.map(({ field, after: next }: Record<string, unknown>) => [
      field,
      next,
    ]);
    assert.deepEqual(fields.toSorted(), [
      ['kind', 'sme2'],
      ['price', '260.00'],
      ['validity', '7 days'],
      ['value', '2GB'],
    ]);
    assert.deepEqual(await costs(), []);
    await op.ask('catalog.sync', { provider: 'vtpass', apply: true });
    assert.deepEqual(await stored(), [[260_00n, 'sme2', '2GB', '7 days', true]]);
    assert.deepEqual(await costs(), [['MTN-901', 260_00n, 240_00n]]);
    assert.equal((await op.ask('price_rule.list')).data.length, 2);
    await op.ask('price_rule.remove', { network: 'MTN', kind: 'sme2' });
    await op.refuses('price_rule.remove', { network: 'MTN', kind: 'sme2' }, 'no_such_rule');
    await op.refuses('price_rule.set', { ...rule, kind: 'vtu' }, 'input_malformed');
    await op.refuses('price_rule.set', { ...rule, network: 'DSTV' }, 'no_such_network');
    await op.refuses('price_rule.set', { ...rule, markup: '-1' }, 'input_malformed');
  });

  it('prices a plan by the highest cost of its providers, and not of others', async () => {
    const twice = { ...plan(1, 300_00n), providerCodes: { ...plan(1, 0n).providerCodes, nomba: {} } };
    await reset(twice, plan(2, 300_00n));
    await op.ask('price_rule.set', { network: '*', percent: '10' });
    list = [listed('1', 240_00n), listed('2', 240_00n)];
    await database.query(
      `insert into known_costs (environment, product, network, provider, plan_code, currency, amount, cost, at)
       values ('live', 'data', 'MTN', 'nomba', 'MTN-901', 'NGN', 30000, 25000, now()),
         ('live', 'data', 'MTN', 'nomba', 'MTN-902', 'NGN', 30000, 25000, now()),
         ('live', 'data', 'MTN', 'vtpass', 'MTN-901', 'NGN', 30000, 29000, now())`,
    );
    await op.ask('catalog.sync', { provider: 'vtpass', apply: true });
    const prices = (await stored()).map((row) => (row as readonly unknown[])[0]);
    assert.deepEqual(prices, [275_00n, 264_00n]);
  });

  it('keeps a size and a validity with the same meaning, and uses the listed price without a rule', async () => {
    await reset({ ...plan(1, 250_00n), size: '1024 MB', validity: '1 month' });
    list = [listed('1', 245_00n, { kind: 'sme', sizeMb: 1_000, days: 30 })];
    await op.ask('catalog.sync', { provider: 'vtpass', apply: true });
    assert.deepEqual(await stored(), [[245_00n, 'sme', '1024 MB', '1 month', true]]);
  });
});

describe('new plans of a list', () => {
  const facts = { kind: 'sme', sizeMb: 2_000, days: 30 } as const;
  const added = async (): Promise<readonly unknown[]> =>
    await database.query(
      `select plan_code, network, price, kind, size, validity, provider_codes
       from plans
       where product = 'data' and id > 100000
       order by plan_code`,
    );
  const codes = (variation: string, list = 'acme-mtn'): Record<string, unknown> => ({
    vtpass: { service_id: list, variation_code: variation },
  });

  it('are shown with size, validity, kind and cost, and added by a person only with add', async () => {
    await reset();
    list = [listed('7', 400_00n, facts), listed('8', 90_00n, { sizeMb: 500 }), listed('9', 0n, facts)];
    gloList = [listed('7', 300_00n, { name: 'SME 1GB 7 days', kind: 'sme' })];
    await op.ask('price_rule.set', { network: '*', percent: '5' });
    await op.refuses('catalog.sync', { provider: 'vtpass' }, 'provider_has_no_list');
    const shown = await op.ask('catalog.sync', { provider: 'vtpass', add: true });
    assert.equal(shown.notes.length, 1, 'two plans are incomplete');
    const { after: plan, cost } = shown.changes[0];
    assert.deepEqual(
      [plan.value, plan.validity, plan.kind, plan.price, plan.plan_code],
      ['2GB', '30 days', 'sme', '420.00', 'MTN-100001'],
    );
    assert.equal(cost, '400.00');
    assert.deepEqual(await added(), []);
    await op.ask('catalog.sync', { provider: 'vtpass', add: true, apply: true });
    assert.deepEqual(await added(), [
      {
        plan_code: 'GLO-100001',
        network: 'GLO',
        price: 315_00n,
        kind: 'sme',
        size: '1GB',
        validity: '7 days',
        provider_codes: codes('7', 'acme-glo'),
      },
      {
        plan_code: 'MTN-100001',
        network: 'MTN',
        price: 420_00n,
        kind: 'sme',
        size: '2GB',
        validity: '30 days',
        provider_codes: codes('7'),
      },
    ]);
    assert.deepEqual(await costs(), [
      ['GLO-100001', 315_00n, 300_00n],
      ['MTN-100001', 420_00n, 400_00n],
    ]);
    const again = await op.ask('catalog.sync', { provider: 'vtpass', add: true, apply: true });
    assert.deepEqual(again.changes, []);
  });

  it('does not add a withdrawn plan, and adds codes to a plan that another provider sells', async () => {
    const other = { ...plan(1, 450_00n), providerCodes: { nomba: { service_id: 'n' } }, size: '2GB' };
    await reset(other, { ...plan(2, 100_00n), active: false });
    list = [listed('2', 90_00n, facts), listed('7', 400_00n, facts)];
    await op.ask('catalog.sync', { provider: 'vtpass', add: true, apply: true });
    assert.deepEqual(await added(), []);
    const [row] = await database.query("select provider_codes, price from plans where plan_code = 'MTN-901'");
    assert.deepEqual(row, { provider_codes: { ...codes('7'), nomba: { service_id: 'n' } }, price: 450_00n });
  });

  it('does not merge plans when the kind is not listed, or two fit', async () => {
    const other = (n: number): DataPlan => ({ ...plan(n, 450_00n), providerCodes: {}, size: '2GB' });
    const { kind: _, ...unknownKind } = facts;
    await reset({ ...other(1), planKind: 'direct' });
    list = [listed('7', 400_00n, unknownKind)];
    assert.equal((await op.ask('catalog.sync', { provider: 'vtpass', add: true })).added, 1);
    await reset(other(1), other(2));
    list = [listed('7', 400_00n, facts)];
    assert.equal((await op.ask('catalog.sync', { provider: 'vtpass', add: true })).added, 1);
    await reset(other(1));
    list = [listed('7', 400_00n, facts), listed('8', 410_00n, facts)];
    assert.equal((await op.ask('catalog.sync', { provider: 'vtpass', add: true })).added, 2);
  });

  it('are added once if the list repeats them, and not if they have no fixed price', async () => {
    await reset();
    const open = listed('8', 100_00n, { ...facts, fixed: false });
    list = [listed('7', 400_00n, facts), listed('7', 410_00n, facts), open];
    const { added: count } = await op.ask('catalog.sync', { provider: 'vtpass', add: true });
    assert.equal(count, 1);
  });

  it('are added by rule within its number, and only at the price of a price rule', async () => {
    await reset();
    const [one, two] = [listed('7', 400_00n, facts), listed('8', 300_00n, { ...facts, sizeMb: 1_000 })];
    list = [one, two];
    const rule = { provider: 'vtpass', within: '5' };
    const result = async (fields: Record<string, unknown>): Promise<unknown[]> => {
      await op.ask('sync_rule.set', { ...rule, ...fields });
      await sync();
      const [stored] = (await op.ask('sync_rule.list')).data;
      return [stored.applied, stored.waiting, stored.refusal];
    };
    assert.deepEqual(await result({ adds_max: 2 }), [0, 2, null], 'no price rule');
    await op.ask('price_rule.set', { network: 'MTN', percent: '5', kind: 'sme' });
    assert.deepEqual(await result({}), [0, 0, 'provider_has_no_list'], 'adds none by default');
    assert.deepEqual(await result({ adds_max: 1 }), [0, 2, null], 'more than its number');
    assert.deepEqual([await added(), await costs()], [[], []]);
    list = [one, listed('9', 300_00n, { sizeMb: 1_000, days: 30 })];
    assert.deepEqual(await result({ adds_max: 1 }), [1, 1, null], 'a kind that is not listed waits');
    assert.deepEqual(await costs(), [['MTN-100001', 420_00n, 400_00n]]);
    await op.refuses('sync_rule.set', { ...rule, adds_max: -1 }, 'input_malformed');
    await op.refuses('sync_rule.set', { ...rule, adds_max: 1.5 }, 'input_malformed');
  });
});

describe('a sync by rule', () => {
  it('applies prices within its limit, and leaves every other change to a person', async () => {
    await reset(plan(1, 100_00n), plan(2, 100_00n), plan(3, 100_00n), plan(4, 100_00n), plan(5, 100_00n));
    list = [
      listed('1', 105_00n),
      listed('2', 105_01n),
      listed('3', 100_00n, { sizeMb: 500 }),
      listed('5', 95_00n),
      listed('6', 10_00n),
    ];
    await sync();
    assert.deepEqual(await costs(), [], 'no rule, no sync');
    await op.ask('sync_rule.set', { provider: 'vtpass', within: '5' });
    await sync();
    const same = ['sme', '1GB', '30 days', true];
    assert.deepEqual(await stored(), [
      [105_00n, ...same],
      [100_00n, ...same],
      [100_00n, ...same],
      [100_00n, ...same],
      [95_00n, ...same],
    ]);
    // The cost is known even if the price waits.
    assert.deepEqual(await costs(), [
      ['MTN-901', 105_00n, 105_00n],
      ['MTN-902', 100_00n, 105_01n],
      ['MTN-903', 100_00n, 100_00n],
      ['MTN-905', 95_00n, 95_00n],
    ]);
    const [rule] = (await op.ask('sync_rule.list')).data;
    assert.deepEqual([rule.applied, rule.waiting, rule.refusal], [2, 3, null]);
    list = list.filter(({ code }) => code !== '1');
    await sync();
    assert.equal((await op.ask('sync_rule.list')).data[0].waiting, 3, 'it is not due again');
  });

  it('applies no price below cost, and stores the costs', async () => {
    await reset(plan(1, 100_00n));
    await op.ask('merchant.create', { code: 'CHEAP', name: 'Cheap' });
    const route = { environment: 'live', product: 'data', network: 'MTN', kind: 'sme' };
    await op.ask('route.set', { ...route, providers: ['vtpass'] });
    const discount = { merchant: 'CHEAP', product: 'data', network: 'MTN', discount: '3' };
    await op.ask('merchant.set_discount', { ...discount, kind: 'sme' });
    await database.query(
      `insert into known_costs (environment, product, network, provider, plan_code, currency, amount, cost, at)
       values ('live', 'data', 'MTN', 'vtpass', 'MTN-901', 'NGN', 10000, 9000, now())`,
    );
    list = [listed('1', 98_00n)];
    await op.ask('sync_rule.set', { provider: 'vtpass', within: '5' });
    await sync();
    const [rule] = (await op.ask('sync_rule.list')).data;
    assert.deepEqual([rule.applied, rule.refusal], [0, 'sells_below_cost']);
    assert.deepEqual(await stored(), [[100_00n, 'sme', '1GB', '30 days', true]]);
    assert.deepEqual(await costs(), [['MTN-901', 98_00n, 98_00n]]);
    await op.ask('merchant.remove_discount', {
      merchant: 'CHEAP',
      product: 'data',
      network: 'MTN',
      kind: 'sme',
    });
  });

  it('reports why it applied nothing when the list is unreadable', async () => {
    await reset(plan(1, 100_00n));
    list = [];
    await op.ask('sync_rule.set', { provider: 'vtpass', within: '5' });
    await sync();
    assert.equal((await op.ask('sync_rule.list')).data[0].refusal, 'provider_says_nothing');
    await op.ask('sync_rule.remove', { provider: 'vtpass' });
    await op.refuses('sync_rule.remove', { provider: 'vtpass' }, 'no_such_rule');
    const set = { provider: 'vtpass', within: '20.01' };
    await op.refuses('sync_rule.set', set, 'input_malformed');
    await op.refuses('sync_rule.set', { ...set, within: '0' }, 'input_malformed');
    await op.refuses('sync_rule.set', { ...set, provider: 'unlisted', within: '0.01' }, 'no_such_provider');
  });
});

describe('a price by rule', () => {
  const amounts = fc.bigInt(0n, 10_000_000n);
  it('sets a price never below the cost, nor more than one rounding above cost and markup', () => {
    const rounding = fc.bigInt(1n, 10_000n);
    fc.assert(
      fc.property(
        amounts,
        fc.integer({ min: 0, max: 10_000 }),
        amounts,
        rounding,
        (cost, points, markup, roundTo) => {
          const price = priceByRule(cost, { markupBasisPoints: points, markup, roundTo });
          const exact = cost * 10_000n + cost * BigInt(points) + markup * 10_000n;
          assert.ok(price >= cost);
          assert.ok(price * 10_000n >= exact);
          assert.ok((price - roundTo) * 10_000n < exact + 10_000n);
          assert.equal(price % roundTo, 0n);
        },
      ),
    );
  });

  it('uses the most specific rule', () => {
    const rule = (network: string, kind: string): PriceRule => ({
      product: 'data',
      network,
      kind,
      markupBasisPoints: 0,
      markup: 0n,
      roundTo: 1n,
    });
    const rules = [rule('*', '*'), rule('*', 'sme'), rule('MTN', '*'), rule('MTN', 'sme')];
    const found = (network: string, kind: string, count = 4) => {
      const one = findPriceRule(rules.slice(0, count), { product: 'data', network, kind });
      return one && `${one.network}/${one.kind}`;
    };
    assert.equal(found('MTN', 'sme'), 'MTN/sme');
    assert.equal(found('MTN', 'sme', 3), 'MTN/*');
    assert.equal(found('GLO', 'sme'), '*/sme');
    assert.equal(found('GLO', 'gifting'), '*/*');
    assert.equal(found('GLO', 'gifting', 0), undefined);
  });
});

describe('the texts of a list', () => {
  it('reads kind, size and validity from the texts of a list', () => {
    const kinds = [
      'SME',
      'MTN SME2 1GB',
      'CORPORATE GIFTING',
      'corporate_gifting',
      'Gifting',
      'DATA SHARE',
      'CG',
    ];
    assert.deepEqual(kinds.map(readPlanKind), [
      'sme',
      'sme2',
      'corporate_gifting',
      'corporate_gifting',
      'gifting',
      'data_share',
      'corporate_gifting',
    ]);
    assert.deepEqual(
      ['1GB', '1.5 GB', '1024MB', '500MB - 7 days'].map(readPlanSize),
      [1_000, 1_500, 1_000, 500],
    );
    assert.deepEqual(
      ['30 days', '1 Month', '2weeks', 'Weekly plan, 7 Days', '1-day'].map(readPlanDays),
      [30, 30, 14, 7, 1],
    );
  });

  it('does not guess values that a text lacks', () => {
    assert.deepEqual(['SPECIAL', 'AWOOF', '', 'smesh'].map(readPlanKind), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(['1', 'GB', '0MB', ''].map(readPlanSize), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(['30', '', 'daylight', '0 days'].map(readPlanDays), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a sync that is cut off', () => {
  it('is due again soon, and a whole one after six hours', async () => {
    await reset();
    await database.query(
      `insert into sync_rules (provider, within_basis_points, adds_max, due_at)
       values ('vtpass', 1, 0, now())`,
    );
    const dueInMinutes = async (): Promise<number> => {
      const [row] = await database.query<{ minutes: number }>(
        'select round(extract(epoch from due_at - now()) / 60)::integer as minutes from sync_rules',
      );
      return row?.minutes ?? 0;
    };
    // Its process dies here.
    assert.equal((await takeDueSyncRule(database))?.provider, 'vtpass');
    assert.equal(await takeDueSyncRule(database), undefined, 'no other process claims it meanwhile');
    assert.equal(await dueInMinutes(), 15);
    await database.query('update sync_rules set due_at = now()');
    await sync();
    assert.equal(await dueInMinutes(), 360);
  });
});

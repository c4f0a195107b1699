/** Price lists as an interface runs them: versions, merchants, loss guards and previews. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { storeThings } from '../../../src/catalog/catalog-store.ts';
import type { DataPlan } from '../../../src/catalog/data-plan-index.ts';
import { accept, answer, openBuyer, purchase, resolveWords } from '../../purchases/fixture.ts';
import { type Operating, operatorOf, startOperations } from './harness.ts';

let op: Operating;

before(async () => {
  op = await startOperations();
  await op.database.transaction((tx) => storeThings(tx, 'data', [plan]));
  await op.ask('merchant.create', { code: 'SHOP', name: 'Shop' });
});
after(() => op[Symbol.asyncDispose]());

const plan: DataPlan = {
  planCode: 'MTN-901',
  id: 901,
  network: 'MTN',
  name: '1 GB',
  description: '1 GB',
  price: 1_000_00n,
  tariffTypeId: '1',
  legacyProductId: undefined,
  validity: '30 days',
  size: '1 GB',
  group: 'Monthly',
  planKind: 'sme',
  shortCode: 'MTN-1GB',
  providerCodes: { vtpass: { code: '1' } },
  active: true,
};

let created = 0;

async function createList(...versions: readonly string[]): Promise<string> {
  created += 1;
  const list = `list-${created}`;
  await op.ask('price_list.create', { list });
  for (const rules of versions) await op.ask('price_list.add_version', { list, rules });
  return list;
}

async function statesOf(list: string): Promise<readonly unknown[]> {
  const { versions } = await op.ask('price_list.show', { list });
  return versions.map((row: { version: number; state: string }) => [row.version, row.state]);
}

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

describe('the rules of a price list', () => {
  it('are typed as people type them, and shown without basis points', async () => {
    const list = await createList();
    const rules = [
      'product,network,kind,plan,price,off,margin,round',
      'airtime,etisalat,,,,2.5 %,,',
      'data,,sme,,,,3%,5',
      ',,,MTN-901,₦950,,,',
      '*,*,*,*,,0.25,,none',
    ].join('\n');
    const added = await op.ask('price_list.add_version', { list, rules }, operatorOf('finance'));
    const none = { price: null, off: null, margin: null, round: null };
    assert.deepEqual(added.rules, [
      { ...none, product: 'airtime', network: '9MOBILE', kind: '*', plan: '*', off: '2.5' },
      { ...none, product: 'data', network: '*', kind: 'sme', plan: '*', margin: '3', round: '5' },
      { ...none, product: 'data', network: 'MTN', kind: '*', plan: 'MTN-901', price: '950.00' },
      { ...none, product: '*', network: '*', kind: '*', plan: '*', off: '0.25' },
    ]);
    const shown = await op.ask('price_list.show', { list, version: 1 }, operatorOf('viewer'));
    assert.equal(shown.rules.length, 4);
  });

  it('are read from cells that were copied from a spreadsheet', async () => {
    const list = await createList('product\tnetwork\toff\nairtime\tMTN\t2\n');
    const { rules } = await op.ask('price_list.show', { list });
    assert.equal(rules[0].off, '2');
  });

  it('refuses malformed rules, and names the line of each', async () => {
    const list = await createList();
    const head = 'product,network,kind,plan,price,off,margin,round\n';
    for (const row of [
      'sms,MTN,,,,2,,',
      'GIFTCARD,,,,,2,,',
      'airtime,DSTV,,,,2,,',
      'airtime,MTN,sme,,,2,,',
      ',MTN,,,,2,,',
      ',,,MTN-902,900,,,',
      'airtime,,,MTN-901,900,,,',
      ',,,MTN-901,1000.01,,,',
      'airtime,MTN,,,900,,,',
      'airtime,MTN,,,,101,,',
      'airtime,MTN,,,,2.555,,',
      'airtime,MTN,,,,"2,5",,',
      'airtime,MTN,,,,-2,,',
      'airtime,MTN,,,,2,3,',
      'airtime,MTN,,,,,,',
      'airtime,MTN,,,,2,,7',
      'airtime,MTN,,,,2,,\nairtime,MTN,,,,3,,',
    ]) {
      await op.refuses('price_list.add_version', { list, rules: head + row }, 'price_rules_malformed');
    }
    for (const rules of [head, 'product,network,basis_points\nairtime,MTN,250', 'product,off\n"a']) {
      await op.refuses('price_list.add_version', { list, rules }, 'price_rules_malformed');
    }
  });
});

describe('a version', () => {
  const rules = 'product,network,off\nairtime,MTN,1';

  it('applies once it is started, and replaces the previous version', async () => {
    const list = await createList(rules, rules, rules);
    await op.ask('price_list.start', { list, version: 1 });
    await op.ask('price_list.start', { list, version: 3, from: tomorrow() });
    assert.deepEqual(await statesOf(list), [
      [3, 'planned'],
      [2, 'draft'],
      [1, 'holds'],
    ]);
    await op.ask('price_list.start', { list, version: 2 });
    assert.deepEqual(await statesOf(list), [
      [3, 'planned'],
      [2, 'holds'],
      [1, 'past'],
    ]);
  });

  it('is withdrawn until it begins, and never changed after', async () => {
    const list = await createList(rules, rules);
    await op.ask('price_list.start', { list, version: 1, from: tomorrow() });
    await op.refuses('price_list.start', { list, version: 1 }, 'price_version_planned');
    assert.equal((await op.ask('price_list.withdraw', { list, version: 1 })).changed, true);
    assert.equal((await op.ask('price_list.withdraw', { list, version: 1 })).changed, false);
    const soon = new Date(Date.now() + 30_000).toISOString();
    await op.ask('price_list.start', { list, version: 2, from: soon });
    await op.refuses('price_list.withdraw', { list, version: 2 }, 'price_version_begun');
    await op.ask('price_list.start', { list, version: 1 });
    await op.refuses('price_list.withdraw', { list, version: 1 }, 'price_version_begun');
    await op.refuses('price_list.start', { list, version: 1 }, 'price_version_begun');
    const of = 'where list = $1 and version = 1';
    for (const sql of [
      `update price_list_versions set holds_from = null ${of}`,
      `delete from price_list_versions ${of}`,
      `update price_list_rules set off = 9 ${of}`,
      `delete from price_list_rules ${of}`,
    ]) {
      await assert.rejects(op.database.query(sql, [list]), sql);
    }
  });

  it('begins at a separate time in the future', async () => {
    const list = await createList(rules, rules);
    const from = tomorrow();
    const past = new Date(Date.now() - 60_000).toISOString();
    await op.refuses('price_list.start', { list, version: 1, from: past }, 'begin_passed');
    await op.ask('price_list.start', { list, version: 1, from });
    await op.refuses('price_list.start', { list, version: 2, from }, 'begin_passed');
    await op.refuses('price_list.start', { list, version: 3 }, 'no_price_version');
  });
});

describe('the merchants of a price list', () => {
  it('pay by it instead of their own discounts, which apply again afterwards', async () => {
    const list = await createList('product,network,off\nairtime,MTN,3');
    const merchants = ['SHOP'];
    const discount = { merchant: 'SHOP', product: 'airtime', network: 'MTN', discount: '1' };
    await op.ask('merchant.set_discount', discount);
    await op.ask('price_list.start', { list, version: 1, force: true });
    const mtn = async () =>
      (await op.ask('price.list', { merchant: 'SHOP', product: 'airtime' })).data[0].discount;
    assert.equal(await mtn(), '1');
    assert.deepEqual((await op.ask('price_list.assign', { list, merchants, force: true })).changed, ['SHOP']);
    assert.deepEqual((await op.ask('price_list.assign', { list, merchants })).changed, []);
    assert.equal(await mtn(), '3');
    assert.equal((await op.ask('merchant.show', { merchant: 'SHOP' })).price_list, list);
    await op.refuses('merchant.set_discount', discount, 'merchant_has_price_list');
    await op.refuses('price_list.archive', { list }, 'price_list_used');
    await op.ask('price_list.remove_merchants', { merchants });
    assert.equal(await mtn(), '1');
    await op.ask('price_list.archive', { list });
    await op.refuses('price_list.assign', { list, merchants }, 'price_list_archived');
    const lists = async (archived: boolean) =>
      (await op.ask('price_list.list', { archived, limit: 200 })).data.map(
        (row: { list: string }) => row.list,
      );
    assert.deepEqual(
      [(await lists(false)).includes(list), (await lists(true)).includes(list)],
      [false, true],
    );
    await op.ask('merchant.set_discount', { ...discount, discount: '0' });
  });

  it('are never of a list that is no list, or the own list of a merchant', async () => {
    const merchants = ['SHOP'];
    for (const list of ['nothing', 'own:SHOP']) {
      await op.refuses('price_list.assign', { list, merchants }, 'no_price_list');
    }
    const list = await createList();
    await op.refuses('price_list.create', { list }, 'price_list_exists');
    await op.refuses('price_list.create', { list: 'Gold List' }, 'input_malformed');
    await op.refuses('price_list.assign', { list, merchants: ['NOBODY'] }, 'no_merchant');
  });
});

describe('prices below cost', () => {
  it('are refused at the start and at the assignment of a merchant, and can be forced', async () => {
    await op.ask('route.set', { environment: 'live', product: 'data', network: '*', providers: ['vtpass'] });
    await op.database.query(
      `insert into known_costs (environment, product, network, provider, plan_code, currency, amount, cost, at)
       values ('live', 'data', 'MTN', 'vtpass', 'MTN-901', 'NGN', 100000, 96000, now())`,
    );
    const list = await createList(
      'plan,price\nMTN-901,959',
      'product,margin\ndata,0',
      'plan,price\nMTN-901,960',
      'plan,price\nMTN-901,700',
    );
    await op.refuses('price_list.start', { list, version: 1 }, 'sells_below_cost');
    assert.equal((await op.ask('price_list.start', { list, version: 2 })).forced, false);
    assert.equal((await op.ask('price_list.start', { list, version: 3 })).forced, false);
    await op.database.query('update known_costs set cost = 97000');
    await op.ask('price_list.start', { list: await createList('product,margin\ndata,1'), version: 1 });
    await op.refuses('price_list.assign', { list, merchants: ['SHOP'] }, 'sells_below_cost');
    await op.database.query('delete from known_costs');
    await op.refuses('price_list.start', { list, version: 4 }, 'discount_change_large');
  });
});

describe('a preview', () => {
  it('compares a version with the present one, against today’s costs', async () => {
    await op.database.query(
      `insert into known_costs (environment, product, network, provider, plan_code, currency, amount, cost, at)
       values ('live', 'data', 'MTN', 'vtpass', 'MTN-901', 'NGN', 100000, 90000, now())`,
    );
    const list = await createList(
      'product,off\ndata,2 %',
      'product,margin,round\ndata,5 %,10',
      'plan,price\nMTN-901,899',
    );
    await op.ask('price_list.start', { list, version: 1 });
    const row = async (version: number) =>
      (await op.ask('price_list.preview', { list, version })).data.find(
        (one: { plan_code: string }) => one.plan_code === 'MTN-901',
      );
    assert.deepEqual(await row(2), {
      product: 'data',
      network: 'MTN',
      kind: 'sme',
      plan_code: 'MTN-901',
      face_value: '1000.00',
      charge_now: '980.00',
      charge: '950.00',
      cost: '900.00',
      margin_now: '80.00',
      margin: '50.00',
      margin_percent: 5.2,
      loses: false,
    });
    const losing = await row(3);
    assert.deepEqual([losing.charge, losing.margin, losing.loses], ['899.00', '-1.00', true]);
    await op.refuses('price_list.preview', { list, version: 4 }, 'no_price_version');
  });

  it('states what the merchants would have paid for their live sales, and marks losses', async () => {
    const buyer = await openBuyer(op.database, 1_000_000n);
    for (const kobo of [100_00n, 100_00n, 200_00n]) {
      const item = purchase(buyer, kobo);
      await accept(op.database, item);
      await resolveWords(op.database, answer(buyer, item, 'success'));
    }
    const list = await createList('product,off\nairtime,1 %', 'product,off\nairtime,50 %');
    await op.database.query('update merchants set price_list = $1 where id = $2', [list, buyer.merchantId]);
    const rows = async (version: number) =>
      (await op.ask('price_list.preview_sales', { list, version })).data;
    const [gain, ...others] = await rows(1);
    assert.deepEqual(others, []);
    assert.deepEqual([gain.product, gain.network, gain.kind, gain.purchases], ['airtime', 'MTN', 'vtu', 3]);
    const [sold] = await op.database.query<{ face: bigint; paid: bigint; cost: bigint }>(
      `select sum(v.face_value)::bigint as face, sum(v.charge)::bigint as paid, sum(o.cost)::bigint as cost
       from purchases v join purchase_outcomes o on o.purchase_id = v.id
       where v.merchant_id = $1`,
      [buyer.merchantId],
    );
    assert.ok(sold);
    const kobo = (text: string) => BigInt(text.replace('.', ''));
    assert.deepEqual(
      [kobo(gain.face_value), kobo(gain.paid), kobo(gain.cost)],
      [sold.face, sold.paid, sold.cost],
    );
    assert.equal(kobo(gain.would_pay), (sold.face * 99n) / 100n);
    assert.equal(kobo(gain.would_earn), kobo(gain.would_pay) - sold.cost);
    const [loss] = await rows(2);
    assert.deepEqual([kobo(loss.would_pay) * 2n, loss.loses], [sold.face, true]);
  });
});

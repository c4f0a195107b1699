/** Routes, exchange rates, the catalog, keys and alarms, as every interface runs them. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Operator } from '../../../src/backoffice/operations/run-operation.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { refusedAct } from '../../support/refusals.ts';
import { operatorOf, startOperations } from './harness.ts';

const op = await startOperations();
after(() => op[Symbol.asyncDispose]());

/** All rows of a list, read in pages of two. */
async function allOf(list: string, input: object = {}): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: Record<string, unknown>[]; cursor: string | null } = await op.ask(list, {
      ...input,
      limit: 2,
      cursor,
    });
    assert.ok(page.data.length <= 2);
    rows.push(...page.data);
    cursor = page.cursor;
  } while (cursor !== null);
  return rows;
}

const mtn = { environment: 'live', product: 'airtime', network: 'etisalat' };

describe('routes', () => {
  it('sets routes once, lists them page by page in their order, and removes them', async () => {
    await op.entries();
    const set = await op.ask('route.set', { ...mtn, providers: ['vtpass', 'nomba'] });
    assert.deepEqual(
      [set.network, set.providers, set.providers_before],
      ['9MOBILE', ['vtpass', 'nomba'], []],
    );
    await op.ask('route.set', { ...mtn, providers: ['vtpass', 'nomba'] });
    const all = await allOf('route.list');
    assert.deepEqual(all, (await op.ask('route.list', { limit: 200 })).data);
    const line = { ...mtn, network: '9MOBILE', kind: '*', providers: ['vtpass', 'nomba'], shares: {} };
    assert.deepEqual(all[0], { ...line, strategy: 'order', version: all[0]?.version });
    assert.ok(all.length > 5);
    assert.deepEqual((await op.ask('route.list', { cursor: 'test/data/~%zz/*' })).data, []);
    const removed = await op.ask('route.remove', mtn);
    assert.deepEqual([removed.providers, removed.providers_before], [[], ['vtpass', 'nomba']]);
    // An operation without a change leaves no entry.
    await op.ask('route.remove', mtn);
    const subject = 'route:live:airtime:9MOBILE';
    assert.deepEqual(await op.entries(), [
      ['ada', 'route.set', subject],
      ['ada', 'route.remove', subject],
    ]);
  });

  it('refuses a change of a route that changed since it was read, and accepts one with the current version', async () => {
    const both = { ...mtn, providers: ['vtpass', 'nomba'] };
    await op.ask('route.set', both);
    const read = async () =>
      (await allOf('route.list')).find(({ network }) => network === '9MOBILE')?.version;
    const version = await read();
    const share = { vtpass: 70, nomba: 30 };
    await op.ask('route.set', { ...both, share, version });
    for (const preview of [true, false]) {
      await op.refuses('route.set', { ...mtn, providers: ['nomba'], version, preview }, 'route_changed');
    }
    await op.ask('route.set', { ...mtn, providers: ['nomba'], version: await read() });
    const { version: last } = { version: await read() };
    await op.ask('route.remove', mtn);
    await op.refuses('route.set', { ...both, version: last }, 'route_changed');
    await op.entries();
  });

  it('sets routes for a kind in addition to those for every kind, and refuses a kind of another product', async () => {
    const sme = { environment: 'live', product: 'data', network: 'MTN', kind: 'sme' };
    const before = (await op.ask('route.list', { limit: 200 })).data;
    const set = await op.ask('route.set', { ...sme, providers: ['vtpass'] });
    assert.deepEqual([set.kind, set.providers_before], ['sme', []]);
    const listed = await allOf('route.list');
    assert.equal(listed.length, before.length + 1);
    assert.ok(listed.some(({ network, kind }) => network === 'MTN' && kind === 'sme'));
    await op.refuses('route.set', { ...sme, kind: 'vtu', providers: ['vtpass'] }, 'no_such_kind');
    await op.refuses('route.set', { ...sme, kind: 'fast', providers: ['vtpass'] }, 'input_malformed');
    await op.ask('route.remove', sme);
    assert.deepEqual((await op.ask('route.list', { limit: 200 })).data, before);
    await op.entries();
  });

  it('names providers that are not configured or do not sell the product', async () => {
    const { openProviders } = op.services;
    const setUp = (...names: string[]) =>
      Reflect.set(op.services, 'openProviders', () =>
        Promise.resolve({
          providers: new Map(names.map((name) => [name, {}])),
          [Symbol.asyncDispose]: () => Promise.resolve(),
        }),
      );
    try {
      setUp('vtpass', 'nomba');
      const whole = await op.ask('route.set', { ...mtn, providers: ['vtpass', 'nomba'] });
      assert.deepEqual(whole.cannot_serve, []);
      setUp('nomba');
      const lacking = await op.ask('route.set', { ...mtn, providers: ['nomba', 'vtpass'] });
      assert.deepEqual(lacking.cannot_serve, [{ provider: 'vtpass', why: 'not_set_up' }]);
      const shared = { environment: 'live', product: 'airtime', network: 'MTN', kind: 'share_and_sell' };
      const kind = await op.ask('route.set', { ...shared, providers: ['nomba'] });
      assert.deepEqual(kind.cannot_serve, [{ provider: 'nomba', why: 'kind_not_sold' }]);
      const usual = await op.ask('route.set', { ...shared, kind: 'vtu', providers: ['nomba'] });
      assert.deepEqual(usual.cannot_serve, []);
      await op.ask('route.remove', shared);
      await op.ask('route.remove', { ...shared, kind: 'vtu' });
      const cards = { environment: 'live', product: 'GIFTCARD', network: '*' };
      const other = await op.ask('route.set', { ...cards, providers: ['nomba'] });
      assert.deepEqual(other.cannot_serve, [{ provider: 'nomba', why: 'product_not_sold' }]);
      assert.deepEqual((await op.ask('route.remove', mtn)).cannot_serve, []);
      await op.ask('route.remove', cards);
    } finally {
      Reflect.set(op.services, 'openProviders', openProviders);
      await op.entries();
    }
  });

  it('sets a strategy: in order, by shares, or by a choice', async () => {
    const two = { ...mtn, providers: ['vtpass', 'nomba'] };
    const share = { vtpass: 70, nomba: 30 };
    const strategies = [];
    const none = { strategy: 'balanced', share: {} };
    for (const input of [{}, { share }, { strategy: 'shares', share }, none, {}]) {
      const set = await op.ask('route.set', { ...two, ...input });
      const [listed] = (await op.ask('route.list', { limit: 1 })).data;
      assert.equal(listed.strategy, set.strategy);
      strategies.push(set.strategy);
    }
    assert.deepEqual(strategies, ['order', 'shares', 'shares', 'balanced', 'order']);
    await op.refuses('route.set', { ...two, strategy: 'shares' }, 'strategy_of_shares');
    await op.refuses('route.set', { ...two, strategy: 'cheapest', share }, 'strategy_of_shares');
    await op.refuses('route.set', { ...two, strategy: 'dearest' }, 'input_malformed');
    await op.ask('route.set', { ...two, strategy: 'cheapest' });
    const listed = (await op.ask('provider.list', { limit: 200 })).data.find(
      ({ provider }: { provider: string }) => provider === 'nomba',
    );
    assert.ok(
      listed.routes.some(
        (one: Record<string, unknown>) =>
          one.network === '9MOBILE' && one.kind === '*' && one.strategy === 'cheapest',
      ),
    );
    await op.ask('route.remove', mtn);
    await op.entries();
  });

  it('refuses routes without the role, and routes with unknown names', async () => {
    const route = { ...mtn, providers: ['vtpass'] };
    for (const role of ['viewer', 'support', 'finance'] as const) {
      await op.refuses('route.set', route, 'role_lacking', operatorOf(role));
      await op.refuses('route.remove', mtn, 'role_lacking', operatorOf(role));
    }
    await op.refuses('route.set', { ...route, network: 'DSTV' }, 'no_such_network');
    await op.refuses('route.set', { ...route, providers: ['nobody'] }, 'no_such_provider');
    await op.refuses('route.set', { ...route, providers: [] }, 'input_malformed');
    await op.refuses('route.set', { ...route, product: 'sms' }, 'input_malformed');
    await op.refuses('route.list', { cursor: 'nowhere' }, 'input_malformed');
    await op.refuses('route.list', { cursor: 'live/airtime/%00/*' }, 'no_such_cursor');
  });
});

describe('exchange rates', () => {
  it('sets rates by finance, keeps the margin, and keeps every rate', async () => {
    const finance = operatorOf('finance');
    await op.entries();
    const first = await op.ask('fx.set', { currency: 'USD', rate: '1500', margin: '3.5' }, finance);
    assert.deepEqual([first.changed, first.before, first.margin], [true, null, '3.5']);
    for (const rate of ['1510', '1520', '1530']) await op.ask('fx.set', { currency: 'USD', rate }, finance);
    await op.ask('fx.set', { currency: 'EUR', rate: '1700.123456' }, finance);
    assert.equal((await op.ask('fx.set', { currency: 'EUR', rate: '1700.123456' })).changed, false);
    const history = await allOf('fx.list', { history: true });
    assert.deepEqual(
      history.map(({ rate }) => rate),
      ['1700.123456', '1530.00', '1520.00', '1510.00', '1500.00'],
    );
    assert.deepEqual(
      (await allOf('fx.list')).map(({ currency, margin }) => [currency, margin]),
      [
        ['EUR', '0'],
        ['USD', '3.5'],
      ],
    );
    assert.equal((await op.ask('fx.list', { currency: 'USD' })).data.length, 1);
    assert.equal((await op.entries()).length, 5);
  });

  it('refuses invalid rates, large moves, and callers without the role', async () => {
    for (const wrong of [{ rate: '0' }, { rate: '1e3' }, { rate: '1', margin: '100.01' }, { rate: '-1' }]) {
      await op.refuses('fx.set', { currency: 'USD', ...wrong }, 'input_malformed');
    }
    await op.refuses('fx.set', { currency: 'NGN', rate: '1' }, 'input_malformed');
    await op.refuses('fx.set', { currency: 'USD', rate: '15.30' }, 'rate_change_large');
    const rate = { currency: 'USD', rate: '1531' };
    await op.refuses('fx.set', rate, 'role_lacking', operatorOf('support'));
    await op.refuses('fx.list', { cursor: '999999' }, 'no_such_cursor');
  });
});

const card = (id: number, value: string) => ({
  product: 'GIFTCARD',
  plan_id: id,
  title: `Acme ${value}`,
  brand: 'Acme',
  region: 'US',
  ui_category: 'Shopping',
  currency: 'USD',
  face_value: value,
  provider_codes: { reloadly: { product_id: '77' } },
});
const file = (...cards: readonly object[]): string => JSON.stringify(cards);

describe('the catalog', () => {
  it('compares the catalog with a file, imports it, exports it, and keeps every change', async () => {
    const content = file(card(1, '10.00'), card(2, '25.00'), card(3, '50.00'));
    await op.entries();
    const shown = await op.ask('catalog.import', { content, source: 'cards.json' });
    assert.deepEqual([shown.added, shown.applied, shown.refused], [3, false, false]);
    const done = await op.ask('catalog.import', { content, source: 'cards.json', apply: true });
    assert.deepEqual([done.added, done.applied], [3, true]);
    const dearer = file(card(1, '13.00'));
    const refused = await op.ask('catalog.import', { content: dearer, apply: true });
    assert.deepEqual([refused.applied, refused.refused, refused.missing.length], [false, true, 2]);
    assert.equal((await op.ask('catalog.import', { content: dearer, apply: true, force: true })).changed, 1);
    assert.deepEqual(await op.entries(), [
      ['ada', 'catalog.change', 'catalog:cards.json'],
      ['ada', 'catalog.change', 'catalog:import'],
    ]);
    for (const format of ['csv', 'json']) {
      const given = await op.ask('catalog.export', { product: 'GIFTCARD', format });
      assert.equal(given.records, 3);
      assert.deepEqual((await op.ask('catalog.import', { content: given.content })).changes, []);
    }
    const history = await allOf('catalog.history');
    assert.deepEqual(
      history.map(({ subject, source }) => [subject, source]),
      [
        ['1', 'import'],
        ['3', 'cards.json'],
        ['2', 'cards.json'],
        ['1', 'cards.json'],
      ],
    );
    assert.equal((await op.ask('catalog.history', { subject: '1' })).data.length, 2);
  });

  it('refuses a faulty file, and callers without the role', async () => {
    const content = file(card(1, '0'));
    await op.refuses('catalog.import', { content, apply: true }, 'catalog_at_fault');
    await op.refuses('catalog.import', { content: '[{', apply: true }, 'catalog_unreadable');
    await op.refuses('catalog.import', { content: '', apply: true }, 'input_malformed');
    const right = { content: file(card(9, '1.00')), apply: true };
    await op.refuses('catalog.import', right, 'role_lacking', operatorOf('support'));
    await op.refuses('catalog.export', { product: 'airtime' }, 'input_malformed');
    await op.refuses('catalog.sync', { provider: 'nobody' }, 'provider_has_no_list');
    await op.refuses('catalog.sync', { provider: 'nobody' }, 'role_lacking', operatorOf('viewer'));
  });

  it('follows the list of a provider, and waits when the list is unavailable', async () => {
    const listing = { planCodes: { product_id: '88' }, title: 'New', brand: 'New', country: 'US' };
    const price = { category: 'Games', currency: 'USD', price: 500n } as const;
    let listed: Awaited<ReturnType<NonNullable<Provider['listCatalog']>>>;
    const acme = {
      name: 'acme',
      products: new Set(['GIFTCARD']),
      listCatalog: () => Promise.resolve(listed),
    } as unknown as Provider;
    const openProviders = op.services.openProviders;
    Reflect.set(op.services, 'openProviders', () =>
      Promise.resolve({ providers: new Map([['acme', acme]]), [Symbol.asyncDispose]: async () => undefined }),
    );
    try {
      await op.refuses('catalog.sync', { provider: 'acme' }, 'provider_says_nothing');
      listed = [{ ...listing, ...price }];
      const shown = await op.ask('catalog.sync', { provider: 'acme' });
      assert.deepEqual([shown.added, shown.notes.length], [0, 1]);
      const done = await op.ask('catalog.sync', { provider: 'acme', add: true, apply: true });
      assert.deepEqual([done.added, done.applied], [1, true]);
    } finally {
      Reflect.set(op.services, 'openProviders', openProviders);
    }
  });
});

describe('prices', () => {
  const shopper: Operator = {
    name: 'bola',
    principal: 'user:0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69 (bola@shop.example)',
    edge: 'portal',
    roles: [],
    merchant: { code: 'PAYS', roles: ['viewer'] },
  };

  it('shows prices of the wallet with its discounts, and no cost', async () => {
    await op.ask('merchant.create', { code: 'PAYS', name: 'Pays' });
    const discount = { merchant: 'PAYS', network: 'MTN', discount: '2.5', force: true };
    for (const product of ['airtime', 'data'])
      await op.ask('merchant.set_discount', { ...discount, product });
    await op.ask('merchant.enable_product', { merchant: 'PAYS', product: 'GIFTCARD', environment: 'live' });
    await op.ask('catalog.import', { content: file(plan('MTN', 1), plan('GLO', 2)), apply: true });
    const naira = { currency: 'NGN', discount: '2.5' };
    const airtime = (await op.ask('price.list', { product: 'airtime' }, shopper)).data;
    assert.deepEqual(airtime[0], {
      product: 'airtime',
      network: 'MTN',
      kind: 'vtu',
      plan_code: null,
      name: 'MTN',
      ...naira,
      min: null,
      max: null,
      price: null,
    });
    assert.deepEqual(
      airtime.map((row: { network: string; discount: string }) => [row.network, row.discount]),
      [
        ['MTN', '2.5'],
        ['GLO', '0'],
        ['AIRTEL', '0'],
        ['9MOBILE', '0'],
      ],
    );
    const data = (await op.ask('price.list', { product: 'data' }, shopper)).data;
    assert.deepEqual(
      data.map((row: Record<string, unknown>) => [row.plan_code, row.min, row.max, row.price]),
      [
        ['MTN-901', '1000.00', '1000.00', '975.00'],
        ['GLO-902', '1000.00', '1000.00', '1000.00'],
      ],
    );
    const cards = (await op.ask('price.list', { product: 'GIFTCARD' }, shopper)).data;
    const acme = cards.find((row: { plan_code: string }) => row.plan_code === '2');
    // 25 dollars at 1530 and a margin of 3.5 %.
    assert.deepEqual([acme.currency, acme.min, acme.price, acme.discount], ['USD', '25.00', '39588.75', '0']);
    assert.deepEqual(
      (await op.ask('price.list', { product: 'GIFTCARD', environment: 'test' }, shopper)).data,
      [],
    );
    const inside = /reloadly|acme"|cost|margin|provider/;
    assert.doesNotMatch(JSON.stringify(await op.ask('price.list', { limit: 200 }, shopper)), inside);
    await op.refuses('price.list', { merchant: 'SHOP' }, 'no_merchant', shopper);
    await op.refuses('price.list', { cursor: 'data/MTN/none' }, 'no_such_cursor', shopper);
  });

  it('lists prices page by page', async () => {
    const all = await allOf('price.list', { merchant: 'PAYS' });
    assert.deepEqual(all, (await op.ask('price.list', { merchant: 'PAYS', limit: 200 })).data);
  });

  const plan = (network: string, id: number) => ({
    product: 'data',
    network,
    id: 900 + id,
    plan_code: `${network}-${900 + id}`,
    name: '1 GB',
    description: '1 GB for 30 days',
    price: '1000.00',
    tarrifTypeId: `${900 + id}`,
    validity: '30 days',
    value: '1 GB',
    group: 'Monthly',
    shortCode: `${network}-1GB`,
    active: true,
    provider_codes: { vtpass: { variation_code: `x-${id}` } },
  });
});

describe('keys', () => {
  it('counts values by key, and seals all of them again', async () => {
    await op.services.pepper();
    const sealer = await op.services.sealer();
    const [row] = (await op.ask('key.list')).data;
    assert.deepEqual(row, { table: 'settings', key: sealer.keyId, count: 1, present: true });
    await op.refuses('key.rotate', {}, 'role_lacking', operatorOf('finance'));
    await op.entries();
    const rotated = await op.ask('key.rotate');
    assert.equal(rotated.resealed, 0);
    assert.deepEqual(
      (await op.entries()).map(([, action]) => action),
      ['key.rotate_begin', 'key.rotate'],
    );
  });

  it('reports missing keys, and leaves the value unchanged', async () => {
    await op.database.query(
      "insert into sealed_goods (merchant_id, purchase_id, key_id, sealed) values (1, gen_random_uuid(), 'aaaaaaaa', 'aaaaaaaa:x')",
    );
    await assert.rejects(op.ask('key.rotate'), refusedAct('values_unopened'));
    const listed = await allOf('key.list');
    assert.deepEqual(
      listed.map(({ table, key, present }) => [table, key === 'aaaaaaaa', present]),
      [
        ['sealed_goods', true, false],
        ['settings', false, true],
      ],
    );
  });
});

describe('alarms', () => {
  it('lists alarms page by page, and acknowledges one once, with a note for the audit log', async () => {
    await op.database.query(
      "insert into alarms (kind, message) select 'overdue', 'no word ' || n from generate_series(1, 5) n",
    );
    const support = operatorOf('support');
    const [newest, ...others] = await allOf('alarm.list');
    assert.deepEqual([newest?.message, others.length], ['no word 5', 4]);
    await op.entries();
    const { id } = newest ?? {};
    const act = await op.ask('alarm.acknowledge', { id, note: 'it came' }, support);
    assert.deepEqual(act, { id, acknowledged: true, changed: true });
    assert.equal((await op.ask('alarm.acknowledge', { id }, support)).changed, false);
    assert.deepEqual(await op.entries(), [['ada', 'alarm.acknowledge', `alarm:${id}`]]);
    const [entry] = await op.database.query(
      "select after from audit_log where action = 'alarm.acknowledge' order by id desc limit 1",
    );
    assert.deepEqual(entry?.after, { acknowledged: true, note: 'it came' });
    assert.equal((await allOf('alarm.list')).length, 4);
    assert.equal((await allOf('alarm.list', { all: true })).length, 5);
  });

  it('refuses unknown alarms, and viewers', async () => {
    await op.refuses('alarm.acknowledge', { id: '4711' }, 'no_alarm');
    await op.refuses('alarm.acknowledge', { id: 'x' }, 'input_malformed');
    await op.refuses('alarm.acknowledge', { id: '1', note: '\n' }, 'input_malformed');
    await op.refuses('alarm.acknowledge', { id: '1' }, 'role_lacking', operatorOf('viewer'));
  });
});

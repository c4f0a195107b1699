/** Plans that a person changes in a table: their margins, reviews, and concurrent changes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { storeThings } from '../../../src/catalog/catalog-store.ts';
import type { DataPlan } from '../../../src/catalog/data-plan-index.ts';
import { type Operating, operatorOf, startOperations } from './harness.ts';

let op: Operating;

before(async () => {
  op = await startOperations();
  await op.database.transaction((tx) => storeThings(tx, 'data', [plan(1), plan(2)]));
  await op.ask('route.set', { environment: 'live', product: 'data', network: 'MTN', providers: ['vtpass'] });
  await op.database.query(
    `insert into known_costs (environment, product, network, provider, plan_code, currency, amount, cost, at)
     values ('live', 'data', 'MTN', 'vtpass', 'MTN-901', 'NGN', 100000, 97000, now())`,
  );
});
after(() => op[Symbol.asyncDispose]());

function plan(number: 1 | 2): DataPlan {
  return {
    planCode: `MTN-90${number}`,
    id: 900 + number,
    network: 'MTN',
    name: `${number} GB`,
    description: `${number} GB`,
    price: 1_000_00n,
    tariffTypeId: String(number),
    legacyProductId: undefined,
    validity: '30 days',
    size: `${number} GB`,
    group: 'Monthly',
    planKind: 'direct',
    shortCode: `MTN-${number}GB`,
    providerCodes: { vtpass: { code: String(number) } },
    active: true,
  };
}

type Listed = { version: string; plans: { subject: string; record: Record<string, unknown> }[] };

async function read(): Promise<Listed> {
  return await op.ask('catalog.list', { product: 'data' }, operatorOf('viewer'));
}

/** A file of the first plan with another price, or of the second. */
function dearer({ plans }: Listed, price: string, index = 0): string {
  return JSON.stringify([{ ...plans[index]?.record, price }]);
}

const finance = operatorOf('finance');

describe('a table of plans', () => {
  it('shows price, cost and margin to every role, and the format of an import', async () => {
    const listed = await op.ask('catalog.list', { product: 'data' }, operatorOf('viewer'));
    const [first, second] = listed.plans;
    assert.deepEqual(
      [first.subject, first.name, first.network, first.currency, first.price, first.cost],
      ['MTN-901', '1 GB', 'MTN', 'NGN', '1000.00', '970.00'],
    );
    assert.deepEqual([first.margin_percent, first.active], [3, true]);
    // Estimated from the provider's cost of other plans of the network.
    assert.deepEqual([second.cost, second.margin_percent], ['970.00', 3]);
    const content = JSON.stringify([first.record, second.record]);
    assert.deepEqual((await op.ask('catalog.import', { content })).changes, []);
    await op.refuses('catalog.list', { product: 'airtime' }, 'input_malformed');
  });

  it('previews margins, refuses a price below cost, and applies a profitable one', async () => {
    const listed = await read();
    const { version } = listed;
    const [change] = (await op.ask('catalog.import', { content: dearer(listed, '990.00') }, finance)).changes;
    assert.deepEqual(
      [change.cost, change.margin_percent_before, change.margin_percent, change.losses],
      ['970.00', 3, 2, []],
    );
    const loss = { content: dearer(listed, '950.00'), version };
    const [losing] = (await op.ask('catalog.import', loss, finance)).changes;
    assert.deepEqual(losing.losses, [{ buyer: null, provider: 'vtpass', charge: '950.00', cost: '970.00' }]);
    await op.refuses('catalog.import', { ...loss, apply: true }, 'sells_below_cost', finance);
    const right = { content: dearer(listed, '990.00'), version, apply: true };
    await op.refuses('catalog.import', right, 'role_lacking', operatorOf('support'));
    assert.equal((await op.ask('catalog.import', right, finance)).applied, true);
  });

  it('refuses to overwrite a plan that changed since it was read, and applies the others', async () => {
    const listed = await read();
    const { version } = listed;
    await op.ask('catalog.import', { content: dearer(listed, '1010.00'), apply: true }, finance);
    const late = { content: dearer(listed, '1020.00'), version };
    await op.refuses('catalog.import', { ...late, apply: true }, 'catalog_changed', finance);
    await op.refuses('catalog.import', late, 'catalog_changed', finance);
    const other = { content: dearer(listed, '1020.00', 1), version, apply: true };
    assert.equal((await op.ask('catalog.import', other, finance)).applied, true);
    const prices = (await read()).plans.map(({ record }) => record.price);
    assert.deepEqual(prices, ['1010.00', '1020.00']);
  });

  it('applies one of two changes of the same plan that were typed at the same time', async () => {
    const listed = await read();
    const { version } = listed;
    const done = await Promise.allSettled(
      ['1001.00', '1002.00'].map((price) =>
        op.ask('catalog.import', { content: dearer(listed, price), version, apply: true }, finance),
      ),
    );
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });
});

describe('a preview of a route', () => {
  const route = { environment: 'live', product: 'data', network: 'MTN', kind: 'sme' };

  it('checks the route without a change', async () => {
    await op.entries();
    const before = await op.ask('route.list', { limit: 200 });
    const checked = await op.ask('route.set', { ...route, providers: ['nomba'], preview: true });
    assert.deepEqual([checked.providers, checked.providers_before], [['nomba'], []]);
    assert.ok(checked.cannot_serve.length > 0);
    assert.deepEqual(await op.ask('route.list', { limit: 200 }), before);
    assert.deepEqual(await op.entries(), []);
    const unknown = { ...route, providers: ['unlisted'], preview: true };
    await op.refuses('route.set', unknown, 'no_such_provider');
    await op.refuses('route.set', { ...unknown, providers: ['nomba'] }, 'role_lacking', finance);
  });

  it('refuses a route that would sell below cost, as the change does', async () => {
    await op.database.query(
      `insert into known_costs (environment, product, network, provider, plan_code, currency, amount, cost, at)
       values ('live', 'data', 'MTN', 'nomba', 'MTN-901', 'NGN', 100000, 200000, now())`,
    );
    const dear = { ...route, kind: undefined, providers: ['nomba'] };
    const { kind: _, ...losing } = dear;
    await op.refuses('route.set', { ...losing, preview: true }, 'sells_below_cost');
    await op.refuses('route.set', losing, 'sells_below_cost');
  });
});

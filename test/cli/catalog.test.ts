/**
 * `oja fx` and `oja catalog` on a database of the test: previewed first, then applied completely or
 * not at all.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { demoFolder } from '../../src/app/demo/read-demo-catalog.ts';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { operator } from './harness.ts';

const op = await operator();
const folder = await mkdtemp(join(tmpdir(), 'oja-import-'));
after(async () => {
  await op[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const csvHead =
  'product,plan_id,title,brand,region,ui_category,currency,face_value,provider_codes.reloadly.product_id';
const card = (id: number, value: string): string =>
  `GIFTCARD,${id},"Acme, US ${value}",Acme,US,Shopping,USD,${value},77`;
const csv = (...rows: string[]): string => [csvHead, ...rows].join('\n');

/** The line numbers of a file's errors, `2, 4` if two lines contradict each other. */
function linesOf(err: string): string[] {
  return [...err.matchAll(/^ {2}\D*(\d+(?:, \d+)*)\b/gm)].map(([, lines = '']) => lines);
}

describe('the guard of rates', () => {
  it('refuses a rate or margin that moves by more than a fifth, unless it is forced', async () => {
    await using own = await operator();
    await own.json('fx', 'set', 'EUR', '1000', '--margin', '5');
    await own.json('fx', 'set', 'EUR', '1200');
    await own.json('fx', 'set', 'EUR', '960');
    for (const wrong of [['96'], ['9600'], ['1152.01'], ['767.99'], ['960', '--margin', '50']]) {
      const refused = await own.oja('fx', 'set', 'EUR', ...wrong);
      assert.deepEqual([refused.code, refused.refused], [1, 'rate_change_large'], wrong.join(' '));
    }
    assert.equal((await own.json('fx', 'list', '--history')).length, 3);
    await own.json('fx', 'set', 'EUR', '9600', '--force');
    const [entry] = await own.database.query<{ after: unknown }>(
      "select after from audit_log where action = 'fx.set' order by id desc limit 1",
    );
    assert.deepEqual(entry?.after, { rate: '9600.00', margin: '5', force: true });
  });
});

describe('the first rate of all', () => {
  it('refuses a first rate that is a mistake, and stores nothing', async () => {
    await using own = await operator();
    const refused = await own.oja('fx', 'set', 'USD', '15.45');
    assert.deepEqual([refused.code, refused.refused], [1, 'rate_unlikely']);
    for (const fact of ['15.45', '500.00', '5000.00']) assert.ok(refused.err.includes(fact), fact);
    assert.deepEqual(await own.json('fx', 'list'), []);
  });
});

describe('oja guard', () => {
  it('sets and lists guards of products and networks, and refuses any other subject', async () => {
    const set = await op.json('guard', 'set', 'live', 'AIRTIME', 'stop', '--network', 'mtn');
    assert.deepEqual(
      [set.product, set.network, set.mode, set.mode_before, set.changed],
      ['airtime', 'MTN', 'stop', 'alarm', true],
    );
    await op.json('guard', 'set', 'live', 'data', 'off');
    const guards: { product: string; network: string; mode: string }[] = await op.json('guard', 'list');
    assert.deepEqual(
      guards.map(({ product, network, mode }) => [product, network, mode]),
      [
        ['airtime', 'MTN', 'stop'],
        ['data', '*', 'off'],
      ],
    );
    assert.equal((await op.oja('guard', 'set', 'live', 'airtime', 'halt')).code, 2);
    assert.equal((await op.oja('guard', 'set', 'live', 'airtime', 'stop', '--network', 'DSTV')).code, 1);
    const page = await op.oja('guard', 'list', '--limit', '1', '--cursor', 'live/airtime/MTN');
    assert.match(page.out, /^.*\nlive +data +\* +off/);
    const entries = await op.database.query(
      "select subject, after from audit_log where action = 'guard.set' order by id",
    );
    assert.deepEqual(entries, [
      { subject: 'guard:live:airtime:MTN', after: { mode: 'stop' } },
      { subject: 'guard:live:data:*', after: { mode: 'off' } },
    ]);
  });
});

describe('oja fx', () => {
  it('sets rates, keeps the margin unless it is given, and keeps every earlier rate', async () => {
    const first = await op.json('fx', 'set', 'usd', '1545.25', '--margin', '3.5', '--actor', 'ada');
    assert.deepEqual([first.changed, first.before, first.margin], [true, null, '3.5']);
    const second = await op.json('fx', 'set', 'USD', '1600', '--actor', 'bola');
    assert.deepEqual([second.rate, second.margin, second.before.rate], ['1600.00', '3.5', '1545.25']);
    assert.equal((await op.json('fx', 'set', 'USD', '1600')).changed, false);
    const now = await op.json('fx', 'list');
    assert.deepEqual(
      now.map((row: { currency: string; rate: string }) => [row.currency, row.rate]),
      [['USD', '1600.00']],
    );
    const history = await op.json('fx', 'list', '--history');
    assert.deepEqual(
      history.map((row: { actor: string }) => row.actor),
      ['bola', 'ada'],
    );
    assert.equal((await loadCatalog(op.database)).fxRate('USD')?.rateMicro, 1_600_000_000n);
  });

  it('refuses an invalid rate, margin or currency', async () => {
    for (const args of [
      ['USD', '0'],
      ['USD', '-1'],
      ['USD', '1,54'],
      ['USD', '1.1234567'],
      ['USD', '1e3'],
      ['NGN', '1'],
      ['USD', '1', '--margin', '101'],
      ['USD', '1', '--margin', 'x'],
    ]) {
      assert.equal((await op.oja('fx', 'set', ...args)).code, 2, args.join(' '));
    }
    assert.equal((await op.json('fx', 'list', '--history')).length, 2);
  });
});

describe('oja catalog import', () => {
  it('shows what would be added, and adds it with --apply', async () => {
    const path = await file('cards.csv', csv(card(1, '10.00'), card(2, '25.00')));
    const shown = await op.oja('catalog', 'import', path);
    assert.equal(shown.code, 0, shown.err);
    assert.match(shown.out, /\+ GIFTCARD 1 {2}Acme, US 10\.00\n\+ GIFTCARD 2[\s\S]*--apply/);
    assert.equal((await loadCatalog(op.database)).findGiftCardPlan(1, 'live'), undefined);
    const done = await op.json('catalog', 'import', path, '--apply', '--actor', 'ada');
    assert.deepEqual([done.added, done.changed, done.applied], [2, 0, true]);
    const plan = (await loadCatalog(op.database)).findGiftCardPlan(1, 'live');
    assert.deepEqual(
      [plan?.title, plan?.faceValue, plan?.providerCodes],
      ['Acme, US 10.00', 1_000n, { reloadly: { product_id: '77' } }],
    );
    const again = await op.json('catalog', 'import', path, '--apply');
    assert.deepEqual([again.changes, again.applied], [[], false]);
  });

  it('requires --force when a price moves by more than 20 %, and keeps the history', async () => {
    const within = await file('within.csv', csv(card(1, '12.00')));
    assert.equal((await op.json('catalog', 'import', within, '--apply')).applied, true);
    const beyond = await file('beyond.csv', csv(card(1, '14.41')));
    const refused = await op.oja('catalog', 'import', beyond, '--apply');
    assert.equal(refused.code, 1);
    assert.match(refused.out, /face_value\b.*12\.00.*14\.41[\s\S]*--force/);
    assert.equal((await loadCatalog(op.database)).findGiftCardPlan(1, 'live')?.faceValue, 1_200n);
    assert.equal((await op.json('catalog', 'import', beyond, '--apply', '--force')).applied, true);
    assert.equal((await loadCatalog(op.database)).findGiftCardPlan(1, 'live')?.faceValue, 1_441n);
    const history = await op.json('catalog', 'history', '1');
    assert.deepEqual(
      history.map((row: { before: { face_value: string } | null; after: { face_value: string } }) => [
        row.before?.face_value,
        row.after.face_value,
      ]),
      [
        ['12.00', '14.41'],
        ['10.00', '12.00'],
        [undefined, '10.00'],
      ],
    );
  });

  it('lists every bad row with its line, and applies nothing', async () => {
    const before = await op.json('catalog', 'export', 'GIFTCARD');
    const bad = await file(
      'bad.csv',
      csv(card(3, '5.00'), card(4, '0'), 'GIFTCARD,x,T,B,US,C,USD,1.00,7', 'FLOWERS,5,T,B,US,C,USD,1.00,7'),
    );
    const ran = await op.oja('catalog', 'import', bad, '--apply');
    assert.deepEqual([ran.code, ran.refused, linesOf(ran.err)], [1, 'catalog_at_fault', ['3', '4', '5']]);
    const twice = await file('twice.csv', csv(card(3, '5.00'), card(3, '6.00')));
    const repeated = await op.oja('catalog', 'import', twice, '--apply');
    assert.deepEqual(
      [repeated.code, repeated.refused, linesOf(repeated.err)],
      [1, 'catalog_at_fault', ['3']],
    );
    const json = await file('bad.json', '[\n  {"plan_id": 9},\n  {\n    "product": "ESIM"\n  }\n]');
    assert.deepEqual([...new Set(linesOf((await op.oja('catalog', 'import', json)).err))], ['2', '3']);
    for (const [name, text, refused] of [
      ['broken.json', '[{', 'catalog_unreadable'],
      ['broken.csv', 'a,b\n1', 'catalog_at_fault'],
    ] as const) {
      const broken = await op.oja('catalog', 'import', await file(name, text));
      assert.deepEqual([broken.code, broken.refused], [1, refused], name);
      assert.doesNotMatch(broken.err, /\n {4}at /);
    }
    assert.equal((await op.oja('catalog', 'import', join(folder, 'none.csv'))).code, 1);
    const latin = await file(
      'latin.csv',
      Buffer.from(csv(card(3, '5.00')).replace('Acme', 'Café'), 'latin1'),
    );
    const empty = await file('empty.csv', ' \n');
    for (const path of [latin, empty]) {
      const { refused = '' } = await op.oja('catalog', 'import', path, '--apply');
      assert.match(refused, /^(?:file|catalog)_unreadable$/, path);
    }
    assert.deepEqual(await op.json('catalog', 'export', 'GIFTCARD'), before);
  });

  it('names the line and field of a row for every fault', async () => {
    /** The lines with errors. Each must contain the text next to it. */
    const assertFaults = async (
      name: string,
      text: string,
      wanted: readonly (readonly [line: string, names: string])[],
      ...options: string[]
    ): Promise<void> => {
      const { err } = await op.oja('catalog', 'import', await file(name, text), '--apply', ...options);
      const faults = err.split('\n').slice(1, -1);
      assert.deepEqual(
        linesOf(err),
        wanted.map(([line]) => line),
        name,
      );
      for (const [index, [, names]] of wanted.entries()) assert.ok(faults[index]?.includes(names), names);
    };
    const rows = csv(
      card(5, '5.00'),
      'GIFTCARD,6,T',
      card(7, '7.00').replace('USD', 'JPY'),
      `${card(8, '8.00')},x`,
    );
    await assertFaults('lengths.csv', rows, [
      ['3', ''],
      ['4', 'currency'],
      ['5', ''],
    ]);
    const esim = { product: 'ESIM', title: 'T', region: 'R', data_mb: 1, duration_days: 1, currency: 'USD' };
    const mixed = [
      5,
      '{',
      null,
      { ...esim, plan_id: 'A', price: '1.00', colour: 'red' },
      { ...esim, plan_id: 'B' },
    ];
    const json = `[\n${mixed.map((entry) => JSON.stringify(entry)).join(',\n')}\n]`;
    await assertFaults('mixed.json', json, [
      ['2', ''],
      ['3', ''],
      ['4', ''],
      ['5', 'colour'],
      ['6', 'price'],
    ]);
    const plan = { product: 'CABLE', name: 'N', amount_type: 'variable', min_amount: '1', max_amount: '2' };
    const orphans = [3001, 3002].map((id) => JSON.stringify({ ...plan, id, network: 'NOTV' }));
    await assertFaults('orphans.json', `[\n${orphans.join(',\n\n')}\n]`, [
      ['2', 'NOTV'],
      ['4', 'NOTV'],
    ]);
    const company = { product: 'CABLE', network: 'NOTV', name: 'N', aliases: [{ name: 'first' }] };
    const other = { product: 'BETTING', network: 'First', name: 'F' };
    const billers = [company, { ...company, network: 'OTHER', aliases: [] }, other];
    const named = `[\n${billers.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
    await assertFaults('named.json', named, [['2, 4', 'First']], '--billers');
    const both = [
      ...[3001, 3002, 3003].map((id) => ({ ...plan, id, network: 'NOTV', service_id: `s${id}` })),
      { ...plan, id: 3004, network: 'NOTV', service_id: 'S3002' },
    ];
    const lines = `[\n${both.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
    const { err } = await op.oja('catalog', 'import', await file('both.json', lines), '--apply');
    assert.equal(linesOf(err).at(0), '3, 5');
    assert.match(err, /S3002\D+3002\D+3004/);
  });

  it('requires --force for another currency, and for a range instead of a price', async () => {
    const [head, row] = csv(card(2, '25.00')).split('\n');
    const moved = [
      `${head}\n${row?.replace('USD', 'GBP')}`,
      `${head},min_price,max_price\n${row?.replace('25.00,77', ',77,1.00,500.00')}`,
    ];
    for (const text of moved) {
      const refused = await op.oja('catalog', 'import', await file('moved.csv', text), '--apply', '--json');
      const { applied, steep } = JSON.parse(refused.out).data;
      assert.deepEqual([refused.code, applied, steep], [1, false, 1], refused.out + refused.err);
    }
    assert.equal((await loadCatalog(op.database)).findGiftCardPlan(2, 'live')?.currency, 'USD');
  });

  it('keeps missing plans, or withdraws them when requested', async () => {
    const path = await file('one.csv', csv(card(2, '25.00')));
    assert.deepEqual((await op.json('catalog', 'import', path, '--apply')).missing, [
      { product: 'GIFTCARD', subject: '1' },
    ]);
    const unasked = await op.oja('catalog', 'import', path, '--apply', '--withdraw-missing');
    assert.deepEqual([unasked.code, unasked.refused], [1, 'confirmation_needed']);
    assert.notEqual((await loadCatalog(op.database)).findGiftCardPlan(1, 'live'), undefined);
    const done = await op.json('catalog', 'import', path, '--apply', '--withdraw-missing', '--yes');
    assert.deepEqual([done.withdrawn, done.applied], [1, true]);
    assert.equal((await loadCatalog(op.database)).findGiftCardPlan(1, 'live'), undefined);
  });

  it('imports billers and plans of every product into an empty gateway, and exports the same again', async () => {
    const bring = async (path: string, ...options: string[]): Promise<void> => {
      const done = await op.json('catalog', 'import', join(demoFolder, path), '--apply', ...options);
      assert.equal(done.applied, true, path);
    };
    const orphan = await op.oja('catalog', 'import', join(demoFolder, 'bill-plans/cable.json'), '--apply');
    assert.equal(orphan.refused, 'catalog_at_fault');
    assert.match(orphan.err, /\bDSTV\b/);
    await bring('billers.json', '--billers');
    await bring('bill-plans/cable.json');
    await bring('data-plans/mtn.json', '--product', 'data');
    await bring('gift-cards/us.json', '--product', 'GIFTCARD');
    await bring('esims/regions.json', '--product', 'ESIM');
    const catalog = await loadCatalog(op.database);
    assert.ok(catalog.listBillPlans('CABLE', 'DSTV').length > 5 && catalog.listDataPlans('MTN').length > 5);
    assert.equal(catalog.findEsimPlan('GL-1GB-7D', 'live')?.dataMb, 1_000);
    for (const product of ['data', 'CABLE', 'GIFTCARD', 'ESIM']) {
      for (const format of ['csv', 'json']) {
        const exported = await op.oja('catalog', 'export', product, '--format', format);
        const path = await file(`${product}.${format}`, exported.out);
        const again = await op.json('catalog', 'import', path, '--withdraw-missing');
        assert.deepEqual(again.changes, [], `${product} ${format}`);
      }
    }
    const billers = await op.oja('catalog', 'export', 'CABLE', '--billers');
    const path = await file('billers.csv', billers.out);
    assert.deepEqual((await op.json('catalog', 'import', path, '--billers')).changes, []);
  });
});

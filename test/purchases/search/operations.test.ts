/**
 * `purchase.list` and `purchase.pending` with typed input: any spelling is understood, and invalid
 * input is refused with the field's name.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { checkInput } from '../../../src/backoffice/operations/check-input.ts';
import { OperationError } from '../../../src/core/errors.ts';
import { newId } from '../../../src/core/ids.ts';
import { makeDueByReference } from '../../../src/purchases/engine/claim-store.ts';
import { SearchIndexing } from '../../../src/purchases/search/index-purchases.ts';
import { listPendingPurchasesOperation } from '../../../src/purchases/search/operations/list-pending-purchases.ts';
import { listPurchasesOperation } from '../../../src/purchases/search/operations/list-purchases.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { indexAll } from '../../support/index-all.ts';
import { idAt, insertSold, type SoldRow } from './fixture.ts';

const database = await openFileDatabase();

const NOW_MS = Date.parse('2026-11-22T12:00:00+01:00');
const clock = { now: () => new Date(NOW_MS), elapsedMs: () => 0 };
const needs = { sql: database, clock, providers: [{ name: 'vtpass' }, { name: 'nomba' }] };

const list = (input: object) =>
  listPurchasesOperation.run(needs, checkInput(listPurchasesOperation.input, input));
const pending = (input: object) =>
  listPendingPurchasesOperation.run(needs, checkInput(listPendingPurchasesOperation.input, input));

/** The code of the refusal and the fields that it names. */
async function refusalOf(asked: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await asked();
  } catch (error) {
    assert.ok(error instanceof OperationError);
    const { details } = error;
    return details.code === 'input_malformed' ? details.errors.map(({ field }) => field) : [details.code];
  }
  assert.fail('it was not refused');
}

let numbers = 0;
function sold(over: Partial<SoldRow>): SoldRow {
  numbers += 1;
  const createdAt = over.createdAt ?? new Date(NOW_MS - numbers * 60_000);
  return {
    id: idAt(createdAt, numbers),
    merchantId: 1,
    environment: 'live',
    reference: `till-${numbers}`,
    product: 'airtime',
    network: 'MTN',
    recipient: '2348030000001',
    faceValue: 50_000,
    provider: 'vtpass',
    status: 'success',
    reason: 'delivered',
    attemptReference: `2026${numbers}`,
    providerReference: `up-${numbers}`,
    token: null,
    isLate: false,
    owner: null,
    createdAt,
    finalAt: over.status === 'pending' ? null : createdAt,
    ...over,
  };
}

const tokens = ['12345678901234567890', '09876543210987654321'] as const;

describe('the operations that find purchases', () => {
  before(async () => {
    await database.query(
      "insert into merchants (id, code, name) overriding system value values (1, 'SHOP', 'Shop'), (2, 'KIOSK', 'Kiosk')",
    );
    await database.query(
      `insert into billers (product, network, name, aliases, active, position)
       values ('CABLE', 'DSTV', 'DStv', '[]', true, 1)`,
    );
    await insertSold(database, [
      sold({ reference: 'first', createdAt: new Date('2026-11-21T09:00:00+01:00') }),
      sold({ reference: 'last', createdAt: new Date('2026-11-21T23:59:59+01:00'), merchantId: 2 }),
      sold({ reference: 'next', createdAt: new Date('2026-11-22T00:00:00+01:00') }),
      sold({ reference: 'refused', status: 'failed', reason: 'refused', network: 'GLO', faceValue: 10_050 }),
      sold({ product: 'ELECTRICITY', network: 'Ikeja Electric', recipient: '04512345678', token: tokens[0] }),
      sold({
        product: 'ELECTRICITY',
        network: 'Ikeja Electric',
        recipient: '04512345678',
        token: tokens[1],
        isLate: true,
      }),
      sold({ product: 'CABLE', network: 'DSTV', recipient: '1234567890', reference: 'card' }),
    ]);
  });

  const referencesOf = async (input: object) => (await list(input)).data.map(({ reference }) => reference);

  it('finds "no airtime", a phone number and a day, in any spelling', async () => {
    const day = { from: '2026-11-21', to: '2026-11-21' };
    for (const phone of [
      '08030000001',
      '+234 803 000 0001',
      '2348030000001',
      '0803-000-0001',
      '002348030000001',
      // As spreadsheets write it.
      '8030000001',
      '8030000001.0',
      '8030000001.00',
    ]) {
      assert.deepEqual(await referencesOf({ phone, ...day }), ['last', 'first']);
    }
    // One digit is wrong, and two are.
    assert.deepEqual(await referencesOf({ phone: '08030000009', ...day }), []);
    assert.deepEqual(await referencesOf({ phone: '08030000009', near: true, ...day }), ['last', 'first']);
    assert.deepEqual(await referencesOf({ phone: '08030000099', near: true, ...day }), []);
    const hours = { from: '2026-11-21T09:00', to: '2026-11-21 09:00:01' };
    assert.deepEqual(await referencesOf({ phone: '08030000001', ...hours }), ['first']);
    const zones = { from: '2026-11-21T08:00:00Z', to: '2026-11-21T08:00:01Z' };
    assert.deepEqual(await referencesOf({ phone: '08030000001', ...zones }), ['first']);
    assert.deepEqual(await referencesOf({ phone: '08030000001', ...day, merchant: 'kiosk' }), ['last']);
  });

  it('finds meters, cards, tokens, and words in any letter case', async () => {
    assert.equal((await list({ meter: '0451 234 5678' })).data.length, 2);
    assert.deepEqual(await referencesOf({ card: '1234567890' }), ['card']);
    assert.deepEqual(await referencesOf({ card: '04512345678' }), []);
    for (const token of tokens) {
      const typed = token.replaceAll(/(.{4})(?=.)/g, '$1-');
      const { data } = await list({ token: typed });
      assert.equal(data.length, 1);
      assert.equal(data[0]?.recipient, '04512345678');
    }
    assert.deepEqual(await referencesOf({ network: 'dstv' }), ['card']);
    assert.deepEqual(await referencesOf({ product: 'cable' }), ['card']);
    assert.deepEqual(await referencesOf({ status: '01' }), ['refused']);
    assert.deepEqual(await referencesOf({ status: 'failed', reason: 'refused', amount: '100.50' }), [
      'refused',
    ]);
    assert.deepEqual(await referencesOf({ provider: 'VTpass', amount_max: '100.50' }), ['refused']);
  });

  it('shows refunds', async () => {
    await database.query(
      `insert into purchase_refunds (merchant_id, refund_id, environment, purchase_id, kind, amount, reason, refunded_by, refunded_principal)
       select merchant_id, gen_random_uuid(), environment, id, kind, 150, 'not loaded', 'ada', 'system:ada'
       from purchases
       cross join (values ('merchant'), ('merchant'), ('provider')) as k(kind)
       where reference = 'first'`,
    );
    const { data } = await list({ reference: 'first' });
    assert.deepEqual(
      data.map(({ status, refunded }) => [status, refunded]),
      [['success', '3.00']],
    );
    assert.equal((await list({ reference: 'last' })).data[0]?.refunded, '0.00');
  });

  it('continues by its cursor, which belongs to the search', async () => {
    const all = await referencesOf({ merchant: 'SHOP' });
    const first = await list({ merchant: 'SHOP', limit: 2 });
    assert.ok(first.cursor);
    const rest = await referencesOf({ merchant: 'SHOP', cursor: first.cursor });
    assert.deepEqual([...first.data.map(({ reference }) => reference), ...rest], all);
    assert.deepEqual(await refusalOf(() => list({ merchant: 'KIOSK', cursor: first.cursor })), ['cursor']);
  });

  it('refuses invalid input by name', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ phone: '12' }, 'phone'],
      [{ phone: '1030000001' }, 'phone'],
      [{ phone: '08030000001', meter: '1' }, 'meter'],
      [{ token: '1234' }, 'token'],
      [{ merchant: 'NOBODY' }, 'no_merchant'],
      [{ product: 'bread' }, 'product'],
      [{ network: 'nowhere' }, 'network'],
      [{ provider: 'nobody' }, 'no_such_provider'],
      [{ status: 'done' }, 'status'],
      [{ reason: 'bad luck' }, 'reason'],
      [{ amount: '0' }, 'amount'],
      [{ amount: '5', amount_min: '1' }, 'amount'],
      [{ amount_min: '6', amount_max: '5' }, 'amount_min'],
      [{ environment: 'moon' }, 'environment'],
      [{ from: 'yesterday' }, 'from'],
      [{ from: '2026-02-30' }, 'from'],
      [{ to: '2026-11-21T25:00' }, 'to'],
      [{ from: '2026-11-22', to: '2026-11-21' }, 'from'],
      [{ limit: 0 }, 'limit'],
      [{ limit: 201 }, 'limit'],
      [{ cursor: 'x' }, 'cursor'],
      [{ colour: 'red' }, 'colour'],
    ];
    for (const [input, wanted] of cases) {
      assert.deepEqual(await refusalOf(() => list(input)), [wanted], JSON.stringify(input));
    }
  });

  it('reports how far it has searched until older purchases are in the table', async () => {
    await database.query(
      `update settings
       set value = '{"up_to": "-infinity", "read_from": "2026-11-22 11:50:00+01"}'
       where name = 'search_progress'`,
    );
    const partly = await list({ merchant: 'SHOP' });
    assert.equal(partly.searched_until, '2026-11-22T11:51:00.000+01:00');
    assert.ok(partly.cursor);
    assert.ok(partly.data.every(({ created_at: at }) => at >= '2026-11-22T11:51'));
    // The next page finds purchases that came into the table meanwhile.
    await indexAll(database, new SearchIndexing(4));
    const rest = await list({ merchant: 'SHOP', cursor: partly.cursor });
    assert.equal(rest.searched_until, null);
    assert.equal(partly.data.length + rest.data.length, 6);
  });
});

describe('the list of pending purchases', () => {
  it('lists the oldest first, with the reason why each is pending and the next step', async () => {
    const ages = [5 * 60_000, 50 * 60_000, 26 * 3_600_000, 10_000];
    const rows = ages.map((ageMs, index) =>
      sold({
        createdAt: new Date(NOW_MS - ageMs),
        reference: `p-${index}`,
        merchantId: 1 + (index % 2),
        status: 'pending',
        reason: null,
        ...(index === 3 && { owner: newId(), attemptReference: null, providerReference: null }),
        ...(index === 1 && { provider: 'nomba' }),
      }),
    );
    await insertSold(database, rows);
    await database.query('update pending_purchases set flagged_at = now() where purchase_id = $1', [
      rows[2]?.id,
    ]);
    const { data, cursor } = await pending({});
    assert.equal(cursor, null);
    assert.deepEqual(
      data.map(({ reference, why, next, age_s }) => [reference, why, next, age_s]),
      [
        ['p-2', 'accepted', 'ask', 26 * 3_600],
        ['p-1', 'accepted', 'ask', 3_000],
        ['p-0', 'accepted', 'ask', 300],
        ['p-3', 'not_sent', 'in_hand', 10],
      ],
    );
    assert.equal(data[0]?.last_answer?.code, '099');
    const referencesOf = async (input: object) =>
      (await pending(input)).data.map(({ reference }) => reference);
    assert.deepEqual(await referencesOf({ flagged: true }), ['p-2']);
    assert.deepEqual(await referencesOf({ provider: 'nomba' }), ['p-1']);
    assert.deepEqual(await referencesOf({ merchant: 'KIOSK' }), ['p-1', 'p-3']);
    assert.deepEqual(await referencesOf({ older_than: '15m' }), ['p-2', 'p-1']);
    const first = await pending({ limit: 3 });
    assert.ok(first.cursor);
    const rest = await pending({ limit: 3, cursor: first.cursor });
    assert.deepEqual(
      [...first.data, ...rest.data].map(({ reference }) => reference),
      ['p-2', 'p-1', 'p-0', 'p-3'],
    );
    assert.deepEqual(await refusalOf(() => pending({ older_than: 'long' })), ['older_than']);
    assert.deepEqual(await refusalOf(() => pending({ cursor: first.cursor, flagged: true })), ['cursor']);
  });

  it('counts no query before a callback ends the first wait', async () => {
    const reference = 'hurried';
    const row = sold({ reference, status: 'pending', reason: null, attemptReference: 'order-hurried' });
    await insertSold(database, [row]);
    const queriesOf = async () => {
      const { data } = await pending({});
      return data.find((one) => one.reference === reference)?.queries;
    };
    const wait = (queries: number) =>
      database.query(
        `update pending_purchases
         set due_at = now() + interval '1 minute', queries = $2
         where purchase_id = $1`,
        [row.id, queries],
      );
    await wait(0);
    const ordered = { provider: 'vtpass', reference: 'order-hurried' };
    assert.equal(await makeDueByReference(database, ordered), row.id);
    assert.equal(await queriesOf(), 0);
    await wait(3);
    assert.equal(await makeDueByReference(database, ordered), row.id);
    assert.equal(await queriesOf(), 2);
  });
});

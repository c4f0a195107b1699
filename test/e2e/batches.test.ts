/** Bulk purchases over the merchants' API: refusals, purchases, and that each is bought once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Reason } from '../../src/api/plumbing/reasons.ts';
import { announceChange } from '../../src/db/change-notice-store.ts';
import { updateSpending } from '../../src/merchants/credential-store.ts';
import { revokeCredential } from '../../src/merchants/operations/revoke-credential.ts';
import type { Answer, KeyPair } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  assertRefused,
  openGatewayUnderTest,
  statusOf,
} from './gateway-under-test.ts';
import { credit, issueKey, openShop, type Shop } from './shop.ts';

// Own gateway: batches are counted in its database.
const gateway = await openGatewayUnderTest();

const head = 'Phone,Network,Amount';
const numbers = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `0803123${String(from + index).padStart(4, '0')}`);
const csvOf = (phones: readonly string[], amount = '100') =>
  [head, ...phones.map((phone) => `${phone},MTN,${amount}`)].join('\n');

function upload(as: KeyPair, csv: unknown, name?: string): Promise<Answer> {
  return gateway.call('POST', '/v1/batches', { as, body: { csv, ...(name && { name }) } });
}

async function uploaded(as: KeyPair, csv: string): Promise<string> {
  const { status, body } = await upload(as, csv);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.id;
}

function find(as: KeyPair, id: string): Promise<Answer> {
  return gateway.call('GET', `/v1/batches/${id}`, { as });
}

function set(as: KeyPair, id: string, state: string, more: object = {}): Promise<Answer> {
  return gateway.call('PATCH', `/v1/batches/${id}`, { as, body: { state, ...more } });
}

async function rowsOf(as: KeyPair, id: string): Promise<Record<string, unknown>[]> {
  const { body } = await gateway.call('GET', `/v1/batches/${id}/rows?limit=100`, { as });
  return body.data.rows;
}

async function untilOver(as: KeyPair, id: string): Promise<Answer['body']> {
  let last: Answer['body'] = {};
  await until('the batch is over', async () => {
    last = (await find(as, id)).body.data;
    return last.state === 'done' && last.progress.pending === 0;
  });
  return last;
}

async function purchasesOf({ id }: Shop): Promise<number> {
  const [row] = await gateway.database.query<{ count: number }>(
    'select count(*)::integer as count from purchases where merchant_id = $1',
    [id],
  );
  return row?.count ?? -1;
}

describe('a file of purchases', () => {
  it('validates and prices a file as a whole, and buys nothing before it is started', async () => {
    const shop = await openShop(gateway);
    const { status, body } = await upload(
      shop.live,
      '\ufeffName;Phone Number;Telco;Amount (NGN)\nAda;8031234567;mtn;₦1,500\nBola;+2348051234567;GLO;200\n',
      'Staff',
    );
    assert.equal(status, 200);
    const { data } = body;
    assert.deepEqual([data.state, data.name, data.rows, data.total_amount], ['ready', 'Staff', 2, '1700.00']);
    assert.deepEqual(
      data.columns.map(({ field }: { field: string | null }) => field),
      [null, 'phone', 'network', 'amount'],
    );
    assert.deepEqual(data.progress, { waiting: 2, pending: 0, success: 0, failed: 0, refused: 0 });
    assert.equal(data.available, '100000.00');
    assert.equal(await purchasesOf(shop), 0);
  });

  it('buys row by row once started, and its rows are purchases like others', async () => {
    const { test } = gateway.credentials;
    const csv = [
      'Phone,Meter,Network,Plan,Amount',
      '08031234567,,MTN,,100',
      '08031234567,,mtn,MTN-1,100',
      '08031234567,10000000001,Ikeja Electric,2001,1000',
      '08000000110,,MTN,,100',
    ].join('\n');
    const id = await uploaded(test, csv);
    const started = await set(test, id, 'running');
    assert.deepEqual([started.status, started.body.data.state], [200, 'running']);
    const done = await untilOver(test, id);
    const rows = await rowsOf(test, id);
    assert.deepEqual(
      rows.map(({ line, product }) => [line, product]),
      [
        [1, 'airtime'],
        [2, 'data'],
        [3, 'ELECTRICITY'],
        [4, 'airtime'],
      ],
    );
    assert.equal(done.progress.success + done.progress.failed, 4);
    for (const row of rows) {
      const path = `/v1/transactions/status?request_ref=${row.request_ref}`;
      const { status, body } = await gateway.call('GET', path, { as: test });
      assert.equal(status, 200);
      assert.equal(body.code, row.status === 'success' ? '00' : '01');
    }
    assert.ok(rows[2]?.token !== undefined, JSON.stringify(rows[2]));
    const result = await gateway.call('GET', `/v1/batches/${id}/rows?format=csv`, { as: test });
    assert.equal(result.status, 200);
    assert.equal(result.text.split('\r\n').length, 6);
  });

  it('reads a quoted amount with a comma, and empty cells behind the last column', async () => {
    const shop = await openShop(gateway);
    const { body } = await upload(shop.live, `${head}\n08031234567,MTN,"1,500",,\n`);
    assert.equal(body.data.total_amount, '1500.00');
  });

  it('buys nothing twice when the same file is uploaded again, also in another spelling', async () => {
    const shop = await openShop(gateway);
    const first = await uploaded(shop.live, csvOf(numbers(3)));
    await set(shop.live, first, 'running');
    await untilOver(shop.live, first);
    const spelt = `Mobile\tAmount\tTelco\n${numbers(3)
      .map((phone) => `+234${phone.slice(1)}\t₦100.00\tmtn`)
      .join('\n')}`;
    assert.equal(await uploaded(shop.live, spelt), first);
    const again = await set(shop.live, first, 'running');
    assertRefused(again, 400, { reason: 'batch_ended' });
    assert.equal(await purchasesOf(shop), 3);
  });

  it('shares no purchases with another file that has the same rows', async () => {
    const shop = await openShop(gateway);
    const one = await uploaded(shop.live, csvOf(numbers(3)));
    const other = await uploaded(shop.live, csvOf(numbers(4)));
    assert.notEqual(one, other);
    for (const id of [one, other]) await set(shop.live, id, 'running');
    const ended = [await untilOver(shop.live, one), await untilOver(shop.live, other)];
    assert.deepEqual(
      ended.map(({ progress }) => progress.success),
      [3, 4],
    );
    assert.equal(await purchasesOf(shop), 7);
  });

  it('buys rows that repeat an earlier one only when duplicates are allowed', async () => {
    const shop = await openShop(gateway);
    const [phone = ''] = numbers(1);
    const id = await uploaded(shop.live, csvOf([phone, ...numbers(2), `234${phone.slice(1)}`]));
    assert.equal((await find(shop.live, id)).body.data.duplicates, 2);
    assertRefused(await set(shop.live, id, 'running'), 400, { reason: 'batch_has_duplicates' });
    assert.equal(await purchasesOf(shop), 0);
    assert.equal((await set(shop.live, id, 'running', { allow_duplicates: true })).status, 200);
    const done = await untilOver(shop.live, id);
    assert.equal(done.progress.success, 4);
    assert.deepEqual(
      (await rowsOf(shop.live, id)).map(({ duplicate_of: of }) => of),
      [null, 1, null, 1],
    );
  });

  it('does not start unless the balance covers it', async () => {
    const shop = await openShop(gateway, { balance: 15_000n });
    const id = await uploaded(shop.live, csvOf(numbers(2)));
    assertRefused(await set(shop.live, id, 'running'), 400, { reason: 'batch_not_covered' });
    await credit(gateway, shop.code, 'live', 5_000n);
    assert.equal((await set(shop.live, id, 'running')).status, 200);
    assert.equal((await untilOver(shop.live, id)).progress.success, 2);
  });

  it('pauses when a spend cap is reached, and continues when it is resumed', async () => {
    const shop = await openShop(gateway);
    const spending = { purchaseCap: undefined, dailyCap: 25_000n, mcpPurchases: false };
    const key = await issueKey(gateway, shop.code, { environment: 'live', spending });
    const id = await uploaded(key, csvOf(numbers(5)));
    await set(key, id, 'running');
    let paused: Answer['body'] = {};
    await until('the batch pauses', async () => {
      paused = (await find(key, id)).body.data;
      return paused.state === 'paused';
    });
    assert.equal(paused.pause_reason, 'over_daily_cap');
    const { waiting, failed } = paused.progress;
    assert.deepEqual([waiting, failed], [2, 1]);
    await gateway.database.transaction(async (tx) => {
      await updateSpending(tx, key.key, { ...spending, dailyCap: undefined });
      await announceChange(tx, `credential:${key.key}`);
    });
    await set(key, id, 'running');
    const done = await untilOver(key, id);
    assert.deepEqual([done.progress.success, done.progress.failed], [4, 1]);
  });
});

describe('a batch that is changed', () => {
  it('answers concurrent equal changes in the same way, and changes once', async () => {
    const shop = await openShop(gateway);
    const id = await uploaded(shop.live, csvOf(numbers(40)));
    assertRefused(await set(shop.live, id, 'paused'), 400, { reason: 'batch_not_started' });
    for (const state of ['running', 'paused', 'running', 'paused', 'running']) {
      const twins = await Promise.all([set(shop.live, id, state), set(shop.live, id, state)]);
      const states = twins.map(({ status, body }) => [status, body.data?.state ?? body.reason]);
      // A batch can end between the two.
      for (const one of states) {
        assert.ok(one[0] === 200 ? [state, 'done'].includes(one[1]) : one[1] === 'batch_ended', `${one}`);
      }
    }
    const done = await untilOver(shop.live, id);
    assert.equal(done.progress.success, 40);
    assert.equal(await purchasesOf(shop), 40);
  });

  it('buys no further rows once it is stopped, and cannot be resumed', async () => {
    const shop = await openShop(gateway);
    const id = await uploaded(shop.live, csvOf(numbers(60)));
    await set(shop.live, id, 'running');
    const twins = await Promise.all([set(shop.live, id, 'stopped'), set(shop.live, id, 'stopped')]);
    assert.deepEqual(
      twins.map(({ status, body }) => [status, body.data.state]),
      [
        [200, 'stopped'],
        [200, 'stopped'],
      ],
    );
    assertRefused(await set(shop.live, id, 'running'), 400, { reason: 'batch_ended' });
    let { progress } = (await find(shop.live, id)).body.data;
    await until('what was under way has ended', async () => {
      ({ progress } = (await find(shop.live, id)).body.data);
      return progress.pending === 0;
    });
    assert.equal(progress.success + progress.waiting, 60);
    assert.ok(progress.waiting > 0);
    assert.equal(await purchasesOf(shop), progress.success);
  });

  it('hides a batch from other merchants, and from the other environment', async () => {
    const [shop, other] = [await openShop(gateway), await openShop(gateway)];
    const id = await uploaded(shop.live, csvOf(numbers(1)));
    for (const as of [other.live, shop.test]) {
      assertRefused(await find(as, id), 404, { reason: 'no_batch' });
      assertRefused(await set(as, id, 'running'), 404, { reason: 'no_batch' });
      assertRefused(await gateway.call('GET', `/v1/batches/${id}/rows`, { as }), 404, { reason: 'no_batch' });
      assert.deepEqual((await gateway.call('GET', '/v1/batches', { as })).body.data.batches, []);
    }
    assertRefused(await find(shop.live, 'x'), 404, { reason: 'no_batch' });
    // The same file of another merchant is another batch.
    assert.notEqual(await uploaded(other.live, csvOf(numbers(1))), id);
  });

  it('pauses when its credential is revoked', async () => {
    const shop = await openShop(gateway);
    const key = await issueKey(gateway, shop.code, { environment: 'live' });
    const id = await uploaded(key, csvOf(numbers(4)));
    await gateway.database.transaction((tx) => revokeCredential(tx, key.key, 'test'));
    await set(shop.live, id, 'running');
    await until('the batch pauses', async () => (await find(shop.live, id)).body.data.state === 'paused');
    assert.equal((await find(shop.live, id)).body.data.pause_reason, 'credential_ended');
    assert.equal(await purchasesOf(shop), 0);
  });
});

describe('a file that cannot be bought', () => {
  const refusals: readonly [what: string, csv: string, reason: Reason][] = [
    ['has heads only', head, 'batch_file_unreadable'],
    ['was read in another encoding', `${head}\n0803\ufffd1234567,MTN,100`, 'batch_file_unreadable'],
    ['has an open quote', `${head}\n"08031234567,MTN,100`, 'batch_file_unreadable'],
    ['has too many columns', `${head}${',x'.repeat(98)}\n08031234567,MTN,100`, 'batch_file_unreadable'],
    ['has no network', 'Phone,Amount\n08031234567,100', 'batch_column_missing'],
    ['has no customer', 'Network,Amount\nMTN,100', 'batch_column_missing'],
    ['has two amounts', 'Phone,Network,Amount,Price\n08031234567,MTN,100,100', 'batch_column_repeated'],
    ['has a wrong row', `${head}\n08031234567,MTN,100\n0803,MTN,100`, 'batch_rows_invalid'],
    ['splits an amount at its comma', `${head}\n08031234567,MTN,100,000`, 'batch_rows_invalid'],
    ['has too many rows', `${head}\n${'08031234567,MTN,100\n'.repeat(10_001)}`, 'batch_rows_full'],
  ];
  for (const [what, csv, reason] of refusals) {
    it(`refuses as ${reason} a file that ${what}`, async () => {
      const shop = await openShop(gateway);
      assertRefused(await upload(shop.live, csv), 400, { reason });
      assert.deepEqual((await gateway.call('GET', '/v1/batches', { as: shop.live })).body.data.batches, []);
    });
  }

  it('refuses faulty rows with row and column, by the rules of single purchases', async () => {
    const shop = await openShop(gateway);
    const csv = `${head}\n0803,MTN,100\n08031234567,XYZ,1\n08031234567,MTN,100`;
    const { body } = await upload(shop.live, csv);
    assert.deepEqual(
      body.errors.map(({ field, reason }: { field: string; reason: string }) => [field, reason]),
      [
        ['row 1: Phone', 'field_invalid'],
        ['row 2: Network', 'field_invalid'],
        ['row 2: Amount', 'field_invalid'],
      ],
    );
  });

  it('buys the kind of airtime that a row names, and refuses a kind that is not sold', async () => {
    const shop = await openShop(gateway);
    const { test } = gateway.credentials;
    const headed = `${head},Kind,Plan`;
    const id = await uploaded(
      test,
      `${headed}\n08031234567,MTN,100,VTU,\n08031234567,MTN,100,,\n08031234567,MTN,100,Share & Sell,\n08031234567,MTN,100,SME,MTN-1`,
    );
    await set(test, id, 'running', { allow_duplicates: true });
    await untilOver(test, id);
    const rows = await rowsOf(test, id);
    assert.deepEqual(
      rows.map(({ product, kind, duplicate_of: of }) => [product, kind, of]),
      [
        ['airtime', 'vtu', null],
        ['airtime', null, 1],
        ['airtime', 'share_and_sell', null],
        ['data', null, null],
      ],
    );
    const bought = await gateway.database.query<{ kind: string }>(
      'select plan_kind_of(product, details) as kind from purchases where reference = any($1) order by reference',
      [rows.map(({ request_ref: reference }) => reference)],
    );
    assert.deepEqual(
      bought.map(({ kind }) => kind),
      ['vtu', 'vtu', 'share_and_sell', 'gifting'],
    );
    const { body } = await upload(shop.live, `${headed}\n08031234567,MTN,100,Awuf,`);
    assert.deepEqual(
      body.errors.map(({ field, reason }: { field: string; reason: string }) => [field, reason]),
      [['row 1: Kind', 'field_invalid']],
    );
    const unsold = await upload(shop.live, `${headed}\n08031234567,MTN,100,Share & Sell,`);
    assertRefused(unsold, 400, { reason: 'batch_rows_invalid' });
  });

  it('refuses a file over 2 MB, while other routes keep their limits', async () => {
    const shop = await openShop(gateway);
    assertRefused(await upload(shop.live, 'x'.repeat(2 * 1_048_576)), 400, { reason: 'body_too_large' });
    const body = airtime({ merchant: shop.code, more: 'x'.repeat(70_000) });
    const answer = await gateway.call('POST', airtimeSync, { as: shop.live, body });
    assertRefused(answer, 400, { reason: 'body_too_large' });
  });
});

describe('a large batch', () => {
  it('does not delay another merchant: its purchases are final before the batch is', async () => {
    const [greedy, other] = [await openShop(gateway), await openShop(gateway)];
    const id = await uploaded(greedy.live, csvOf(numbers(900)));
    await set(greedy.live, id, 'running');
    await until('rows are bought', async () => (await purchasesOf(greedy)) > 20);
    const bought = airtime({ merchant: other.code });
    assert.equal((await gateway.call('POST', airtimeAsync, { as: other.live, body: bought })).status, 200);
    await until('the other purchase is final', async () => {
      const { body } = await statusOf(gateway, bought.request_ref, other.live);
      return body.code === '00';
    });
    const { state, progress } = (await find(greedy.live, id)).body.data;
    assert.equal(state, 'running');
    assert.ok(progress.waiting > 0);
    // It never has more pending purchases than its share.
    assert.ok(progress.pending <= 40, `${progress.pending} pending`);
    await set(greedy.live, id, 'stopped');
  });
});

/**
 * GET /v1/wallet/statement and /v1/wallet/mtn/balance, and the operator's commands for both, on a
 * running gateway.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatDay } from '../../src/core/clock.ts';
import { runOja } from '../cli/harness.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import type { Answer, KeyPair } from '../support/gateway.ts';
import {
  airtime,
  airtimeSync,
  assertRefused,
  eventually,
  openSharedGateway,
  walletOf,
} from './gateway-under-test.ts';
import { openShop } from './shop.ts';

const gateway = await openSharedGateway();
await awayFromMidnight();
const path = '/v1/wallet/statement';
const settings = { DATABASE_URL: gateway.databaseUrl };
const today = formatDay(new Date());

function read(query: string, as: KeyPair, headers: Record<string, string> = {}): Promise<Answer> {
  return gateway.call('GET', `${path}${query}`, { as, headers });
}

async function oja(...args: string[]) {
  const ran = await runOja(settings, args);
  assert.equal(ran.code, 0, ran.err);
  return ran.out;
}

/** A shop that bought three times, for 100, 200 and 300 naira, of its 1,000. */
async function busyShop() {
  const shop = await openShop(gateway, { balance: 100_000n });
  const references: unknown[] = [];
  for (const amount of ['100', '200', '300']) {
    const body = airtime({ merchant: shop.code, amount });
    references.push(body.request_ref);
    const sold = await gateway.call('POST', airtimeSync, { as: shop.test, body });
    assert.equal(sold.body.response_code, '00');
  }
  return { ...shop, references };
}

describe('the statement', { concurrency: true }, () => {
  it('shows the movements of the wallet, and ends at the balance', async () => {
    const shop = await busyShop();
    const { status, body, text } = await read('', shop.test);
    assert.equal(status, 200, text);
    const { result } = body;
    assert.deepEqual(Object.keys(result), ['opening_balance', 'closing_balance', 'items', 'next_cursor']);
    assert.deepEqual(Object.keys(result.items[1]), [
      'time',
      'type',
      'reference',
      'internal_reference',
      'amount',
      'balance',
    ]);
    assert.deepEqual(
      result.items.map((item: Record<string, string>) => [item.type, item.amount, item.balance]),
      [
        ['correction', '1000.00', '1000.00'],
        ['purchase', '-100.00', '900.00'],
        ['purchase', '-200.00', '700.00'],
        ['purchase', '-300.00', '400.00'],
      ],
    );
    assert.deepEqual(
      result.items.slice(1).map((item: { reference: string }) => item.reference),
      shop.references,
    );
    assert.deepEqual(
      [result.opening_balance, result.closing_balance, result.next_cursor],
      ['0.00', '400.00', null],
    );
    assert.equal((await walletOf(gateway, shop.test)).balance, '400.00');
    assert.ok(
      result.items.every(
        (item: { time: string }) => item.time.startsWith(today) && item.time.endsWith('+01:00'),
      ),
    );
    assert.equal((await read('', shop.live)).body.result.closing_balance, '1000.00');
  });

  it('returns pages', async () => {
    const shop = await busyShop();
    const whole = (await read('?limit=100', shop.test)).body.result.items;
    const items: unknown[] = [];
    let cursor = '';
    do {
      const { result } = (await read(`?limit=3${cursor}`, shop.test)).body;
      items.push(...result.items);
      cursor = result.next_cursor === null ? '' : `&cursor=${result.next_cursor}`;
      assert.equal(result.closing_balance, '400.00');
    } while (cursor !== '');
    assert.deepEqual(items, whole);
  });

  it('returns different lines for different days, and none for future days', async () => {
    const shop = await busyShop();
    const past = (await read('?from=2026-01-01&to=2026-01-31', shop.test)).body.result;
    assert.deepEqual(past, {
      opening_balance: '0.00',
      closing_balance: '0.00',
      items: [],
      next_cursor: null,
    });
    const later = (await read('?from=2999-12-30&to=2999-12-31', shop.test)).body.result;
    assert.deepEqual(later, {
      opening_balance: '400.00',
      closing_balance: '400.00',
      items: [],
      next_cursor: null,
    });
    assert.equal((await read(`?from=2026-01-01&to=${today}`, shop.test)).body.result.items.length, 4);
  });

  it('returns CSV on request', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const body = airtime({ merchant: shop.code, request_ref: '=1+1,"x"' });
    await gateway.call('POST', airtimeSync, { as: shop.test, body });
    const asked = await read('?format=csv', shop.test);
    assert.equal(asked.status, 200);
    assert.match(String(asked.headers['content-type']), /^text\/csv/);
    assert.match(
      String(asked.headers['content-disposition']),
      new RegExp(`statement-${today}-${today}\\.csv`),
    );
    const lines = asked.text.split('\r\n');
    assert.equal(lines[0], 'time,type,reference,internal_reference,amount,balance');
    assert.match(lines[1] ?? '', /T00:00:00\.000\+01:00,opening,,,,0\.00$/);
    assert.match(lines[3] ?? '', /,purchase,"'=1\+1,""x""",[0-9a-f-]{36},-100\.00,900\.00$/);
    assert.match(lines[4] ?? '', /,closing,,,,900\.00$/);
    assert.equal(lines.length, 6);
    const negotiated = await read('', shop.test, { accept: 'text/csv' });
    assert.equal(negotiated.text, asked.text);
    assert.equal((await read('?format=json', shop.test, { accept: 'text/csv' })).body.state, 'ok');
    assert.equal((await read('', shop.test, { accept: '*/*' })).body.state, 'ok');
  });

  it('refuses invalid queries with the fault', async () => {
    const shop = await busyShop();
    const wrong: readonly (readonly [string, string])[] = [
      ['from=2026-02-30', 'from'],
      ['to=21-11-2026', 'to'],
      ['from=2026-11-21T00:00:00Z', 'from'],
      ['from=2026-11-02&to=2026-11-01', 'from'],
      ['currency=XYZ', 'currency'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=ten', 'limit'],
      ['cursor=abc', 'cursor'],
      [`cursor=${crypto.randomUUID()}.${crypto.randomUUID()}`, 'cursor'],
      ['format=xml', 'format'],
      ['from=2026-11-01&from=2026-11-02', 'from'],
    ];
    for (const [query, field] of wrong) assertRefused(await read(`?${query}`, shop.test), 400, field);
    // Empty values count as absent.
    assert.equal((await read('?from=&cursor=&currency=', shop.test)).status, 200);
    const { next_cursor: own } = (await read('?limit=1', shop.test)).body.result;
    assertRefused(await read(`?cursor=${own}`, shop.live), 400, 'cursor');
    assertRefused(await read('?currency=USD', shop.test), 404);
    assertRefused(await read('?currency=USD&format=csv', shop.test), 404);
    assertRefused(await gateway.call('GET', path, { as: { key: 'no', secret: 'no' } }), 401);
  });

  it('shows the operator the same as text, CSV and JSON, with purchase and reason', async () => {
    const shop = await busyShop();
    const args = ['wallet', 'statement', shop.code, '--env', 'test', '--from', today, '--to', today];
    const lines = (await oja(...args)).trimEnd().split('\n');
    assert.ok(lines[0]?.endsWith(` ${shop.code}`));
    assert.ok(lines.some((line) => /^closing balance +400\.00$/.test(line)));
    assert.match(
      lines.at(-1) ?? '',
      new RegExp(` purchase +${String(shop.references[2])} .* -300\\.00 +400\\.00 +airtime +MTN +0\\d{10}`),
    );
    const json = JSON.parse(await oja(...args, '--json')).data;
    const own = (await read('', shop.test)).body.result.items;
    const told = json.items.map((item: object) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => name in own[0])),
    );
    assert.deepEqual(told, own);
    assert.deepEqual(
      [json.items[0].memo, json.items[1].product, json.items[1].network],
      ['for a test', 'airtime', 'MTN'],
    );
    assert.deepEqual([json.opening_balance, json.closing_balance], ['0.00', '400.00']);
    const csv = (await oja(...args, '--csv')).split('\r\n');
    assert.deepEqual(
      csv.map((line) => line.split(',').slice(0, 6).join(',')),
      (await read('?format=csv', shop.test)).text.split('\r\n'),
    );
    assert.match(csv[0] ?? '', /,balance,product,network,recipient,memo$/);
    assert.match(csv[3] ?? '', /,airtime,MTN,0\d{10},$/);
    const backwards = await runOja(settings, [...args, '--from', '2999-01-01']);
    assert.equal(backwards.code, 1);
  });
});

describe('an operator’s settings apply to the running gateway', () => {
  it('applies a credit line at once', async () => {
    const shop = await openShop(gateway, { balance: 10_000n });
    const buy = async (amount: string): Promise<string> => {
      const body = airtime({ merchant: shop.code, amount });
      return (await gateway.call('POST', airtimeSync, { as: shop.test, body })).body.response_code;
    };
    assert.equal(await buy('150'), '01');
    const said = await oja('merchant', 'floor', shop.code, '-100', '--env', 'test');
    assert.match(said, /-100\.00.*postpaid.*\b200\.00/s);
    assert.equal(await buy('150'), '00');
    assert.equal(await buy('50.01'), '01');
    const { result } = (await gateway.call('GET', '/v1/wallet/balance', { as: shop.test })).body;
    assert.deepEqual(
      [result.balance, result.billing_mode, result.credit_floor, result.available],
      ['-50.00', 'postpaid', '-100.00', '50.00'],
    );
    const ran = await runOja(settings, ['merchant', 'floor', shop.code, '0', '--env', 'test']);
    assert.equal(ran.code, 1);
    assert.match(ran.err, /-50\.00/);
  });

  it('applies a wallet in another currency', async () => {
    const shop = await openShop(gateway, { balance: 0n });
    const balance = () => gateway.call('GET', '/v1/wallet/balance?currency=USD', { as: shop.live });
    assertRefused(await balance(), 404);
    await oja('wallet', 'open', shop.code, 'USD');
    const answer = await eventually('the wallet is there', async () => {
      const now = await balance();
      return now.status === 200 ? now : undefined;
    });
    assert.deepEqual([answer.body.result.currency, answer.body.result.balance], ['USD', '0.00']);
    await oja('wallet', 'credit', shop.code, '12.50', '--env', 'live', '--currency', 'USD', '--memo', 'test');
    assert.equal((await balance()).body.result.balance, '12.50');
    assert.equal((await read('?currency=USD', shop.live)).body.result.closing_balance, '12.50');
    assert.match(await oja('wallet', 'open', shop.code, 'usd', '--env', 'live'), /\bUSD\b/);
  });

  it('applies MTN vending lines, of one environment', async () => {
    const shop = await openShop(gateway, { balance: 0n });
    const balances = (as: KeyPair) => gateway.call('GET', '/v1/wallet/mtn/balance', { as });
    const none = { state: 'ok', result: { wallets: [], total: '0.00' } };
    assert.deepEqual((await balances(shop.live)).body, none);
    await oja('merchant', 'mtn-line', 'add', shop.code, '08031234567', 'Mama Put Stores');
    await oja('merchant', 'mtn-line', 'add', shop.code, '08031230001', 'Branch');
    assert.deepEqual((await balances(shop.live)).body, {
      state: 'ok',
      result: {
        wallets: [
          { phone: '2348031234567', balance: '4567.00', client_name: 'Mama Put Stores' },
          { phone: '2348031230001', balance: '1.00', client_name: 'Branch' },
        ],
        total: '4568.00',
      },
    });
    assert.deepEqual((await balances(shop.test)).body, none);
    assert.match(
      await oja('merchant', 'mtn-line', 'list', shop.code),
      /2348031234567 +Mama Put Stores +4567\.00 +20/,
    );
    await oja('merchant', 'mtn-line', 'remove', shop.code, '08031230001');
    assert.equal((await balances(shop.live)).body.result.total, '4567.00');
  });
});

/**
 * Vouchers through the public interface: issued by the operator, redeemed into eSIMs once, and
 * given back by orders that fail.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { creditWallet } from '../../src/wallet/operations/credit-wallet.ts';
import { runOja } from '../cli/harness.ts';
import type { Answer, CallOptions } from '../support/gateway.ts';
import {
  assertAudited,
  assertRefused,
  eventually,
  footprint,
  merchantCode,
  merchantId,
  newReference,
  openSharedGateway,
  walletOf,
} from './gateway-under-test.ts';
import { openShop } from './shop.ts';

const gateway = await openSharedGateway();
const path = '/v1/giftcards/redeem';
const PLAN = 'NG-1GB-7D';
const FAILING = 'TEST-FAIL';

type Issued = { readonly id: string; readonly code: string };

// biome-ignore lint/suspicious/noExplicitAny: a result is looked into by path, and the assertions judge its shape
async function oja(...args: string[]): Promise<any> {
  const ran = await runOja({ DATABASE_URL: gateway.databaseUrl, OJA_DATA_DIR: gateway.dataDir }, [
    ...args,
    '--json',
  ]);
  assert.equal(ran.code, 0, ran.err);
  return JSON.parse(ran.out).data;
}

async function issue(
  count = 1,
  value = '5000',
  merchant = merchantCode(),
  env = 'test',
): Promise<readonly Issued[]> {
  const issued = await oja(
    'voucher',
    'issue',
    merchant,
    '--value',
    value,
    '--count',
    `${count}`,
    '--env',
    env,
  );
  return issued.vouchers;
}

async function issueOne(value?: string, merchant?: string, env?: string): Promise<Issued> {
  const [voucher] = await issue(1, value, merchant, env);
  assert.ok(voucher);
  return voucher;
}

function redeem(body: Readonly<Record<string, unknown>>, as?: CallOptions['as']): Promise<Answer> {
  const whole = { request_id: newReference(), product: 'ESIM', plan: PLAN, ...body };
  return gateway.call('POST', path, { body: whole, ...(as !== undefined && { as }) });
}

function finished(reference: string): Promise<Answer> {
  return eventually('the order is final', async () => {
    const answer = await gateway.call('GET', `/v1/esim/orders/${reference}`);
    return answer.body.response_code === '02' ? undefined : answer;
  });
}

/** The orders of earlier tests have ended, so only this test changes holds and books. */
async function noneUnderWay(): Promise<void> {
  await eventually('no order is under way', async () => {
    const pending = await gateway.database.query('select from pending_purchases where merchant_id >= $1', [
      merchantId(),
    ]);
    return pending.length === 0 || undefined;
  });
}

function kobo(naira: string): bigint {
  return BigInt(naira.replace('.', ''));
}

describe('a voucher', () => {
  it('pays one eSIM, and credits the rest of its value to the wallet', async () => {
    await noneUnderWay();
    const before = await walletOf(gateway);
    const { id, code } = await issueOne();
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
    assert.equal(kobo((await walletOf(gateway)).balance), kobo(before.balance) - 500_000n);
    const reference = newReference();
    // As a person may type it.
    const answer = await redeem({
      request_id: reference,
      code: ` ${code.toLowerCase().replaceAll('-', ' ')}`,
      pin: '',
      product: 'esim',
    });
    assert.deepEqual([answer.status, answer.body.response_code], [200, '02'], answer.text);
    const held = await walletOf(gateway);
    assert.equal(held.available, (await walletOf(gateway)).available);
    assert.equal((await oja('voucher', 'show', id)).state, 'taken');
    const order = await finished(reference);
    assert.equal(order.body.response_code, '00');
    assert.equal(order.body.data.product, 'ESIM');
    assert.match(order.body.data.iccid, /^\d{19}$/);
    const after = await walletOf(gateway);
    assert.equal(kobo(after.balance), kobo(before.balance) - kobo(order.body.data.amount));
    assert.equal(after.held, before.held);
    assertRefused(await redeem({ code }), 400, 'code');
    const shown = await oja('purchase', 'show', reference);
    assert.equal(shown.voucher.id, id);
    assert.equal(shown.voucher.hint, code.slice(-4));
    assert.ok(!JSON.stringify(shown).includes(code));
    const codes = shown.timeline.map((event: { detail: string }) => event.detail.split(':')[0]);
    for (const name of ['voucher redeem', 'purchase cost', 'voucher rest'])
      assert.ok(codes.includes(name), name);
    assert.equal((await oja('voucher', 'show', id)).state, 'redeemed');
    const events = await gateway.call('GET', '/v1/events?limit=100&types=voucher.redeemed');
    const { data } = events.body.data.find(
      (event: { data: Record<string, string> }) => event.data.voucher_id === id,
    );
    assert.deepEqual([data.request_id, data.hint, data.value], [reference, code.slice(-4), '5000.00']);
    await assertAudited(gateway.database);
  });

  it('of the price of the eSIM leaves no rest, and its event is sent all the same', async () => {
    const { data: quote } = (await gateway.call('GET', `/v1/esim/plans/${PLAN}/quote`)).body;
    const { id, code } = await issueOne(quote.ngn_amount);
    const reference = newReference();
    assert.equal((await redeem({ request_id: reference, code })).body.response_code, '02');
    assert.equal((await finished(reference)).body.response_code, '00');
    const events = await gateway.call('GET', '/v1/events?limit=100&types=voucher.redeemed');
    const told = events.body.data.filter(
      (event: { data: Record<string, string> }) => event.data.voucher_id === id,
    );
    assert.deepEqual(
      told.map((event: { data: Record<string, string> }) => [event.data.request_id, event.data.value]),
      [[reference, quote.ngn_amount]],
    );
    await assertAudited(gateway.database);
  });

  it('an order that fails returns the voucher, which can be redeemed again', async () => {
    const { id, code } = await issueOne();
    await noneUnderWay();
    const before = await walletOf(gateway);
    const failed = await redeem({ code, plan: FAILING });
    assert.deepEqual([failed.status, failed.body.response_code], [200, '01'], failed.text);
    assert.deepEqual(await walletOf(gateway), before);
    assert.equal((await oja('voucher', 'show', id)).state, 'open');
    const again = await redeem({ code });
    assert.equal(again.body.response_code, '02', again.text);
    assert.equal((await oja('voucher', 'show', id)).orders.length, 2);
    await assertAudited(gateway.database);
  });

  it('pays one order of twenty at once', async () => {
    const { code } = await issueOne();
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem({ code })));
    const taken = answers.filter((answer) => answer.status === 200);
    assert.equal(taken.length, 1);
    for (const answer of answers.filter((one) => one !== taken[0])) assertRefused(answer, 400, 'code');
    await assertAudited(gateway.database);
  });

  it('pays one order when one request comes twenty times at once', async () => {
    const { code } = await issueOne();
    const reference = newReference();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => redeem({ code, request_id: reference })),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
    assert.equal(answers.filter((answer) => answer.status === 422).length, 19);
    const [duplicate] = answers.filter((answer) => answer.status === 422);
    assert.equal(duplicate?.body.data.response_code, '02');
  });

  it('pays even if the wallet is empty', async () => {
    const shop = await openShop(gateway, { balance: 500_000n });
    await oja('merchant', 'enable', shop.code, 'ESIM', '--env', 'test');
    const { code } = await issueOne('5000', shop.code);
    assert.equal((await walletOf(gateway, shop.test)).available, '0.00');
    const answer = await eventually('the product is enabled', async () => {
      const tried = await redeem({ code }, shop.test);
      return tried.status === 403 ? undefined : tried;
    });
    assert.equal(answer.body.response_code, '02', answer.text);
    const wallet = await walletOf(gateway, shop.test);
    assert.equal(wallet.available, '0.00');
    assert.equal(wallet.held, answer.body.data.amount);
  });

  it('refuses a voucher of another merchant or environment, and a cancelled one', async () => {
    const shop = await openShop(gateway);
    await oja('merchant', 'enable', shop.code, 'ESIM', '--env', 'test');
    const { id, code } = await issueOne();
    const stranger = await eventually('the product is enabled', async () => {
      const tried = await redeem({ code }, shop.test);
      return tried.status === 403 ? undefined : tried;
    });
    const refused = { field: 'code', reason: 'no_such_voucher' } as const;
    assertRefused(stranger, 400, refused);
    const live = await issueOne('5000', shop.code, 'live');
    const other = await redeem({ code: live.code }, shop.test);
    assertRefused(other, 400, refused);
    assert.equal(other.body.message, stranger.body.message);
    await noneUnderWay();
    const before = await walletOf(gateway);
    await oja('voucher', 'cancel', id, '--yes');
    assert.equal(kobo((await walletOf(gateway)).balance), kobo(before.balance) + 500_000n);
    const gone = await redeem({ code });
    assertRefused(gone, 400, refused);
    assert.equal(gone.body.message, stranger.body.message);
    const settings = { DATABASE_URL: gateway.databaseUrl, OJA_DATA_DIR: gateway.dataDir };
    assert.equal((await runOja(settings, ['voucher', 'cancel', id, '--yes'])).code, 1);
    await assertAudited(gateway.database);
  });

  it('refuses a wrong field, and stores nothing', async () => {
    const { code } = await issueOne();
    const small = await issueOne('1');
    const wrong = `${code.slice(0, -1)}${code.endsWith('7') ? '8' : '7'}`;
    const cases: readonly (readonly [Record<string, unknown>, number, string])[] = [
      [{ code: wrong }, 400, 'code'],
      [{ code: 'ABC' }, 400, 'code'],
      [{ code: '' }, 400, 'code'],
      [{ code: 7 }, 400, 'code'],
      [{ code: '4F7K-9QXM-2D8H-B3TG' }, 400, 'code'],
      [{ code: undefined }, 422, 'code'],
      [{ code, pin: '1234' }, 400, 'pin'],
      [{ code, product: 'GIFTCARD' }, 400, 'product'],
      [{ code, product: undefined }, 422, 'product'],
      [{ code, plan: 'NO-SUCH' }, 404, 'plan'],
      [{ code, plan: 7 }, 404, 'plan'],
      [{ code, plan: undefined }, 422, 'plan'],
      [{ code, request_id: 'x'.repeat(41) }, 400, 'request_id'],
      [{ code, request_id: undefined }, 422, 'request_id'],
      [{ code: small.code }, 400, 'plan'],
    ];
    await noneUnderWay();
    const before = await footprint(gateway.database);
    for (const [body, status, field] of cases) assertRefused(await redeem(body), status, field);
    assert.deepEqual(await footprint(gateway.database), before);
  });

  it('issues no voucher beyond the balance of the wallet', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const settings = { DATABASE_URL: gateway.databaseUrl, OJA_DATA_DIR: gateway.dataDir };
    const run = (value: string, count: string) =>
      runOja(settings, ['voucher', 'issue', shop.code, '--value', value, '--count', count, '--env', 'test']);
    const refused = await run('500.01', '2');
    assert.equal(refused.code, 1);
    assert.match(refused.err, /\b1000\.00\b/);
    assert.equal((await run('500', '0')).code, 2);
    const ran = await run('500', '2');
    assert.equal(ran.code, 0, ran.err);
    assert.equal((await oja('voucher', 'list', shop.code, '--state', 'open')).length, 2);
    await gateway.database.transaction((tx) =>
      creditWallet(
        tx,
        { merchantCode: shop.code, environment: 'test', currency: 'NGN', amount: 1n, memo: 'books move on' },
        'test',
      ),
    );
  });

  it('logs no code', async () => {
    const { code } = await issueOne();
    await redeem({ code });
    const plain = code.replaceAll('-', '');
    assert.ok(!gateway.output().includes(code) && !gateway.output().includes(plain));
  });
});

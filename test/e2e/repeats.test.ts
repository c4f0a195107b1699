/**
 * A repeat reports whether it requests the same purchase, and which fields differ: by their
 * meaning, against the stored first request.
 */
import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { compareWithFirst, type RepeatComparer } from '../../src/purchases/idempotency/compare-with-first.ts';
import { aPrincipal, purchaseId } from '../api/harness.ts';
import { runOja } from '../cli/harness.ts';
import type { Answer } from '../support/gateway.ts';
import { betting, cable, electricity } from './bills.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  anyProduct,
  assertRefused,
  data,
  dataAsync,
  dataSync,
  type Fields,
  footprint,
  merchantCode,
  merchantId,
  newReference,
  openSharedGateway,
} from './gateway-under-test.ts';
import { cardOrders, esimOrders } from './goods.ts';
import { openShop } from './shop.ts';

const gateway = await openSharedGateway();
const { database } = gateway;
const redeemPath = '/v1/giftcards/redeem';

function send(path: string, body: unknown): Promise<Answer> {
  return gateway.call('POST', path, { body });
}

async function buy(path: string, body: Fields): Promise<string> {
  const answer = await send(path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.internal_reference;
}

async function purchasesOf(): Promise<object[]> {
  return await database.query('select from purchases where merchant_id >= $1', [merchantId()]);
}

/** Returns the message, which must name the fields and no value. */
async function assertTold(
  path: string,
  body: Fields,
  told: { readonly differing?: readonly string[]; readonly uncompared?: readonly string[] } = {},
): Promise<string> {
  const { differing = [], uncompared = [] } = told;
  const answer = await send(path, body);
  const field = 'request_ref' in body || 'client_request_id' in body ? 'request_ref' : 'request_id';
  assertRefused(answer, 422, { field, reason: 'reference_used' });
  const { data: subject, message } = answer.body;
  assert.deepEqual(
    [subject.differing_fields, subject.uncompared_fields ?? []],
    [differing, uncompared],
    answer.text,
  );
  const expected = differing.length > 0 ? true : uncompared.length > 0 ? undefined : false;
  assert.equal(subject.differs, expected);
  for (const field of differing.length > 0 ? differing : uncompared)
    assert.ok(message.includes(field), message);
  return message;
}

async function issueVoucher(): Promise<string> {
  const { out, code, err } = await runOja(
    { DATABASE_URL: gateway.databaseUrl, OJA_DATA_DIR: gateway.dataDir },
    [...['voucher', 'issue', merchantCode(), '--value', '5000', '--count', '1', '--env', 'test', '--json']],
  );
  assert.equal(code, 0, err);
  return JSON.parse(out).data.vouchers[0].code;
}

describe('a repeat of a transaction', () => {
  it('treats a repeat in other spellings as the same transaction', async () => {
    const body = airtime();
    const { request_ref, merchant, msisdn, ...rest } = body;
    await buy(airtimeSync, body);
    const before = await footprint(database);
    const number = '2348031234567';
    for (const [path, again] of [
      [airtimeSync, body],
      [airtimeAsync, { ...body, msisdn: number, network: 'MTN', amount: '100' }],
      [
        anyProduct,
        {
          ...body,
          product: 'AIRTIME',
          msisdn: `+${number}`,
          amount: '100.0',
          merchant: merchantCode().toLowerCase(),
        },
      ],
      [
        airtimeSync,
        { ...rest, merchant_code: merchant, customer_msisdn: msisdn, client_request_id: request_ref },
      ],
      [airtimeSync, { ...body, plan_code: 'MTN-1', phone: '0', note: 'what airtime does not take' }],
    ] as const) {
      await assertTold(path, again);
    }
    const plan = data();
    await buy(dataSync, plan);
    const { plan_code, ...unplanned } = plan;
    await assertTold(dataAsync, { ...plan, plan_code: 'mtn-1' });
    await assertTold(dataSync, { ...unplanned, plan: plan_code });
    const [row] = await database.query<{ id: number }>("select id from plans where plan_code = 'GLO-1'");
    const glo = data({ network: 'glo', plan_code: 'GLO-1', amount: '50.00' });
    await buy(dataSync, glo);
    await assertTold(dataSync, { ...glo, plan_code: row?.id });
    assert.notDeepEqual(await footprint(database), before);
  });

  it('names each field with a different meaning', async () => {
    const airtimeFirst = airtime();
    const dataFirst = data();
    const meter = electricity({ phone: '08031234567' });
    const bouquet = cable();
    const bet = betting();
    await buy(airtimeSync, airtimeFirst);
    await buy(dataSync, dataFirst);
    for (const bill of [meter, bouquet, bet]) await buy(anyProduct, bill);
    const before = await footprint(database);
    for (const [path, first, changes, differing] of [
      [airtimeSync, airtimeFirst, { merchant: 'NOBODY' }, ['merchant']],
      [airtimeSync, airtimeFirst, { msisdn: '08031234568' }, ['msisdn']],
      [airtimeSync, airtimeFirst, { customer_msisdn: '08031234568' }, ['msisdn']],
      [airtimeSync, airtimeFirst, { network: 'glo' }, ['network']],
      [airtimeSync, airtimeFirst, { amount: '100.01' }, ['amount']],
      [airtimeSync, airtimeFirst, { amount: null, msisdn: [] }, ['msisdn', 'amount']],
      [anyProduct, airtimeFirst, { product: 'data', plan_code: 'MTN-1' }, ['product', 'plan_code']],
      [cardOrders, airtimeFirst, { request_id: airtimeFirst.request_ref, plan_id: 300002 }, ['product']],
      [dataSync, dataFirst, { plan_code: 'MTN-2' }, ['plan_code']],
      [dataSync, dataFirst, { plan_code: 'NO-SUCH' }, ['plan_code']],
      [dataSync, dataFirst, { plan_code: undefined }, ['plan_code']],
      [airtimeSync, dataFirst, {}, ['product']],
      [anyProduct, meter, { network: 'EKEDC' }, ['network']],
      [anyProduct, meter, { network: 'nobody' }, ['network']],
      [anyProduct, meter, { msisdn: '10000000003' }, ['msisdn']],
      [anyProduct, meter, { plan_code: 2002 }, ['plan_code']],
      [anyProduct, meter, { amount: '5000.50' }, ['amount']],
      [anyProduct, meter, { phone: '08031234568' }, ['phone']],
      [anyProduct, meter, { phone: undefined }, ['phone']],
      [anyProduct, bouquet, { phone: '08031234567' }, ['phone']],
      [anyProduct, bet, { phone: '2348031234568', msisdn: 'TESTBET002' }, ['msisdn', 'phone']],
      [anyProduct, bet, { product: 'nothing' }, ['product']],
    ] as const) {
      const key = path === cardOrders ? { request_ref: undefined } : {};
      const body: Fields = JSON.parse(JSON.stringify({ ...first, ...changes, ...key }));
      const message = await assertTold(path, body, { differing });
      assert.doesNotMatch(message, /08031234567|100\.00/);
    }
    for (const [first, changes] of [
      [meter, { network: 'ikeja electric', phone: '2348031234567', plan_code: 2001, amount: '5000' }],
      [bouquet, { product: 'cable', network: 'dstv' }],
      [bet, { phone: '+2348031234567', network: 'bet9ja' }],
    ] as const) {
      await assertTold(anyProduct, { ...first, ...changes });
    }
    assert.deepEqual(await footprint(database), before);
  });

  it('compares with the first purchase of its own merchant and environment', async () => {
    const shop = await openShop(gateway);
    const body = airtime({ merchant: shop.code });
    const [test, live] = [{ ...body }, { ...body, amount: '200.00' }];
    for (const [as, first] of [
      [shop.test, test],
      [shop.live, live],
    ] as const) {
      assert.equal((await gateway.call('POST', airtimeSync, { as, body: first })).status, 200);
    }
    const other = { ...body, merchant: merchantCode(), amount: '300.00' };
    await buy(airtimeSync, other);
    for (const [as, same] of [
      [shop.test, test],
      [shop.live, live],
      [undefined, other],
    ] as const) {
      for (const one of [test, live, other]) {
        const answer = await gateway.call('POST', airtimeSync, { ...(as && { as }), body: one });
        assert.equal(answer.body.data.differs, one !== same, answer.text);
      }
    }
  });

  it('ignores erased fields and plans that left the catalog', async () => {
    const [bet, late] = [betting(), electricity()];
    const ids = [await buy(anyProduct, bet), await buy(anyProduct, late)];
    await database.transaction(async (tx) => {
      await tx.query("set local oja.anonymising = 'on'");
      await tx.query(
        `update purchases
         set details = details - 'phone' - 'customer', msisdn = repeat('*', length(msisdn)), recipient = repeat('*', length(recipient))
         where id = any($1)`,
        [ids],
      );
    });
    const uncompared = ['msisdn', 'phone'];
    await assertTold(anyProduct, bet, { uncompared });
    await assertTold(anyProduct, { ...late, msisdn: '10000000003' }, { uncompared });
    await assertTold(anyProduct, { ...bet, amount: '501' }, { differing: ['amount'], uncompared });
  });

  it('ignores fields that a provider’s list lacks', async () => {
    const row = {
      product: 'BETTING',
      network: 'BET9JA',
      plan_code: '2201',
      msisdn: 'A1',
      recipient: 'A1',
      face_value: 50_000n,
      details: null,
      is_restored: true,
      is_old: false,
      is_unpaid: false,
      channel: null,
      destination: null,
      is_fixed_card: null,
      card_value: null,
      code_hash: null,
    };
    const comparer: RepeatComparer = {
      sql: { query: async () => [row] as never },
      catalog: {
        findDataPlan: () => ({ kind: 'unknown' }),
        findBillPlan: () => ({ kind: 'unknown' }),
        findBiller: () => undefined,
      },
      sealer: { open: () => undefined },
      pepper: createSecretKey(Buffer.alloc(32)),
    };
    const sent = {
      product: ['BETTING'],
      network: ['bet9ja'],
      customer: ['A1'],
      plan: ['2202'],
      amount: ['600'],
      phone: ['08031234567'],
    };
    const compare = (of: RepeatComparer) => compareWithFirst(of, aPrincipal(), purchaseId, sent);
    assert.deepEqual(await compare(comparer), { differing: ['amount'], unknown: ['plan', 'phone'] });
    const bought = { ...row, is_restored: false };
    const own = { ...comparer, sql: { query: async () => [bought] as never } };
    // Its plan is no longer on sale, and could have had the other code.
    assert.deepEqual(await compare(own), { differing: ['amount', 'phone'], unknown: ['plan'] });
  });
});

describe('a repeat of an order', () => {
  const email = { send_via: 'email', destination: 'ada@example.com' };

  it('treats a repeat in other spellings as the same order, and names differences', async () => {
    const plain: Fields = { request_id: newReference(), plan_id: 300002 };
    const sent: Fields = { request_id: newReference(), plan_id: 300002, quantity: 2, ...email };
    const texted: Fields = {
      ...plain,
      request_id: newReference(),
      send_via: 'sms',
      destination: '08031234567',
    };
    const esim: Fields = { request_id: newReference(), plan_id: 'NG-1GB-7D' };
    for (const card of [plain, sent, texted]) await buy(cardOrders, card);
    await buy(esimOrders, esim);
    const before = (await purchasesOf()).length;
    for (const [path, first, changes, differing] of [
      [cardOrders, plain, { quantity: 1, destination: 'says nothing alone', face_value: 7 }, []],
      [cardOrders, plain, { plan_id: 300003 }, ['plan_id']],
      [cardOrders, plain, { quantity: 2 }, ['quantity']],
      [cardOrders, plain, email, ['send_via', 'destination']],
      [cardOrders, sent, { send_via: 'EMAIL', destination: 'ADA@example.com' }, []],
      [cardOrders, sent, { quantity: undefined }, ['quantity']],
      [cardOrders, sent, { destination: 'obi@example.com' }, ['destination']],
      [cardOrders, sent, { send_via: undefined }, ['send_via']],
      [cardOrders, texted, { destination: '+2348031234567' }, []],
      [cardOrders, texted, { send_via: 'whatsapp' }, ['send_via']],
      [esimOrders, esim, { plan_id: 'ng-1gb-7d' }, []],
      [esimOrders, esim, { plan_id: 'US-1GB-7D' }, ['plan_id']],
      [cardOrders, esim, { plan_id: 300002 }, ['product']],
      [airtimeSync, esim, { ...airtime(), request_ref: esim.request_id, request_id: undefined }, ['product']],
    ] as const) {
      const body: Fields = JSON.parse(JSON.stringify({ ...first, ...changes }));
      const message = await assertTold(path, body, { differing });
      assert.doesNotMatch(message, /@|0803/);
    }
    assert.equal((await purchasesOf()).length, before);
    await database.query("update deliveries set destination = '', hint = '' where merchant_id >= $1", [
      merchantId(),
    ]);
    await assertTold(cardOrders, sent, { uncompared: ['destination'] });
    const other = { ...sent, quantity: 3 };
    await assertTold(cardOrders, other, { differing: ['quantity'], uncompared: ['destination'] });
  });

  it('compares a voucher by its code, without returning it', async () => {
    const [code, other] = [await issueVoucher(), await issueVoucher()];
    const redeemed: Fields = { request_id: newReference(), product: 'ESIM', plan: 'NG-1GB-7D', code };
    await buy(redeemPath, redeemed);
    await assertTold(redeemPath, {
      ...redeemed,
      code: code.toLowerCase().replaceAll('-', ' '),
      product: 'esim',
    });
    for (const [path, body, differing] of [
      [redeemPath, { ...redeemed, code: other }, ['code']],
      [redeemPath, { ...redeemed, code: '0000' }, ['code']],
      [redeemPath, { ...redeemed, plan: 'US-1GB-7D' }, ['plan']],
      [redeemPath, { ...redeemed, product: 'airtime' }, ['product']],
      [esimOrders, { request_id: redeemed.request_id, plan_id: 'NG-1GB-7D' }, ['code']],
    ] as const) {
      const message = await assertTold(path, body, { differing });
      assert.ok(!message.includes(code) && !message.includes(other));
    }
    const paid: Fields = { request_id: newReference(), plan_id: 'NG-1GB-7D' };
    await buy(esimOrders, paid);
    await assertTold(redeemPath, { ...redeemed, request_id: paid.request_id }, { differing: ['code'] });
  });
});

/**
 * How a repeat differs from the first purchase: each field by its meaning, against one row of the
 * store. Every value that means the same has a twin that does not.
 */
import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { findBillPlan, indexBillPlans } from '../../../src/catalog/bill-plan-index.ts';
import { findBiller, indexBillers } from '../../../src/catalog/biller-index.ts';
import { findDataPlan, indexDataPlans } from '../../../src/catalog/data-plan-index.ts';
import type { PurchaseRole, Repeat } from '../../../src/core/request-fault.ts';
import { createSealer, newSealingKey } from '../../../src/core/sealing.ts';
import { destinationPlace } from '../../../src/notifications/messages/destination.ts';
import {
  compareWithFirst,
  type RepeatComparer,
  type SentPurchase,
} from '../../../src/purchases/idempotency/compare-with-first.ts';
import type { FirstPurchaseRow } from '../../../src/purchases/idempotency/first-purchase-store.ts';
import { hashVoucherCode, newVoucherCode } from '../../../src/wallet/vouchers/voucher-code.ts';
import { aPrincipal, purchaseId } from '../../api/harness.ts';
import { billPlan, dataPlan } from '../../simulation/products.ts';
import { createTestDatabase } from '../../support/database.ts';
import { accept, openBuyer, purchase } from '../fixture.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());

const dataPlans = indexDataPlans([
  dataPlan,
  { ...dataPlan, planCode: 'MTN-2', id: 3, tariffTypeId: '3', shortCode: 'MTN-2GB-30D' },
]);
const billPlans = indexBillPlans([
  { ...billPlan, tariffTypeId: '1' },
  { ...billPlan, id: 4 },
]);
const electricity = { product: 'ELECTRICITY', name: 'Power', aliases: [], active: true } as const;
const billers = indexBillers([
  { ...electricity, network: 'Ikeja Electric', aliases: [{ name: 'IKEDC' }] },
  { ...electricity, network: 'EKEDC' },
]);
const sealer = createSealer(newSealingKey());
const pepper = createSecretKey(Buffer.alloc(32));
const comparer: Omit<RepeatComparer, 'sql'> = {
  catalog: {
    findDataPlan: (network, code, amount) => findDataPlan(dataPlans, network, code, amount),
    findBillPlan: (product, network, code) => findBillPlan(billPlans, product, network, code),
    findBiller: (product, text) => findBiller(billers, product, text),
  },
  sealer,
  pepper,
};

const airtime: FirstPurchaseRow = {
  product: 'airtime',
  network: 'MTN',
  plan_code: null,
  msisdn: '08031234567',
  recipient: '2348031234567',
  face_value: 100_00n,
  details: null,
  is_restored: false,
  is_old: false,
  is_unpaid: false,
  channel: null,
  destination: null,
  is_fixed_card: null,
  card_value: null,
  code_hash: null,
};
const data = { ...airtime, product: 'data', plan_code: 'MTN-1', details: { kind: 'direct' } } as const;
const meter: FirstPurchaseRow = {
  ...airtime,
  product: 'ELECTRICITY',
  network: 'Ikeja Electric',
  plan_code: '2',
  msisdn: '10000000001',
  recipient: '10000000001',
  details: { phone: '08031234567' },
};
const waec = { ...airtime, product: 'EDUCATION', network: 'WAEC', plan_code: '5' };
const card = { ...airtime, product: 'GIFTCARD', network: 'Shop', plan_code: '300002' };

/** One field, the values that were sent for it, and its verdict. */
type Case = readonly [
  first: FirstPurchaseRow,
  role: PurchaseRole,
  values: readonly unknown[],
  verdict: Verdict,
];
type Verdict = 'same' | 'differs' | 'unknown';

async function compare(first: FirstPurchaseRow, sent: SentPurchase): Promise<Repeat | undefined> {
  const sql = { query: async () => [first] as never };
  return await compareWithFirst({ ...comparer, sql }, aPrincipal(), purchaseId, sent);
}

async function assertVerdicts(cases: readonly Case[], also: SentPurchase = {}): Promise<void> {
  for (const [first, role, values, verdict] of cases) {
    const repeat = await compare(first, { product: [first.product], ...also, [role]: values });
    assert.deepEqual(
      repeat,
      { differing: verdict === 'differs' ? [role] : [], unknown: verdict === 'unknown' ? [role] : [] },
      `${first.product} ${role} ${JSON.stringify(values)} is ${verdict}`,
    );
  }
}

describe('a field of a repeated transaction', () => {
  it('is the same in every spelling of network and customer, and in no other value', async () => {
    const mobile9 = { ...airtime, network: '9MOBILE' };
    const gone = { ...meter, network: 'Gone Electric' };
    const erased = { ...meter, recipient: '***********' };
    await assertVerdicts([
      [airtime, 'merchant', ['demo'], 'same'],
      [airtime, 'merchant', [], 'differs'],
      [airtime, 'network', ['mtn', 'Mtn'], 'same'],
      [airtime, 'network', ['mtn', 'glo'], 'differs'],
      [airtime, 'network', [], 'differs'],
      [mobile9, 'network', ['t2'], 'same'],
      [mobile9, 'network', ['mtn'], 'differs'],
      [meter, 'network', ['ikedc'], 'same'],
      [meter, 'network', ['ekedc'], 'differs'],
      [meter, 'network', ['nobody'], 'differs'],
      [gone, 'network', ['ekedc'], 'differs'],
      [gone, 'network', ['nobody'], 'unknown'],
      [airtime, 'customer', ['08031234567', 2348031234567], 'same'],
      [{ ...airtime, msisdn: 'as sent' }, 'customer', ['as sent'], 'same'],
      [airtime, 'customer', ['08031234568'], 'differs'],
      [airtime, 'customer', [{ of: '08031234567' }], 'differs'],
      [airtime, 'customer', [], 'differs'],
      [waec, 'customer', ['+2348031234567'], 'same'],
      [waec, 'customer', ['08031234568'], 'differs'],
      [meter, 'customer', ['10000000002'], 'differs'],
      [erased, 'customer', ['10000000001'], 'unknown'],
      [erased, 'customer', [], 'differs'],
    ]);
  });

  it('is the same by every code of the plan, and by its usual kind only if none was sent', async () => {
    const left = { ...data, plan_code: 'MTN-9' };
    const shared = { ...airtime, details: { kind: 'share_and_sell' } } as const;
    await assertVerdicts([
      [airtime, 'plan', [], 'same'],
      [airtime, 'plan', ['MTN-1'], 'differs'],
      [data, 'plan', ['mtn-1', '1', 'mtn-1gb-30d'], 'same'],
      [data, 'plan', ['MTN-2'], 'differs'],
      [data, 'plan', ['NO-SUCH'], 'differs'],
      [data, 'plan', [], 'differs'],
      [left, 'plan', ['MTN-1'], 'differs'],
      [left, 'plan', ['NO-SUCH'], 'unknown'],
      [{ ...data, network: 'VISAFONE' }, 'plan', ['1'], 'unknown'],
      [meter, 'plan', [2, '1'], 'same'],
      [meter, 'plan', [4], 'differs'],
      [{ ...meter, plan_code: '9' }, 'plan', ['nothing'], 'unknown'],
      [airtime, 'kind', [], 'same'],
      [airtime, 'kind', ['share_and_sell'], 'differs'],
      [shared, 'kind', ['share_and_sell'], 'same'],
      [shared, 'kind', [], 'differs'],
      [data, 'kind', ['sme'], 'same'],
      [airtime, 'amount', [100, '100.00'], 'same'],
      [airtime, 'amount', ['100.01'], 'differs'],
      [airtime, 'amount', [true], 'differs'],
      [airtime, 'amount', [], 'differs'],
    ]);
  });

  it('is unknown for a phone only where one may have been erased', async () => {
    const without = { ...meter, details: null };
    const old = { ...without, is_old: true };
    const seen = { ...old, details: { customer: { name: 'ADA OBI' } } };
    await assertVerdicts([
      [airtime, 'phone', [], 'same'],
      [airtime, 'phone', ['08031234567'], 'differs'],
      [meter, 'phone', ['+2348031234567'], 'same'],
      [meter, 'phone', ['08031234568'], 'differs'],
      [meter, 'phone', ['no number'], 'differs'],
      [meter, 'phone', [], 'differs'],
      [{ ...meter, details: { phone: 'no number' } }, 'phone', ['no number'], 'same'],
      [without, 'phone', [], 'same'],
      [without, 'phone', ['08031234567'], 'differs'],
      [old, 'phone', [], 'unknown'],
      [seen, 'phone', [], 'same'],
      [seen, 'phone', ['08031234567'], 'differs'],
      [{ ...without, recipient: '***' }, 'phone', [], 'unknown'],
      [{ ...meter, is_restored: true }, 'phone', ['08031234568'], 'unknown'],
      [{ ...meter, is_restored: true }, 'customer', ['10000000002'], 'differs'],
    ]);
  });
});

describe('a field of a repeated order', () => {
  it('is the same with the default that the first order took, and differs from another', async () => {
    const item = { quantity: 2, unitPrice: '2500', currency: 'USD' } as const;
    const two = { ...card, details: { item }, is_fixed_card: false, card_value: 25_00n };
    await assertVerdicts([
      [card, 'plan', [300002], 'same'],
      [card, 'plan', [300003], 'differs'],
      [card, 'plan', [], 'differs'],
      [{ ...card, plan_code: null }, 'plan', [300002], 'differs'],
      [card, 'quantity', [], 'same'],
      [card, 'quantity', [2], 'differs'],
      [two, 'quantity', ['2'], 'same'],
      [two, 'quantity', [], 'differs'],
      [two, 'cardValue', [], 'same'],
      [two, 'cardValue', ['25'], 'same'],
      [two, 'cardValue', ['30'], 'differs'],
      [two, 'cardValue', ['much'], 'differs'],
      [{ ...two, card_value: 10_00n }, 'cardValue', [], 'differs'],
      [{ ...two, card_value: null }, 'cardValue', [], 'unknown'],
      [{ ...two, details: null }, 'cardValue', ['25'], 'differs'],
      [{ ...two, is_fixed_card: true }, 'cardValue', ['30'], 'same'],
    ]);
  });

  it('compares the decrypted address of the channel that was sent, or reports it as unknown', async () => {
    const email = { ...card, channel: 'email', destination: '' } as const;
    const seal = (place: string, address: string): string => sealer.seal(destinationPlace(place), address);
    const sealed = { ...email, destination: seal(purchaseId, 'ada@example.com') };
    const unpaid = { ...card, is_unpaid: true };
    const texted = { ...email, channel: 'sms', destination: seal(purchaseId, '2348031234567') } as const;
    await assertVerdicts([
      [email, 'channel', ['EMAIL'], 'same'],
      [email, 'channel', ['sms'], 'differs'],
      [email, 'channel', [], 'differs'],
      [card, 'channel', [], 'same'],
      [card, 'channel', ['email'], 'differs'],
      [unpaid, 'channel', ['email'], 'unknown'],
      [sealed, 'address', ['an address without a channel'], 'same'],
    ]);
    await assertVerdicts(
      [
        [sealed, 'address', ['ADA@example.com'], 'same'],
        [sealed, 'address', ['obi@example.com'], 'differs'],
        [sealed, 'address', ['no address'], 'differs'],
        [sealed, 'address', [], 'differs'],
        [email, 'address', ['ada@example.com'], 'unknown'],
        [
          { ...email, destination: seal('another', 'ada@example.com') },
          'address',
          ['ada@example.com'],
          'unknown',
        ],
      ],
      { channel: ['email'] },
    );
    assert.deepEqual(
      await compare(texted, { product: ['GIFTCARD'], channel: ['SMS'], address: ['08031234567'] }),
      {
        differing: [],
        unknown: [],
      },
    );
    for (const [first, sent, repeat] of [
      [
        sealed,
        { channel: ['pigeon'], address: ['ada@example.com'] },
        { differing: ['channel', 'address'], unknown: [] },
      ],
      [
        unpaid,
        { channel: ['email'], address: ['a@b.ng'] },
        { differing: [], unknown: ['channel', 'address'] },
      ],
      [card, { channel: ['email'], address: [] }, { differing: ['channel'], unknown: [] }],
      [card, { channel: ['email'], address: ['a@b.ng'] }, { differing: ['channel', 'address'], unknown: [] }],
    ] as const) {
      assert.deepEqual(await compare(first, { product: ['GIFTCARD'], ...sent }), repeat);
    }
  });

  it('compares a voucher by its hash in the environment', async () => {
    const code = newVoucherCode((bytes) => Buffer.alloc(bytes, 1));
    const paid = { ...card, code_hash: hashVoucherCode(pepper, 'test', code) };
    await assertVerdicts([
      [paid, 'voucher', [code.toLowerCase()], 'same'],
      [paid, 'voucher', [newVoucherCode((bytes) => Buffer.alloc(bytes, 2))], 'differs'],
      [paid, 'voucher', ['0000'], 'differs'],
      [paid, 'voucher', [], 'differs'],
      [{ ...card, code_hash: hashVoucherCode(pepper, 'live', code) }, 'voucher', [code], 'differs'],
      [card, 'voucher', [], 'same'],
      [card, 'voucher', [code], 'differs'],
    ]);
  });

  it('is not compared with a field of another sort of product', async () => {
    const sent = { plan: ['x'], quantity: [9], amount: ['1'], customer: ['1'] };
    for (const [first, product] of [
      [card, 'airtime'],
      [card, 'esim'],
      [card, 'nothing'],
      [airtime, 'giftcard'],
    ] as const) {
      assert.deepEqual(await compare(first, { ...sent, product: [product] }), {
        differing: ['product'],
        unknown: [],
      });
    }
    const other = await compare(airtime, { ...sent, product: ['data'] });
    assert.deepEqual(other?.differing, ['product', 'customer', 'plan', 'amount']);
  });
});

describe('the first purchase on record', () => {
  it('is found for its own merchant and environment only, with what its order lacks', async () => {
    const { database } = clone;
    const [buyer, stranger] = [await openBuyer(database, 100_00n), await openBuyer(database, 0n)];
    const bought = purchase(buyer, 100_00n);
    const unpaid = purchase(buyer, 100_00n, { product: 'GIFTCARD', planCode: '300002' });
    await accept(database, bought, unpaid);
    const merchant = { ...aPrincipal().merchant, id: buyer.merchantId };
    const own = aPrincipal({ environment: 'live', merchant });
    const find = (id: string, sent: SentPurchase, by = own): Promise<Repeat | undefined> =>
      compareWithFirst({ ...comparer, sql: database }, by, id, sent);
    const same = { product: ['airtime'], network: ['mtn'], customer: ['08031234567'], amount: ['100'] };
    assert.deepEqual(await find(bought.id, same), { differing: [], unknown: [] });
    assert.deepEqual(await find(bought.id, { ...same, amount: ['101'] }), {
      differing: ['amount'],
      unknown: [],
    });
    const order = { product: ['GIFTCARD'], plan: ['300002'], channel: ['email'] };
    assert.deepEqual(await find(unpaid.id, order), { differing: [], unknown: ['channel'] });
    const others = { ...own, merchant: { ...merchant, id: stranger.merchantId } };
    for (const by of [others, aPrincipal({ merchant })])
      assert.equal(await find(bought.id, same, by), undefined);
    assert.equal(await find(purchaseId, same), undefined);
  });
});

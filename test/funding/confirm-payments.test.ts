/**
 * Payments between notice and credit, with a scripted bank: pending, unknown, no answer, and two
 * answers at once.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import type { FundingProvider, PaymentAnswer } from '../../src/funding/banks/funding-provider.ts';
import { confirmPayments } from '../../src/funding/confirm-payments.ts';
import { markActive, markRequested } from '../../src/funding/funding-account-store.ts';
import { insertNotices } from '../../src/funding/notice-store.ts';
import { setFunding } from '../../src/funding/operations/set-funding.ts';
import { sweepPayments } from '../../src/funding/sweep-payments.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { listWallets } from '../../src/wallet/wallet-store.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { refusedAct } from '../support/refusals.ts';
import { fundingBy } from './fixture.ts';

const database = await openFileDatabase();

/** The bank's answer for each reference; absent: unknown there. */
const said = new Map<string, PaymentAnswer>();
let listed: readonly string[] = [];
const sweptSince: Date[] = [];

const bank: FundingProvider = {
  name: 'monnify',
  environment: 'live',
  currencies: ['NGN'],
  keyedByEmail: false,
  openAccount: async () => ({ kind: 'pending' }),
  lookUpAccount: async () => ({ kind: 'pending' }),
  findPayment: async (reference) => said.get(reference) ?? { kind: 'not_paid', reason: 'unknown' },
  listPayments: async (_account, since) => {
    sweptSince.push(since);
    return { kind: 'listed', references: listed };
  },
  readNotice: () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};

const dependencies = fundingBy(database, bank);

const merchant = await database.transaction((tx) =>
  createMerchant(tx, { code: 'SHOP', name: 'Shop' }, 'ada'),
);
const key = { merchantId: merchant.id, environment: 'live', currency: 'NGN' } as const;
const walletId = (await listWallets(database, merchant.id)).find(
  (row) => row.environment === 'live',
)?.account_id;
assert.ok(walletId !== undefined);
const asking = {
  walletId,
  provider: bank.name,
  reference: 'oja-1-ngn',
  customerHash: undefined,
};
await database.transaction((tx) => markRequested(tx, key, asking));
await markActive(database, key, asking, { number: '6000000001', name: 'SHOP', bankName: 'Bank' });

function paid(reference: string, amount: bigint): PaymentAnswer {
  const paidTo = { kind: 'reference', value: 'oja-1-ngn' } as const;
  return { kind: 'paid', payment: { reference, paidTo, amount, currency: 'NGN', paidAt: new Date() } };
}

const tell = (reference: string): Promise<number> =>
  insertNotices(database, bank.name, [reference], 'notice');

async function outcomeOf(reference: string): Promise<string | null | undefined> {
  const [row] = await database.query<{ outcome: string | null }>(
    'select outcome from bank_notices where reference = $1',
    [reference],
  );
  return row?.outcome;
}

async function posted(): Promise<bigint> {
  const wallet = (await listWallets(database, merchant.id)).find((row) => row.environment === 'live');
  return wallet?.posted ?? 0n;
}

/** As if its notice had come that long ago, and were due now. */
async function age(reference: string, interval: string): Promise<void> {
  await database.query(
    `update bank_notices
     set received_at = now() - $2::interval, open_since = now() - $2::interval, due_at = now()
     where reference = $1`,
    [reference, interval],
  );
}

async function triesOf(reference: string): Promise<number | undefined> {
  const [row] = await database.query<{ tries: number }>(
    'select tries from bank_notices where reference = $1',
    [reference],
  );
  return row?.tries;
}

async function alarms(kind: string): Promise<number> {
  return (await database.query('select 1 from alarms where kind = $1', [kind])).length;
}

describe('a payment with a notice', () => {
  it('queries an unpaid payment again, and credits it once it is paid', async () => {
    await tell('late');
    const before = await posted();
    assert.equal(await confirmPayments(dependencies), 1);
    assert.equal(await confirmPayments(dependencies), 0);
    assert.equal(await outcomeOf('late'), null);
    said.set('late', paid('late', 500_000n));
    await age('late', '1 minute');
    assert.equal(await confirmPayments(dependencies), 1);
    assert.equal((await posted()) - before, 490_000n);
    assert.equal(await tell('late'), 0);
    assert.equal(await confirmPayments(dependencies), 0);
  });

  it('gives up on an unpaid payment after a day, until another notice arrives', async () => {
    await tell('never');
    await age('never', '23 hours');
    await confirmPayments(dependencies);
    assert.equal(await outcomeOf('never'), null);
    await age('never', '25 hours');
    await confirmPayments(dependencies);
    assert.equal(await outcomeOf('never'), 'not_paid');
    assert.equal(await alarms('deposit_unpaid'), 1, 'somebody is told');
    said.set('never', paid('never', 200_000n));
    assert.equal(await confirmPayments(dependencies), 0);
    assert.equal(await tell('never'), 1);
    await confirmPayments(dependencies);
    assert.equal(await outcomeOf('never'), 'deposited');
  });

  it('queries a payment for another day after a new notice, or if a list has it', async () => {
    await tell('twice');
    await age('twice', '25 hours');
    await confirmPayments(dependencies);
    assert.equal(await outcomeOf('twice'), 'not_paid');
    assert.equal(await insertNotices(database, bank.name, ['twice'], 'sweep'), 1);
    await confirmPayments(dependencies);
    assert.deepEqual([await outcomeOf('twice'), await triesOf('twice')], [null, 1]);
    await age('twice', '25 hours');
    await confirmPayments(dependencies);
    assert.equal(await outcomeOf('twice'), 'not_paid');
    assert.equal(await tell('twice'), 1);
    await confirmPayments(dependencies);
    assert.deepEqual([await outcomeOf('twice'), await triesOf('twice')], [null, 1]);
  });

  it('never gives up on an unreadable payment, and raises one alarm after a day', async () => {
    said.set('dark', { kind: 'unavailable', reason: 'HTTP 503' });
    await tell('dark');
    await age('dark', '23 hours 59 minutes');
    await confirmPayments(dependencies);
    assert.equal(await alarms('deposit_unread'), 0);
    // No run took place in the ten minutes after the day was over.
    await age('dark', '30 hours');
    await confirmPayments(dependencies);
    assert.equal(await alarms('deposit_unread'), 1);
    await age('dark', '24 hours 5 minutes');
    await confirmPayments(dependencies);
    assert.equal(await alarms('deposit_unread'), 1);
    assert.equal(await outcomeOf('dark'), null);
  });

  it('raises the alarm a day after a notice that follows the settlement', async () => {
    await tell('anew');
    await age('anew', '25 hours');
    await confirmPayments(dependencies);
    assert.equal(await outcomeOf('anew'), 'not_paid');
    const before = await alarms('deposit_unread');
    said.set('anew', { kind: 'unavailable', reason: 'HTTP 503' });
    await insertNotices(database, bank.name, ['anew'], 'sweep');
    await confirmPayments(dependencies);
    assert.deepEqual([await alarms('deposit_unread'), await outcomeOf('anew')], [before, null]);
    await age('anew', '25 hours');
    await confirmPayments(dependencies);
    assert.equal(await alarms('deposit_unread'), before + 1);
    said.delete('anew');
    await age('anew', '26 hours');
    await confirmPayments(dependencies);
  });

  it('ignores a payment that is not a transfer to an account', async () => {
    said.set('card', { kind: 'other' });
    const before = await posted();
    await tell('card');
    await confirmPayments(dependencies);
    assert.equal(await outcomeOf('card'), 'ignored');
    assert.equal(await posted(), before);
  });

  it('credits a payment once when many confirm it at the same moment', async () => {
    const before = await posted();
    const references = Array.from({ length: 10 }, (_, index) => `busy-${index}`);
    for (const reference of references) said.set(reference, paid(reference, 110_000n));
    await insertNotices(database, bank.name, references, 'notice');
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        // Claimed again while others still work on it, as after a lease that expired too soon.
        await database.query('update bank_notices set due_at = now() where due_at is not null');
        await confirmPayments(dependencies);
      }),
    );
    await confirmPayments(dependencies);
    assert.equal((await posted()) - before, 1_000_000n);
    const events = await database.query<{ facts: object }>(
      "select facts - 'deposit' as facts from events where type = 'deposit.credited' and facts->>'gross' = '110000'",
    );
    const facts = { currency: 'NGN', gross: '110000', fee: '10000', credited: '100000' };
    assert.deepEqual(
      events,
      Array.from({ length: 10 }, () => ({ facts })),
    );
    const { checks } = await auditPurchases(database);
    assert.deepEqual(
      checks.filter((check) => !check.ok),
      [],
    );
  });
});

describe('a sweep', () => {
  it('queries only the new payments of a list', async () => {
    said.set('missed', paid('missed', 300_000n));
    listed = ['missed', 'late', 'card'];
    assert.equal(await sweepPayments(dependencies, 60_000), 1);
    assert.equal(await sweepPayments(dependencies, 60_000), 0, 'it is not due yet');
    await confirmPayments(dependencies);
    assert.equal(await outcomeOf('missed'), 'deposited');
    await database.query('update funding_accounts set sweep_due_at = now()');
    assert.equal(await sweepPayments(dependencies, 60_000), 0);
    assert.ok(sweptSince.every((since) => since.getTime() < Date.now() - 2 * 86_400_000));
  });
});

describe('bank funding of a merchant', () => {
  it('enables and disables bank funding once, records it in the audit log, and requires a wallet', async () => {
    const set = (currency: 'NGN' | 'USD', enabled: boolean): Promise<{ changed: boolean }> =>
      database.transaction((tx) =>
        setFunding(tx, { merchantCode: 'SHOP', environment: 'live', currency, enabled }, 'ada'),
      );
    assert.deepEqual(await set('NGN', true), { changed: true });
    assert.deepEqual(await set('NGN', true), { changed: false });
    assert.deepEqual(await set('NGN', false), { changed: true });
    assert.deepEqual(await set('NGN', false), { changed: false });
    await assert.rejects(set('USD', true), refusedAct('merchant_has_no_wallet', { currency: 'USD' }));
    const entries = await database.query(
      "select action, actor from audit_log where action like 'funding.%' order by id",
    );
    assert.deepEqual(entries, [
      { action: 'funding.enable', actor: 'ada' },
      { action: 'funding.disable', actor: 'ada' },
    ]);
  });
});

/**
 * Accounts between registration and opening, with a scripted bank: overdue, refused, and requested
 * by several at once.
 */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createSealer, newSealingKey } from '../../src/core/sealing.ts';
import type { AccountAnswer, FundingProvider } from '../../src/funding/banks/funding-provider.ts';
import {
  claimUnsettledAccounts,
  makeAccountsDue,
  markActive,
  markRequested,
  takeAccount,
} from '../../src/funding/funding-account-store.ts';
import { upsertIdentity } from '../../src/funding/identity-store.ts';
import { queryBank } from '../../src/funding/query-bank.ts';
import { sealIdentity } from '../../src/funding/sealed-identity.ts';
import { settleAccounts } from '../../src/funding/settle-accounts.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { listWallets } from '../../src/wallet/wallet-store.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { fundingBy } from './fixture.ts';

const database = await openFileDatabase();

let answer: AccountAnswer = { kind: 'pending' };
/** `open` if the account was requested, `look` if it was only looked up. */
const asked: string[] = [];

const bank: FundingProvider = {
  name: 'monnify',
  environment: 'live',
  currencies: ['NGN'],
  keyedByEmail: false,
  openAccount: async () => {
    asked.push('open');
    return answer;
  },
  lookUpAccount: async () => {
    asked.push('look');
    return answer;
  },
  findPayment: async () => ({ kind: 'other' }),
  listPayments: async () => ({ kind: 'listed', references: [] }),
  readNotice: () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};

const dependencies = fundingBy(database, bank);

const merchant = await database.transaction((tx) =>
  createMerchant(tx, { code: 'SHOP', name: 'Shop' }, 'ada'),
);
const key = { merchantId: merchant.id, environment: 'live', currency: 'NGN' } as const;
const wallets = await listWallets(database, merchant.id);
const walletId = wallets.find((row) => row.environment === 'live')?.account_id;
assert.ok(walletId !== undefined);
const asking = { walletId, provider: bank.name, reference: 'oja-1-ngn', customerHash: undefined };

const sealed = sealIdentity(dependencies.sealer, key, {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Obi',
  phone: '08031234567',
  bvn: '22222222222',
});
await database.transaction((tx) => upsertIdentity(tx, key, { sealed, bvnEnding: '22' }));

beforeEach(async () => {
  await database.query('delete from funding_accounts');
  await database.query('delete from alarms');
  asked.length = 0;
  answer = { kind: 'pending' };
});

const register = (): Promise<void> => database.transaction((tx) => markRequested(tx, key, asking));

type Row = { readonly status: string; readonly tries: number; readonly due: boolean | null };

async function account(): Promise<Row | undefined> {
  const [row] = await database.query<Row>(
    'select status, tries, due_at <= now() as due from funding_accounts',
  );
  return row;
}

/** Moves the request into the past, so that it is due now. */
async function age(interval: string): Promise<void> {
  await database.query(
    'update funding_accounts set requested_at = now() - $1::interval, created_at = now() - $1::interval, due_at = now()',
    [interval],
  );
}

async function alarms(): Promise<string[]> {
  const rows = await database.query<{ kind: string }>('select kind from alarms order by id');
  return rows.map(({ kind }) => kind);
}

test('raises one alarm for an account that is not open after a day, however late the next query is', async () => {
  await register();
  await age('23 hours 59 minutes');
  assert.equal(await settleAccounts(dependencies), 1);
  assert.deepEqual(await alarms(), []);
  // No run took place in the ten minutes after the day was over.
  await age('3 days');
  answer = { kind: 'unavailable', reason: 'HTTP 503' };
  assert.equal(await settleAccounts(dependencies), 1);
  assert.deepEqual(await alarms(), ['funding_overdue']);
  await age('3 days');
  await settleAccounts(dependencies);
  await age('24 hours 5 minutes');
  await settleAccounts(dependencies);
  assert.deepEqual(await alarms(), ['funding_overdue']);
  assert.deepEqual(await account(), { status: 'pending', tries: 4, due: false });
  assert.deepEqual(asked, ['open', 'look', 'look', 'look']);
});

test('raises one more alarm when that account is refused, and gives a new registration another day', async () => {
  await register();
  await age('2 days');
  await settleAccounts(dependencies);
  await age('2 days');
  answer = { kind: 'refused', message: 'no more accounts', ours: true };
  await settleAccounts(dependencies);
  assert.deepEqual(await alarms(), ['funding_overdue', 'funding_refused']);
  assert.deepEqual(await account(), { status: 'refused', tries: 2, due: null });
  assert.equal(await settleAccounts(dependencies), 0);

  await register();
  answer = { kind: 'pending' };
  assert.equal(await settleAccounts(dependencies), 1);
  assert.deepEqual(await alarms(), ['funding_overdue', 'funding_refused']);
  await age('25 hours');
  await settleAccounts(dependencies);
  assert.deepEqual(await alarms(), ['funding_overdue', 'funding_refused', 'funding_overdue']);
});

test('removes personal data from a bank’s text before it is stored and shown', async () => {
  const said = 'BVN 22222222222 is not of ADA OBI, ada@example.com, 0803 123 4567';
  for (const ours of [false, true]) {
    await register();
    answer = { kind: 'refused', message: said, ours };
    await settleAccounts(dependencies);
    const rows = await database.query<{ text: string }>(
      'select refusal as text from funding_accounts union all select message from alarms',
    );
    assert.ok(rows.length > 0);
    for (const { text } of rows) {
      assert.match(text, /BVN \[number\] is not of \[name\] \[name\], \[e-mail\], \[number\]/);
    }
  }
});

test('raises no alarm for a refusal that the merchant can resolve', async () => {
  await register();
  answer = { kind: 'refused', message: 'Invalid BVN', ours: false };
  await settleAccounts(dependencies);
  assert.equal((await account())?.status, 'refused');
  assert.deepEqual(await alarms(), []);
});

test('requests an account once at a time, also when the merchant registers again', async () => {
  await register();
  const mine = await database.transaction((tx) => takeAccount(tx, key));
  assert.equal(mine?.tries, 1);
  assert.equal(await database.transaction((tx) => takeAccount(tx, key)), undefined);
  await register();
  assert.equal(await database.transaction((tx) => takeAccount(tx, key)), undefined);
  assert.deepEqual(await claimUnsettledAccounts(database, [bank.name], 10), []);
  assert.equal(await settleAccounts(dependencies), 0);
  // His lease expires.
  await age('1 minute');
  assert.deepEqual(await claimUnsettledAccounts(database, ['paystack'], 10), []);
  const [next] = await claimUnsettledAccounts(database, [bank.name], 10);
  assert.deepEqual([next?.tries, next?.merchant_id], [2, merchant.id]);
});

test('keeps an account active when its merchant registers at the same moment', async () => {
  await register();
  await markActive(database, key, asking, { number: '6000000001', name: 'SHOP', bankName: 'Bank' });
  await register();
  assert.equal(await database.transaction((tx) => takeAccount(tx, key)), undefined);
  assert.deepEqual(await account(), { status: 'active', tries: 0, due: null });
});

test('keeps an account pending that the bank works on when its merchant registers again', async () => {
  await register();
  await settleAccounts(dependencies);
  assert.equal((await account())?.status, 'pending');
  await register();
  assert.equal((await account())?.status, 'pending');
  await age('1 minute');
  await settleAccounts(dependencies);
  assert.deepEqual(asked, ['open', 'look']);
});

test('keeps an account of a bank that the merchant left apart from the next one, and raises an alarm', async () => {
  await register();
  const late = await database.transaction((tx) => takeAccount(tx, key));
  assert.ok(late);
  await database.query("update funding_accounts set status = 'refused', due_at = null, lease_id = null");
  await database.transaction((tx) =>
    markRequested(tx, key, { ...asking, provider: 'paystack', reference: 'oja-1-ngn-2' }),
  );
  answer = { kind: 'active', account: { number: '6000000009', name: 'SHOP', bankName: 'Bank' } };
  const fields = { email: 'a@b.example', firstName: 'A', lastName: 'B', phone: '08031234567' };
  const told = await queryBank(dependencies, { account: late, provider: bank, fields });
  assert.equal(told.kind, 'unavailable');
  const [row] = await database.query('select status, provider, account_number from funding_accounts');
  assert.deepEqual(row, { status: 'requested', provider: 'paystack', account_number: null });
  assert.deepEqual(await alarms(), ['funding_stray']);
});

test('queries the bank before it believes a notice of a refused account', async () => {
  const hash = 'ada';
  const tell = (refusal: string | undefined): Promise<void> =>
    makeAccountsDue(database, bank.name, hash, refusal);
  const known = { ...asking, customerHash: hash };
  const begin = async (): Promise<void> => {
    await database.query('delete from funding_accounts');
    await database.transaction((tx) => markRequested(tx, key, known));
    await settleAccounts(dependencies);
    asked.length = 0;
  };
  // It has the account after all.
  await begin();
  await tell('Invalid BVN');
  assert.equal((await account())?.status, 'pending');
  answer = { kind: 'active', account: { number: '6000000001', name: 'SHOP', bankName: 'Bank' } };
  await settleAccounts(dependencies);
  assert.deepEqual([(await account())?.status, asked], ['active', ['look']]);
  // The bank is unavailable, and then has no account.
  answer = { kind: 'pending' };
  await begin();
  await tell('Invalid BVN');
  answer = { kind: 'unavailable', reason: 'HTTP 503' };
  await settleAccounts(dependencies);
  assert.equal((await account())?.status, 'pending');
  await age('1 minute');
  answer = { kind: 'pending' };
  await settleAccounts(dependencies);
  assert.deepEqual([(await account())?.status, asked], ['refused', ['look', 'look']]);
  // An old notice refuses no registration that has not been sent to the bank yet.
  await database.transaction((tx) => markRequested(tx, key, known));
  await tell('Invalid BVN');
  asked.length = 0;
  await settleAccounts(dependencies);
  assert.deepEqual([(await account())?.status, asked], ['pending', ['open']]);
  // A notice during the query counts at the next query.
  await age('1 minute');
  const [held] = await claimUnsettledAccounts(database, [bank.name], 10);
  assert.ok(held);
  await tell('Invalid BVN');
  assert.equal((await account())?.due, false);
  await age('1 minute');
  await settleAccounts(dependencies);
  assert.equal((await account())?.status, 'refused');
});

test('quarantines an account with an unreadable owner with one alarm, and requests the others', async () => {
  await register();
  const other = { ...key, environment: 'test' } as const;
  const testWallet = wallets.find((row) => row.environment === 'test')?.account_id;
  assert.ok(testWallet !== undefined);
  const sealedElsewhere = sealIdentity(createSealer(newSealingKey()), other, {
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Obi',
    phone: '08031234567',
    bvn: '22222222222',
  });
  await database.transaction(async (tx) => {
    await upsertIdentity(tx, other, { sealed: sealedElsewhere, bvnEnding: '22' });
    await markRequested(tx, other, { ...asking, walletId: testWallet, reference: 'oja-t1-ngn' });
  });
  for (const again of [false, true]) {
    if (again) await age('1 minute');
    asked.length = 0;
    await assert.rejects(settleAccounts(dependencies));
    assert.equal(asked.length, 1);
    assert.deepEqual(await alarms(), ['quarantined']);
    assert.equal(await settleAccounts(dependencies), 0);
  }
});

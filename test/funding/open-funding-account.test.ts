/** Opening a funding account at a scripted bank: each answer, repeats, and two requests at once. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type {
  AccountAnswer,
  AccountOrder,
  FundingProvider,
} from '../../src/funding/banks/funding-provider.ts';
import { createFunding } from '../../src/funding/funding.ts';
import type { FundingAccount } from '../../src/funding/funding-account.ts';
import { setFunding } from '../../src/funding/operations/set-funding.ts';
import type { PersonalFields, Registrant } from '../../src/funding/registration.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { listWallets } from '../../src/wallet/wallet-store.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { refusedFor } from '../support/refusals.ts';
import { fundingBy } from './fixture.ts';

const database = await openFileDatabase();

/** The next answers of the bank; then it opens accounts. */
let answers: (AccountAnswer | Promise<AccountAnswer>)[] = [];
let orders: AccountOrder[] = [];
beforeEach(() => {
  answers = [];
  orders = [];
});

let accounts = 0;

/** An account with a number of its own. */
function opened(): AccountAnswer {
  accounts += 1;
  const number = String(6_000_000_000 + accounts);
  return { kind: 'active', account: { number, name: 'SHOP', bankName: 'Bank' } };
}

const silent: AccountAnswer = { kind: 'unavailable', reason: 'no answer' };

const bank: FundingProvider = {
  name: 'monnify',
  environment: 'live',
  currencies: ['NGN'],
  keyedByEmail: true,
  openAccount: async (order) => {
    orders.push(order);
    return (await answers.shift()) ?? opened();
  },
  lookUpAccount: async () => ({ kind: 'pending' }),
  findPayment: async () => ({ kind: 'not_paid', reason: 'unknown' }),
  readNotice: () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};

const funding = createFunding(fundingBy(database, bank));

let shops = 0;

/** A merchant with naira funding for live credentials, unless `enabled` is false. */
async function newShop(enabled = true): Promise<Registrant> {
  shops += 1;
  const code = `SHOP${shops}`;
  return await database.transaction(async (tx) => {
    const merchant = await createMerchant(tx, { code, name: code }, 'ada');
    const change = { merchantCode: code, environment: 'live', currency: 'NGN', enabled } as const;
    if (enabled) await setFunding(tx, change, 'ada');
    const rows = (await listWallets(tx, merchant.id)).filter((row) => row.environment === 'live');
    const wallets = new Map(rows.map((row) => [row.currency, row.account_id]));
    return { environment: 'live', merchant: { id: merchant.id, code, wallets } };
  });
}

const person: PersonalFields = {
  firstName: 'Ada',
  lastName: 'Obi',
  phone: '+2348031234567',
  bvn: '22222222221',
};

function open(shop: Registrant, fields: PersonalFields = {}): Promise<FundingAccount> {
  const email = `${shop.merchant.code.toLowerCase()}@shop.example`;
  const registration = {
    currency: 'NGN',
    fields: { email, ...person, ...fields },
    document: undefined,
  } as const;
  return funding.openAccount(shop, registration);
}

describe('a funding account', () => {
  it('is opened once, whatever is sent later', async () => {
    const shop = await newShop();
    const first = await open(shop);
    assert.equal(first.status, 'active');
    assert.deepEqual(await open(shop, { lastName: 'Eze' }), first);
    assert.equal(orders.length, 1);
  });

  it('is opened once by two requests at the same time', async () => {
    const shop = await newShop();
    const answer = Promise.withResolvers<AccountAnswer>();
    answers = [answer.promise];
    const both = [open(shop), open(shop)];
    answer.resolve(opened());
    const [one, other] = await Promise.all(both);
    assert.deepEqual(one, other);
    assert.equal(orders.length, 1);
  });

  it('is requested again under the same reference after silence', async () => {
    const shop = await newShop();
    answers = [silent];
    await assert.rejects(open(shop), refusedFor('bank_silent'));
    assert.equal((await open(shop)).status, 'active');
    assert.equal(new Set(orders.map(({ reference }) => reference)).size, 1);
  });

  it('may be requested with other data after a refusal', async () => {
    const shop = await newShop();
    answers = [{ kind: 'refused', message: 'BVN does not match', ours: false }];
    await assert.rejects(open(shop), refusedFor('registration_refused'));
    assert.equal((await open(shop, { bvn: '22222222222' })).status, 'active');
    assert.deepEqual(
      orders.map(({ identity }) => identity.bvn),
      ['22222222221', '22222222222'],
    );
  });

  it('stays pending while the bank opens it', async () => {
    const shop = await newShop();
    answers = [{ kind: 'pending' }];
    assert.equal((await open(shop)).status, 'pending');
    assert.equal((await open(shop)).status, 'pending');
    assert.equal(orders.length, 1);
  });

  it('is refused, and not requested, where the registration cannot be right', async () => {
    await assert.rejects(open(await newShop(false)), refusedFor('funding_not_enabled'));
    const shop = await newShop();
    await assert.rejects(open(shop, { dateOfBirth: '2020-01-01' }), refusedFor('not_an_adult'));
    const { bvn: _, ...withoutBvn } = person;
    const fields = { email: 'ada@shop.example', ...withoutBvn };
    const registration = { currency: 'NGN', fields, document: undefined } as const;
    await assert.rejects(funding.openAccount(shop, registration), refusedFor('registrant_missing'));
    assert.equal(orders.length, 0);
  });

  it('is refused for an e-mail address that another merchant registered at the bank', async () => {
    const email = 'shared@shop.example';
    await open(await newShop(), { email });
    await assert.rejects(open(await newShop(), { email }), refusedFor('email_taken'));
    assert.equal(orders.length, 1);
  });
});

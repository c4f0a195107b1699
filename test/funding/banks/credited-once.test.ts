/**
 * Payments into accounts of Flutterwave and Payvessel, from the notice to the wallet: repeated,
 * forged, altered, for a forgotten account, and reversed later.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { flutterwave } from '../../../src/funding/banks/flutterwave/index.ts';
import { simulatedFlutterwave } from '../../../src/funding/banks/flutterwave/settings.ts';
import type {
  BankAccount,
  FundingProvider,
  PaymentAnswer,
} from '../../../src/funding/banks/funding-provider.ts';
import { payvessel } from '../../../src/funding/banks/payvessel/index.ts';
import { simulatedPayvessel } from '../../../src/funding/banks/payvessel/settings.ts';
import { confirmPayments } from '../../../src/funding/confirm-payments.ts';
import { markActive, markRequested } from '../../../src/funding/funding-account-store.ts';
import { referenceOf } from '../../../src/funding/open-funding-account.ts';
import { sweepPayments } from '../../../src/funding/sweep-payments.ts';
import { takeNotice } from '../../../src/funding/take-notice.ts';
import { createMerchant } from '../../../src/wallet/operations/create-merchant.ts';
import { listWallets } from '../../../src/wallet/wallet-store.ts';
import { payInto, startTestBank } from '../../support/bank.ts';
import { createTestDatabase } from '../../support/database.ts';
import { fundingBy } from '../fixture.ts';

const clone = await createTestDatabase();
const { database } = clone;
const bank = await startTestBank({}, { silent: true });
const host = { sql: database };
const banks: readonly FundingProvider[] = [
  await flutterwave.configure(simulatedFlutterwave(bank.url)).open(host),
  await payvessel.configure(simulatedPayvessel(bank.url)).open(host),
];
after(async () => {
  for (const one of banks) await one[Symbol.asyncDispose]();
  await bank[Symbol.asyncDispose]();
  await clone[Symbol.asyncDispose]();
});

type Told = { readonly body: object; readonly headers: Readonly<Record<string, string>> };

/** A notice of each bank, with the claimed `amount` and `account`. */
const notices: Readonly<Record<string, (reference: string, claims: Claims, forged?: boolean) => Told>> = {
  flutterwave: (reference, { amount, account, currency = 'NGN' }, forged = false) => ({
    body: {
      event: 'charge.completed',
      data: {
        id: Number(reference),
        tx_ref: account,
        amount,
        currency,
        status: 'successful',
        payment_type: 'bank_transfer',
      },
    },
    headers: { 'verif-hash': forged ? 'guessed' : 'simulator-secret-hash' },
  }),
  payvessel: (reference, { amount, account, currency = 'NGN' }, forged = false) => {
    const body = {
      transaction: { reference },
      order: { amount: String(amount), currency },
      virtualAccount: { virtualAccountNumber: account },
    };
    const key = forged ? 'guessed' : 'PVSECRET-simulator';
    const signature = createHmac('sha512', key).update(JSON.stringify(body)).digest('hex');
    return { body, headers: { 'payvessel-http-signature': signature } };
  },
};

type Claims = { readonly amount: number; readonly account: string; readonly currency?: string };

for (const provider of banks) {
  describe(provider.name, () => {
    let said: PaymentAnswer | undefined;
    const dependencies = fundingBy(database, {
      ...provider,
      findPayment: async (reference) => said ?? (await provider.findPayment(reference)),
    });

    type Shop = { readonly id: number; readonly reference: string; readonly account: BankAccount };
    let shops = 0;

    const open = async (reference: string): Promise<BankAccount> => {
      const answer = await provider.openAccount(
        {
          reference,
          currency: 'NGN',
          identity: {
            email: `${reference}@example.com`,
            firstName: 'Ada',
            lastName: 'Obi',
            phone: '2348031234567',
            bvn: '22345678901',
          },
        },
        false,
      );
      assert.ok(answer.kind === 'active', answer.kind);
      return answer.account;
    };

    const openShop = async (): Promise<Shop> => {
      shops += 1;
      const code = `${provider.name.slice(0, 4).toUpperCase()}${shops}`;
      const { id } = await database.transaction((tx) => createMerchant(tx, { code, name: code }, 'ada'));
      const key = { merchantId: id, environment: 'live', currency: 'NGN' } as const;
      const walletId = (await listWallets(database, id)).find(
        (row) => row.environment === 'live',
      )?.account_id;
      assert.ok(walletId !== undefined);
      const reference = referenceOf(dependencies, key);
      const asking = { walletId, provider: provider.name, reference, customerHash: undefined };
      await database.transaction((tx) => markRequested(tx, key, asking));
      const account = await open(reference);
      await markActive(database, key, asking, account);
      return { id, reference, account };
    };

    const posted = async ({ id }: Shop): Promise<bigint> =>
      (await listWallets(database, id)).find((row) => row.environment === 'live')?.posted ?? -1n;

    const notify = (reference: string, claims: Claims, forged?: boolean) => {
      const told = notices[provider.name]?.(reference, claims, forged);
      assert.ok(told !== undefined);
      const bytes = Buffer.from(JSON.stringify(told.body));
      return takeNotice(dependencies, provider.name, bytes, told.headers);
    };

    const claimsOf = ({ reference, account }: Shop, amount: number): Claims => ({
      amount,
      account: provider.name === 'flutterwave' ? reference : account.number,
    });

    it('credits the amount that was read from the bank, once, whatever and however often notices report', async () => {
      const [shop, other] = [await openShop(), await openShop()];
      const { reference } = await payInto(bank.url, shop.account.number, '5000.50');
      assert.equal(await notify(reference, claimsOf(other, 9_000_000)), 'taken');
      assert.equal(await notify(reference, { ...claimsOf(shop, 1), currency: 'USD' }), 'taken');
      await Promise.all([confirmPayments(dependencies), confirmPayments(dependencies)]);
      await notify(reference, claimsOf(shop, 5_000.5));
      await confirmPayments(dependencies);
      assert.equal(await posted(shop), 490_050n);
      assert.equal(await posted(other), 0n);
    });

    it('moves no money for a forged notice, or for a notice of an unknown payment', async () => {
      const shop = await openShop();
      const { reference } = await payInto(bank.url, shop.account.number, '700');
      assert.equal(await notify(reference, claimsOf(shop, 700), true), 'forged');
      assert.equal(await notify('12345678', claimsOf(shop, 700)), 'taken');
      await confirmPayments(dependencies);
      assert.equal(await posted(shop), 0n);
    });

    it('credits two equal payments into one account twice', async () => {
      const shop = await openShop();
      for (let count = 0; count < 2; count += 1) {
        const { reference } = await payInto(bank.url, shop.account.number, '600');
        await notify(reference, claimsOf(shop, 600));
      }
      await confirmPayments(dependencies);
      assert.equal(await posted(shop), 100_000n);
    });

    it('reverses nothing and credits nothing again when the bank reverses a payment later', async () => {
      const shop = await openShop();
      const { reference } = await payInto(bank.url, shop.account.number, '600');
      await notify(reference, claimsOf(shop, 600));
      await confirmPayments(dependencies);
      said = { kind: 'not_paid', reason: 'status failed' };
      await notify(reference, claimsOf(shop, 600));
      await confirmPayments(dependencies);
      said = undefined;
      await notify(reference, claimsOf(shop, 600));
      await confirmPayments(dependencies);
      assert.equal(await posted(shop), 50_000n);
    });

    it('loses no payment into an account whose opening was not answered', async () => {
      const shop = await openShop();
      // The same request again: the bank has another account of the merchant, unknown to us.
      const forgotten = await open(shop.reference);
      assert.notEqual(forgotten.number, shop.account.number);
      const { reference } = await payInto(bank.url, forgotten.number, '600');
      await notify(reference, claimsOf(shop, 600));
      await confirmPayments(dependencies);
      const [deposit] = await database.query<{ merchant_id: number | null; gross: bigint }>(
        'select merchant_id, gross from deposits where provider = $1 and provider_reference = $2',
        [provider.name, reference],
      );
      // Flutterwave names our reference, Payvessel the number only: that payment is in suspense.
      const owner = provider.name === 'flutterwave' ? shop.id : null;
      assert.deepEqual(deposit, { merchant_id: owner, gross: 60_000n });
    });

    it('finds a payment without a notice if the bank has a list', async () => {
      const shop = await openShop();
      await payInto(bank.url, shop.account.number, '800');
      const found = await sweepPayments(dependencies, 60_000);
      assert.equal(found > 0, provider.listPayments !== undefined);
      await confirmPayments(dependencies);
      assert.equal(await posted(shop), provider.listPayments === undefined ? 0n : 70_000n);
    });
  });
}

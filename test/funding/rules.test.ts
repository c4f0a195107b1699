/**
 * The rules of funding that need no database: the fee, what a registration lacks, how a deposit is
 * booked.
 */
import assert from 'node:assert/strict';
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { GatewayError, InvariantError } from '../../src/core/errors.ts';
import { createSealer, newSealingKey } from '../../src/core/sealing.ts';
import { convenienceFee, depositFee } from '../../src/funding/credit-deposit.ts';
import { pauseAfter } from '../../src/funding/funding-dependencies.ts';
import { checkBirthday, completeRegistration } from '../../src/funding/registration.ts';
import { hashEmail, openIdentity, sealDocument, sealIdentity } from '../../src/funding/sealed-identity.ts';
import { depositCredited, depositReceived } from '../../src/wallet/ledger/chart-of-accounts.ts';
import { refusedFor } from '../support/refusals.ts';

test('charges 100 naira, nothing in other currencies, and never more than the deposit', () => {
  assert.equal(convenienceFee('NGN'), 10_000n);
  assert.equal(convenienceFee('USD'), 0n);
  assert.equal(depositFee('NGN', 500_000n), 10_000n);
  assert.equal(depositFee('NGN', 10_000n), 10_000n);
  assert.equal(depositFee('NGN', 9_999n), 9_999n);
  assert.equal(depositFee('USD', 1n), 0n);
});

test('leaves suspense at zero and never debits the wallet, for any deposit', () => {
  const [bank, suspense, fees, wallet] = [1n, 2n, 3n, 4n];
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), (gross) => {
      const fee = depositFee('NGN', gross);
      const transfers = [
        ...depositReceived({ bankAccount: bank, suspenseAccount: suspense, gross }),
        ...depositCredited({
          suspenseAccount: suspense,
          feesAccount: fees,
          walletAccount: wallet,
          gross,
          fee,
        }),
      ];
      const net = (account: bigint): bigint =>
        transfers.reduce(
          (sum, { debit, credit, amount }) =>
            sum + (credit === account ? amount : 0n) - (debit === account ? amount : 0n),
          0n,
        );
      assert.ok(transfers.every((transfer) => transfer.amount > 0n));
      assert.deepEqual([net(bank), net(suspense), net(fees)], [-gross, 0n, fee]);
      assert.equal(net(wallet), gross - fee);
      assert.ok(net(wallet) >= 0n);
    }),
  );
  const accounts = { suspenseAccount: suspense, feesAccount: fees, walletAccount: wallet };
  assert.throws(() => depositCredited({ ...accounts, gross: 5n, fee: 6n }), InvariantError);
  assert.throws(() => depositCredited({ ...accounts, gross: 5n, fee: -1n }), InvariantError);
});

const person = { email: 'a@b.ng', firstName: 'Ada', lastName: 'Obi', phone: '08031234567' };

test('requires a person at the first registration, for naira with a BVN, and later only missing fields', () => {
  const missing = (currency: 'NGN' | 'USD', fields: object, known?: object): string[] => {
    try {
      completeRegistration({ currency, fields }, known);
      return [];
    } catch (error) {
      assert.ok(error instanceof GatewayError);
      return error.faults.map((fault) => {
        assert.ok(fault.code === 'registrant_missing');
        return fault.role;
      });
    }
  };
  assert.deepEqual(missing('NGN', {}), ['email', 'firstName', 'lastName', 'phone', 'bvn']);
  assert.deepEqual(missing('NGN', person), ['bvn']);
  assert.deepEqual(missing('USD', person), []);
  assert.deepEqual(missing('NGN', {}, person), ['bvn']);
  assert.deepEqual(missing('NGN', { bvn: '22222222222' }, person), []);
  const corrected = completeRegistration({ currency: 'USD', fields: { firstName: 'Ife' } }, person);
  assert.equal(corrected.firstName, 'Ife');
});

test('accepts the birthday of an adult only', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  checkBirthday(undefined, now);
  checkBirthday('2008-11-21', now);
  checkBirthday('1906-11-21', now);
  for (const day of ['2008-11-22', '2026-11-21', '1906-11-20']) {
    assert.throws(() => checkBirthday(day, now), refusedFor('not_an_adult'));
  }
});

test('opens an identity only where it was sealed', () => {
  const key = createSealer(newSealingKey());
  const owner = { merchantId: 7, environment: 'live' } as const;
  const sealed = sealIdentity(key, owner, person);
  // A name of three letters is in some ciphertexts by chance.
  for (const text of [sealed, Buffer.from(sealed, 'base64')]) assert.ok(!text.includes(person.phone));
  assert.deepEqual(openIdentity(key, owner, sealed), person);
  assert.throws(() => openIdentity(key, { ...owner, merchantId: 8 }, sealed), InvariantError);
  assert.throws(() => openIdentity(createSealer(newSealingKey()), owner, sealed), InvariantError);
});

test('hashes an e-mail address alike in any letter case, for one provider and one pepper', () => {
  const pepper = (): KeyObject => createSecretKey(randomBytes(32));
  const key = pepper();
  assert.equal(hashEmail(key, 'paystack', 'Ada@B.ng'), hashEmail(key, 'paystack', 'ada@b.NG'));
  assert.notEqual(hashEmail(key, 'paystack', 'ada@b.ng'), hashEmail(key, 'monnify', 'ada@b.ng'));
  assert.notEqual(hashEmail(key, 'paystack', 'ada@b.ng'), hashEmail(pepper(), 'paystack', 'ada@b.ng'));
});

test('opens a sealed document completely, and an altered one not at all', async () => {
  const sealer = createSealer(newSealingKey());
  const sealed = await sealDocument(
    sealer,
    { merchantId: 7, environment: 'live' },
    Buffer.from('a document'),
  );
  const place = 'funding_documents/7/live/sealed';
  assert.equal(Buffer.from(sealer.open(place, sealed) ?? '', 'base64').toString(), 'a document');
  assert.equal(sealer.open('funding_documents/8/live/sealed', sealed), undefined);
  const [id, text] = sealed.split(':');
  const bytes = Buffer.from(text ?? '', 'base64');
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  assert.equal(sealer.open(place, `${id}:${bytes.toString('base64')}`), undefined);
});

test('opens a document of several slices whole', async () => {
  const sealer = createSealer(newSealingKey());
  for (const size of [0, 196_607, 196_608, 500_000]) {
    const bytes = randomBytes(size);
    const sealed = await sealDocument(sealer, { merchantId: 7, environment: 'live' }, bytes);
    const opened = sealer.open('funding_documents/7/live/sealed', sealed);
    assert.ok(opened !== undefined && Buffer.from(opened, 'base64').equals(bytes), `${size} bytes`);
  }
});

test('grows pauses from 5 seconds to 10 minutes', () => {
  assert.deepEqual([1, 2, 3, 8, 99].map(pauseAfter), [5_000, 10_000, 20_000, 600_000, 600_000]);
});

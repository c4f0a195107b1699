/** The operations on merchants and credentials, with their entries in the audit log. */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setDiscount } from '../../src/catalog/operations/set-discount.ts';
import type { OperationErrorCode } from '../../src/core/operation-errors.ts';
import type { Database, Tx } from '../../src/db/database.ts';
import { hashSecret } from '../../src/merchants/credential-secret.ts';
import { listCredentials } from '../../src/merchants/credential-store.ts';
import { findMerchant, listMerchantProducts } from '../../src/merchants/merchant-store.ts';
import { issueCredential } from '../../src/merchants/operations/issue-credential.ts';
import { revokeCredential } from '../../src/merchants/operations/revoke-credential.ts';
import { rotateCredential } from '../../src/merchants/operations/rotate-credential.ts';
import { setProduct } from '../../src/merchants/operations/set-product.ts';
import { setSuspended } from '../../src/merchants/operations/suspend-merchant.ts';
import { listHeldRules, ownList } from '../../src/merchants/prices/price-list-store.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusedAct } from '../support/refusals.ts';

const pepper = createSecretKey(randomBytes(32));

test('a new merchant has wallets and products in both environments, and its creation is in the audit log', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const merchant = await database.transaction((tx) =>
    createMerchant(tx, { code: 'SHOP-1', name: '  Ẹ kú àárọ̀ Stores ' }, 'ada'),
  );
  assert.equal(merchant.name, 'Ẹ kú àárọ̀ Stores');
  assert.deepEqual(await findMerchant(database, 'shop-1'), merchant);
  assert.deepEqual(
    await database.query(
      `select w.environment, w.currency, w.posted, w.held, w.floor, a.code
       from wallets w
       join accounts a on a.id = w.account_id and a.merchant_id = w.merchant_id
       order by w.environment`,
    ),
    ['live', 'test'].map((environment) => ({
      environment,
      currency: 'NGN',
      posted: 0n,
      held: 0n,
      floor: 0n,
      code: `wallet:${merchant.id}:${environment}:NGN`,
    })),
  );
  assert.deepEqual(await listMerchantProducts(database, merchant.id), [
    { environment: 'live', product: 'airtime' },
    { environment: 'live', product: 'data' },
    { environment: 'test', product: 'airtime' },
    { environment: 'test', product: 'data' },
  ]);
  assert.deepEqual(await entries(database), [
    { actor: 'ada', action: 'merchant.create', subject: 'merchant:SHOP-1' },
  ]);
});

test('refuses a code that is in use, in any letter case, and stores nothing', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const create = (code: string) =>
    database.transaction((tx) => createMerchant(tx, { code, name: 'Shop' }, 'ada'));
  const codes = ['SHOP', 'shop', 'Shop', 'sHOP'];
  const results = await Promise.allSettled(codes.map(create));
  assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
  for (const result of results) {
    if (result.status === 'rejected') assert.ok(refusedAct('merchant_exists')(result.reason));
  }
  assert.equal((await database.query('select 1 from merchants')).length, 1);
  assert.equal((await database.query('select 1 from wallets')).length, 2);
  assert.equal((await entries(database)).length, 1);
});

test('refuses codes of the wrong form', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const create = (code: string, name: string) =>
    database.transaction((tx) => createMerchant(tx, { code, name }, 'ada'));
  for (const code of ['', 'A', 'A B', 'A:B', 'é', 'A'.repeat(41)]) {
    await refused(create(code, 'Shop'), 'merchant_code_malformed', code);
  }
  assert.deepEqual(await database.query('select 1 from merchants'), []);
  await create('A'.repeat(40), 'x'.repeat(100));
});

test('enables and disables a product in one environment, and logs only changes', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const merchant = await database.transaction((tx) =>
    createMerchant(tx, { code: 'SHOP', name: 'Shop' }, 'ada'),
  );
  const set = (enabled: boolean) =>
    database.transaction((tx) =>
      setProduct(tx, { merchantCode: 'shop', environment: 'live', product: 'data', enabled }, 'bola'),
    );
  assert.deepEqual(await set(true), { changed: false });
  assert.deepEqual(await set(false), { changed: true });
  const products = await listMerchantProducts(database, merchant.id);
  assert.equal(products.length, 3);
  assert.ok(!products.some((row) => row.environment === 'live' && row.product === 'data'));
  assert.deepEqual(await set(false), { changed: false });
  assert.deepEqual(await set(true), { changed: true });
  assert.deepEqual(
    (await entries(database)).slice(1).map(({ action }) => action),
    ['merchant.disable_product', 'merchant.enable_product'],
  );
});

test('sets and changes a discount, and refuses it outside 0 to 100 %', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  await database.transaction((tx) => createMerchant(tx, { code: 'SHOP', name: 'Shop' }, 'ada'));
  const set = (basisPoints: number, force = false) =>
    database.transaction((tx) =>
      setDiscount(tx, { merchantCode: 'SHOP', product: 'airtime', network: 'MTN', basisPoints }, 'ada', {
        force,
      }),
    );
  assert.deepEqual(await set(250), { before: 0, forced: false });
  assert.deepEqual(await set(2_000), { before: 250, forced: false });
  await refused(set(2_001), 'discount_change_large');
  assert.deepEqual(await set(10_000, true), { before: 2_000, forced: true });
  for (const basisPoints of [-1, 10_001, 2.5, Number.NaN])
    await refused(set(basisPoints), 'discount_malformed');
  const own = await listHeldRules(database, ownList('SHOP'));
  assert.partialDeepStrictEqual(own, [
    { version: 3, product: 'airtime', network: 'MTN', kind: '*', pricing: { by: 'off', off: 10_000 } },
  ]);
  assert.equal(own.length, 1);
});

test('refuses an operation on a missing merchant or credential', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const attempt = (act: (tx: Tx) => Promise<unknown>, code: OperationErrorCode = 'no_merchant') =>
    refused(database.transaction(act), code);
  const merchantCode = 'NOBODY';
  await attempt((tx) => setSuspended(tx, { merchantCode, suspended: true }, 'ada'));
  await attempt((tx) =>
    setProduct(tx, { merchantCode, environment: 'live', product: 'data', enabled: true }, 'ada'),
  );
  await attempt((tx) =>
    setDiscount(tx, { merchantCode, product: 'data', network: 'MTN', basisPoints: 1 }, 'ada'),
  );
  await attempt((tx) => issueCredential(tx, pepper, { merchantCode, environment: 'live' }, 'ada'));
  await attempt((tx) => revokeCredential(tx, 'oja_live_x', 'ada'), 'no_credential');
  const now = new Date();
  await attempt(
    (tx) => rotateCredential(tx, pepper, { keyId: 'oja_live_x', oldEndsAt: now, now }, 'ada'),
    'no_credential',
  );
  assert.deepEqual(await entries(database), []);
});

test('stores the secret of a credential as a keyed hash only', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  await database.transaction((tx) => createMerchant(tx, { code: 'SHOP', name: 'Shop' }, 'ada'));
  const { credential, secret } = await database.transaction((tx) =>
    issueCredential(
      tx,
      pepper,
      {
        merchantCode: 'shop',
        environment: 'live',
        label: 'till 4',
        allowedIps: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'],
        rateLimitPerS: 50,
      },
      'ada',
    ),
  );
  assert.match(credential.key_id, /^oja_live_[A-Za-z0-9_-]{24}$/);
  assert.equal(Buffer.from(secret, 'base64url').length, 32);
  assert.deepEqual(credential.allowed_ips, ['10.0.0.0/8', '192.0.2.7/32', '2001:db8::/32']);
  const [stored] = await database.query<{ secret_hash: Buffer }>('select secret_hash from credentials');
  assert.deepEqual(stored?.secret_hash, hashSecret(pepper, secret));
  const log = JSON.stringify(await database.query('select subject, before, after from audit_log'));
  assert.ok(log.includes(credential.key_id));
  assert.ok(!log.includes(secret));
});

test('refuses invalid terms of a credential', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  await database.transaction((tx) => createMerchant(tx, { code: 'SHOP', name: 'Shop' }, 'ada'));
  const issue = (terms: object) =>
    database.transaction((tx) =>
      issueCredential(tx, pepper, { merchantCode: 'SHOP', environment: 'live', ...terms }, 'ada'),
    );
  for (const ip of [
    '',
    'localhost',
    '10.0.0.1/8',
    '10.0.0.0/33',
    '10.0.0',
    '2001:db8::1/32',
    '::/129',
    '1.2.3.4/',
  ]) {
    await refused(issue({ allowedIps: [ip] }), 'address_malformed', ip);
  }
  assert.deepEqual(await database.query('select 1 from credentials'), []);
  await issue({ allowedIps: ['0.0.0.0/0', '::/0', '::ffff:10.0.0.0/104'], rateLimitPerS: 0 });
});

test('a rotated credential passes its terms on and ends after the overlap, or earlier at its expiry', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const merchant = await database.transaction((tx) =>
    createMerchant(tx, { code: 'SHOP', name: 'Shop' }, 'ada'),
  );
  const now = new Date();
  const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  const issue = (expiresAt: Date | undefined) =>
    database.transaction((tx) =>
      issueCredential(
        tx,
        pepper,
        {
          merchantCode: 'SHOP',
          environment: 'live',
          label: 'a',
          allowedIps: ['10.0.0.0/8'],
          rateLimitPerS: 9,
          expiresAt,
        },
        'ada',
      ),
    );
  const rotate = (keyId: string) =>
    database.transaction((tx) =>
      rotateCredential(tx, pepper, { keyId, oldEndsAt: inMinutes(60), now }, 'ada'),
    );

  const lasting = await issue(undefined);
  const first = await rotate(lasting.credential.key_id);
  assert.deepEqual(first.oldEndsAt, inMinutes(60));
  assert.equal(first.credential.label, 'a');
  assert.deepEqual(first.credential.allowed_ips, ['10.0.0.0/8']);
  assert.equal(first.credential.rate_limit_per_s, 9);
  assert.equal(first.credential.expires_at, null);
  assert.notEqual(first.secret, lasting.secret);

  const ending = await issue(inMinutes(5));
  const second = await rotate(ending.credential.key_id);
  assert.deepEqual(second.oldEndsAt, inMinutes(5));
  const { created_at: createdAt } = ending.credential;
  assert.deepEqual(
    second.credential.expires_at,
    new Date(now.getTime() + inMinutes(5).getTime() - createdAt.getTime()),
  );

  const over = await issue(inMinutes(-1));
  await refused(rotate(over.credential.key_id), 'credential_ended');
  await database.transaction((tx) => revokeCredential(tx, first.credential.key_id, 'ada'));
  await refused(rotate(first.credential.key_id), 'credential_ended');

  const listed = await listCredentials(database, merchant.id);
  assert.equal(listed.length, 5);
  assert.deepEqual(listed.find((row) => row.key_id === lasting.credential.key_id)?.expires_at, inMinutes(60));
});

async function refused(act: Promise<unknown>, code: OperationErrorCode, what = ''): Promise<void> {
  await assert.rejects(act, refusedAct(code), what);
}

async function entries(database: Database): Promise<{ actor: string; action: string; subject: string }[]> {
  return await database.query('select actor, action, subject from audit_log order by id');
}

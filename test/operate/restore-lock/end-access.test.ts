/**
 * Access to a restored database: sessions, links and tokens end, and keys wait until an operator
 * confirms them. Later ones work.
 */
import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import { createAuthenticator } from '../../../src/merchants/authenticate.ts';
import { checkRewind } from '../../../src/operate/restore-lock/rewind-detector.ts';
import type { PricedRow } from '../../../src/purchases/batches/batch.ts';
import { findBatch, updateBatchState } from '../../../src/purchases/batches/batch-store.ts';
import { storeBatch } from '../../../src/purchases/batches/change-batch.ts';
import { type ConsoleTest, startConsole } from '../../backoffice/console/harness.ts';

const batchRow: PricedRow = {
  product: 'airtime',
  network: 'MTN',
  planCode: undefined,
  msisdn: '08031234567',
  recipient: '2348031234567',
  faceValue: 10_000n,
  phone: undefined,
  charge: 10_000n,
};

type Key = { readonly key: string; readonly secret: string };

async function stateOf({ admin }: ConsoleTest, { key, secret }: Key): Promise<string> {
  const { database, services } = admin;
  await using authenticator = createAuthenticator({ database, pepper: await services.pepper() });
  const found = await authenticator.authenticate(key, secret, '127.0.0.1');
  return typeof found === 'string' ? found : 'works';
}

/** How a restore lock is set after a restore. */
const raised: Readonly<Record<string, (test: ConsoleTest, dataDir: string) => Promise<unknown>>> = {
  'when a gateway notices it': async ({ admin }, dataDir) => {
    await admin.database.query("update database_life set system_identifier = '1'");
    await checkRewind(admin.database, dataDir);
  },
  'when an operator raises the restore lock': ({ admin }) =>
    admin.run('restore.lock', { reason: 'restored' }),
};
for (const [how, raise] of Object.entries(raised)) {
  it(`ends access to a restored database ${how}`, () => endsAccess(raise));
}

async function endsAccess(raise: (test: ConsoleTest, dataDir: string) => Promise<unknown>): Promise<void> {
  await using test = await startConsole();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'oja-access-'));
  const dataDir = folder.path;
  await checkRewind(test.admin.database, dataDir);
  const { admin } = test;
  await admin.run('merchant.create', { code: 'SHOP', name: 'Shop' });
  const issue = (): Promise<Key> => admin.run('credential.issue', { merchant: 'SHOP', environment: 'live' });
  const [one, other, revoked] = [await issue(), await issue(), await issue()];
  await admin.run('credential.revoke', { credential: revoked.key });
  const ada = await test.person('ada@shop.example', ['admin']);
  const token = await admin.tokenFor('admin', 'till');
  const { link } = await admin.run('user.invite', {
    email: 'late@shop.example',
    roles: ['viewer'],
    link: true,
  });
  // No worker is needed to pause it: a gateway may start when the keys are already confirmed.
  const [merchant] = await admin.database.query<{ id: number }>('select id from merchants');
  const owner = { merchantId: merchant?.id ?? 0, environment: 'live' as const };
  const id = newId();
  await admin.database.transaction(async (tx) => {
    const given = { id, name: 'Staff', credentialId: one.key, createdBy: 'SHOP' };
    await storeBatch(tx, owner, { heads: [], rows: [batchRow] }, given);
    await updateBatchState(tx, owner.merchantId, id, 'running');
  });
  const batchState = async () => {
    const batch = await findBatch(admin.database, owner.merchantId, id);
    return [batch?.state, batch?.pause_reason];
  };
  const look = async () => ({
    session: (await ada.browser.get('/api/session')).status,
    token: (await admin.call('GET', '/approvals', { token })).status,
    link: (
      await test.browser().post('/api/links/look', { token: new URL(link).hash.slice('#token='.length) })
    ).status,
    keys: await Promise.all([one, other, revoked].map((key) => stateOf(test, key))),
  });
  const working = { session: 200, token: 200, link: 200, keys: ['works', 'works', 'unknown'] };
  assert.deepEqual(await look(), working);
  await admin.run('restore.lock', { reason: 'a pause', keep_access: true });
  assert.deepEqual(await look(), working);
  assert.deepEqual(await batchState(), ['running', null]);

  await raise(test, dataDir);
  assert.deepEqual(await batchState(), ['paused', 'credential_ended']);
  const ended = await look();
  assert.deepEqual(
    [ended.session, ended.token, ended.keys],
    [401, 401, ['unconfirmed', 'unconfirmed', 'unknown']],
  );
  assert.notEqual(ended.link, 200);

  const waiting = await admin.run('credential.list_unconfirmed', {});
  assert.deepEqual(waiting.data.map(({ key }: Key) => key).toSorted(), [one.key, other.key].toSorted());
  assert.equal((await admin.run('credential.confirm', { credential: one.key })).confirmed, 1);
  await assert.rejects(admin.run('credential.confirm', { credential: one.key }));
  await assert.rejects(admin.run('credential.confirm', { credential: revoked.key }));
  await assert.rejects(admin.run('credential.confirm', {}));
  assert.deepEqual((await look()).keys, ['works', 'unconfirmed', 'unknown']);
  assert.equal((await admin.run('credential.confirm', { all: true })).confirmed, 1);
  assert.deepEqual((await look()).keys, ['works', 'works', 'unknown']);

  // Newer sessions and keys work, and the next start does not end them.
  const fresh = await admin.tokenFor('admin', 'new');
  await checkRewind(admin.database, dataDir);
  assert.equal((await admin.call('GET', '/approvals', { token: fresh })).status, 200);
  assert.equal(await stateOf(test, await issue()), 'works');
}

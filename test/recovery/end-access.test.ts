/**
 * What a restored database lets people in by: sessions, links and tokens end, and keys wait until
 * somebody confirms them. What is made afterwards works.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { createAuthenticator } from '../../src/merchants/authenticate.ts';
import { raiseFence } from '../../src/recovery/raise-fence.ts';
import { settleLife } from '../../src/recovery/watch-life.ts';
import { type ConsoleTest, startConsole } from '../console/harness.ts';

let test: ConsoleTest;
let dataDir: string;

before(async () => {
  test = await startConsole();
  dataDir = await mkdtemp(join(tmpdir(), 'oja-access-'));
  await settleLife(test.admin.database, dataDir);
});
after(async () => {
  await rm(dataDir, { recursive: true });
  await test[Symbol.asyncDispose]();
});

async function reader() {
  return createAuthenticator({ database: test.admin.database, pepper: await test.admin.services.pepper() });
}

type Key = { readonly key: string; readonly secret: string };

async function stateOf({ key, secret }: Key): Promise<string> {
  await using authenticator = await reader();
  const found = await authenticator.authenticate(key, secret, '127.0.0.1');
  return typeof found === 'string' ? found : 'works';
}

it('ends after a restore, and after a fence by hand goes on', async () => {
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
  const look = async () => ({
    session: (await ada.browser.get('/api/session')).status,
    token: (await admin.call('GET', '/approvals', { token })).status,
    link: (
      await test.browser().post('/api/links/look', { token: new URL(link).hash.slice('#token='.length) })
    ).status,
    keys: await Promise.all([one, other, revoked].map(stateOf)),
  });
  const working = { session: 200, token: 200, link: 200, keys: ['works', 'works', 'unknown'] };
  assert.deepEqual(await look(), working);
  const byHand = { cause: 'by_hand', source: 'by_hand:1', reason: 'a test', lostFrom: new Date() } as const;
  await admin.database.transaction((tx) => raiseFence(tx, byHand, 'ada'));
  assert.deepEqual(await look(), working);

  await admin.database.query("update database_life set system_identifier = '1'");
  await settleLife(admin.database, dataDir);
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

  // What is made since works, and is left alone by the next start.
  const fresh = await admin.tokenFor('admin', 'new');
  await settleLife(admin.database, dataDir);
  assert.equal((await admin.call('GET', '/approvals', { token: fresh })).status, 200);
  assert.equal(await stateOf(await issue()), 'works');
});

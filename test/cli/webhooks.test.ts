/** `oja webhook` and `oja wallet alert`, and the events that merchants get automatically. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '../../src/core/ids.ts';
import { createSealer, parseSealingKey } from '../../src/core/sealing.ts';
import { tellExpiringCredentials } from '../../src/merchants/expiring-credential-store.ts';
import { assignNewPositions } from '../../src/notifications/events/assign-positions.ts';
import { CommitWatermark } from '../../src/notifications/events/commit-watermark.ts';
import { insertEvent } from '../../src/notifications/events/event-store.ts';
import { readFeed } from '../../src/notifications/events/read-feed.ts';
import { createAddressGuard } from '../../src/notifications/webhooks/address-guard.ts';
import { createEndpoint } from '../../src/notifications/webhooks/change-endpoint.ts';
import { replayDeliveries } from '../../src/notifications/webhooks/webhook-delivery-store.ts';
import { tellLowWallets } from '../../src/wallet/wallet-alert-store.ts';
import { operator } from './harness.ts';

const shell = await operator();
after(() => shell[Symbol.asyncDispose]());
const { database, oja, json } = shell;

const { id: merchantId } = await json('merchant', 'create', 'SHOP', 'Shop');
const owner = { merchantId: Number(merchantId), environment: 'live', merchantCode: 'SHOP' } as const;

async function told(): Promise<{ type: string; facts: unknown }[]> {
  await assignNewPositions(database);
  const page = await readFeed(database, new CommitWatermark(database), owner, {
    after: 0n,
    limit: 100,
    types: [],
  });
  return page.events.map(({ type, facts }) => ({ type, facts }));
}

async function newEndpoint(): Promise<string> {
  const key = parseSealingKey(shell.settings.OJA_ENCRYPTION_KEY ?? '');
  assert.ok(key);
  const parts = {
    sealer: createSealer(key),
    rules: { guard: createAddressGuard({ allowed: [], allowsLoopback: false }), isRelaxed: false },
  };
  const wanted = { url: 'https://shop.example/hook' };
  const { endpoint } = await database.transaction((tx) => createEndpoint(tx, parts, owner, wanted, 'test'));
  return endpoint.id;
}

test('lists, shows, disables, enables endpoints and rotates their secrets', async () => {
  const id = await newEndpoint();
  const [listed] = await json('webhook', 'list');
  assert.deepEqual(
    [listed.id, listed.merchant, listed.state, listed.url],
    [id, 'SHOP', 'enabled', 'https://shop.example/hook'],
  );
  assert.deepEqual(await json('webhook', 'list', '--troubled'), []);
  assert.match((await oja('webhook', 'list')).out, /shop\.example/);
  const disabled = await json('webhook', 'disable', id, '--reason', 'it floods us');
  assert.deepEqual([disabled.state, disabled.reason, disabled.changed], ['disabled', 'it floods us', true]);
  assert.equal((await json('webhook', 'list', '--troubled')).length, 1);
  assert.equal((await told()).at(-1)?.type, 'endpoint.disabled');
  const refused = await oja('webhook', 'replay', id, '--since', '1h');
  assert.deepEqual([refused.code, refused.refused], [1, 'webhook_endpoint_disabled']);
  assert.equal((await json('webhook', 'enable', id)).changed, true);
  assert.equal((await json('webhook', 'enable', id)).changed, false);
  const rotated = await json('webhook', 'rotate', id);
  assert.match(rotated.secret, /^whsec_/);
  assert.equal((await json('webhook', 'rotate', id, '--overlap', '0s')).old_secret_ends_at, null);
  const shown = await oja('webhook', 'show', id);
  assert.match(shown.out, /https:\/\/shop\.example\/hook/);
  assert.deepEqual(await json('webhook', 'deliveries', id), []);
  const entries = await database.query<{ action: string }>(
    'select action from audit_log where subject = $1 order by id',
    [`webhook:${id}`],
  );
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['webhook.create', 'webhook.disable', 'webhook.enable', 'webhook.rotate', 'webhook.rotate'],
  );
  for (const act of ['show', 'enable', 'deliveries']) {
    assert.equal((await oja('webhook', act, newId())).code, 1, act);
  }
  assert.equal((await oja('webhook', 'show', 'x')).code, 2);
});

test('replays the events of a period', async () => {
  const id = await newEndpoint();
  await database.query(
    `insert into webhook_deliveries (merchant_id, environment, id, endpoint_id, event_id, event_type, event_at, state, tries, created_at)
     select $1, 'live', gen_random_uuid(), $2, gen_random_uuid(), 'wallet.low', now(), case when n % 2 = 0 then 'failed' else 'delivered' end, 10, now() - n * interval '1 hour'
     from generate_series(1, 10) as n`,
    [owner.merchantId, id],
  );
  const replayed = await json('webhook', 'replay', id, '--since', '7h', '--until', '3h');
  assert.deepEqual([replayed.replayed, replayed.more], [2, false]);
  assert.equal((await json('webhook', 'deliveries', id, '--state', 'waiting')).length, 2);
  assert.equal((await json('webhook', 'deliveries', id, '--state', 'failed')).length, 3);
  assert.equal((await json('webhook', 'deliveries', id)).length, 10);
  assert.equal((await oja('webhook', 'replay', id, '--since', '1h', '--until', '2h')).code, 1);
  assert.equal((await oja('webhook', 'replay', id, '--since', 'soon')).code, 2);
});

test('prints where to continue after a truncated replay', async () => {
  const endpointId = await newEndpoint();
  await database.query(
    `insert into webhook_deliveries (merchant_id, environment, id, endpoint_id, event_id, event_type, event_at, state, tries, created_at)
     select $1, 'live', gen_random_uuid(), $2, gen_random_uuid(), 'wallet.low', now(), 'delivered', 1, now() - (n / 2) * interval '1 minute'
     from generate_series(2, 11) as n`,
    [owner.merchantId, endpointId],
  );
  const to = new Date();
  let from = new Date(0);
  const counts: number[] = [];
  for (let page = 0; page < 10; page += 1) {
    const range = {
      merchantId: owner.merchantId,
      endpointId,
      from,
      to,
      states: ['delivered'] as const,
      limit: 3,
    };
    const { replayed, next } = await database.transaction((tx) => replayDeliveries(tx, range));
    counts.push(replayed);
    if (next === null) break;
    assert.ok(next > from);
    from = next;
  }
  assert.deepEqual(counts, [3, 3, 3, 1]);
  assert.equal((await json('webhook', 'deliveries', endpointId, '--state', 'waiting')).length, 10);
});

test('sends one low-balance event for each time the wallet falls below', async () => {
  const set = await json('wallet', 'alert', 'SHOP', '500');
  assert.deepEqual([set.threshold, set.threshold_before], ['500.00', null]);
  const low = async (): Promise<unknown[]> =>
    (await told()).filter(({ type }) => type === 'wallet.low').map(({ facts }) => facts);
  await json('wallet', 'credit', 'SHOP', '500', '--env', 'live', '--memo', 'test');
  assert.equal(await tellLowWallets(database), 0);
  await json('wallet', 'credit', 'SHOP', '-0.01', '--env', 'live', '--memo', 'test');
  assert.equal(await tellLowWallets(database), 1);
  assert.equal(await tellLowWallets(database), 0);
  assert.deepEqual(await low(), [{ currency: 'NGN', available: '49999', threshold: '50000' }]);
  await json('wallet', 'credit', 'SHOP', '1', '--env', 'live', '--memo', 'test');
  assert.equal(await tellLowWallets(database), 0);
  await json('wallet', 'credit', 'SHOP', '-1', '--env', 'live', '--memo', 'test');
  const [one, two] = await Promise.all([tellLowWallets(database), tellLowWallets(database)]);
  assert.equal(one + two, 1);
  assert.equal((await json('wallet', 'alert', 'SHOP')).threshold, null);
  assert.equal(await tellLowWallets(database), 0);
  assert.equal((await low()).length, 2);
  assert.equal((await oja('wallet', 'alert', 'NOBODY', '5')).code, 1);
  assert.equal((await oja('wallet', 'alert', 'SHOP', 'much')).code, 2);
});

test('sends one event for a credential that expires within a week', async () => {
  await json('credential', 'issue', 'SHOP', '--env', 'live', '--expires-in', '30d');
  assert.equal(await tellExpiringCredentials(database), 0);
  const { key } = await json(
    'credential',
    'issue',
    'SHOP',
    '--env',
    'live',
    '--expires-in',
    '6d',
    '--label',
    'till',
  );
  assert.equal(await tellExpiringCredentials(database), 1);
  assert.equal(await tellExpiringCredentials(database), 0);
  const event = (await told()).at(-1);
  assert.equal(event?.type, 'credential.expiring');
  assert.deepEqual(Object.keys(event?.facts ?? {}).sort(), ['ends_at', 'key', 'label']);
  assert.equal(Reflect.get(event?.facts ?? {}, 'key'), key);
});

test('sends an event once that is stored twice under its id', async () => {
  const before = (await told()).length;
  const id = newId();
  for (let turn = 0; turn < 2; turn += 1) {
    await database.transaction((tx) =>
      insertEvent(tx, owner, {
        id,
        type: 'delivery.failed',
        facts: { channel: 'sms', state: 'unknown', code: 'x' },
      }),
    );
  }
  assert.equal((await told()).length, before + 1);
});

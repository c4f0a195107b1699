/**
 * The providers of gateway processes: one account whose log-in invalidates the previous token, and
 * one that is removed.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Config } from '../../src/app/config.ts';
import { type LiveProviders, openLiveProviders } from '../../src/app/live-providers.ts';
import { createSealer, newSealingKey } from '../../src/core/sealing.ts';
import { markRemoved } from '../../src/providers/provider-account-store.ts';
import { vtung } from '../../src/providers/vtung/index.ts';
import { airtimeOrder } from '../conformance/products.ts';
import { openVtungBench, settingsAt } from '../conformance/vtung-bench.ts';
import { createTestDatabase } from '../support/database.ts';

const silent = { info: () => undefined, error: () => undefined };

it('shares the access tokens of providers with the other processes of the installation', async () => {
  await using clone = await createTestDatabase();
  await using bench = await openVtungBench();
  await bench.addRule({ fault: 'slow', operation: 'token', delay_ms: 0 });
  const sealer = createSealer(newSealingKey());
  const openProcess = async (): Promise<LiveProviders> => {
    const configured = vtung.configure(settingsAt(bench.url));
    const config = { providers: new Map([['vtung', configured]]) } as unknown as Config;
    return await openLiveProviders(
      {
        config,
        variables: {},
        registries: { providers: [vtung] },
        simulatorUrl: undefined,
        sql: clone.database,
        sealer: async () => sealer,
        pepper: undefined,
      },
      silent,
    );
  };
  await using one = await openProcess();
  await using other = await openProcess();
  for (const { providers } of [one, other, one, other]) {
    const provider = providers.get('vtung');
    assert.ok(provider !== undefined);
    const answer = await provider.purchase(airtimeOrder(provider, await bench.arrange('success')));
    assert.equal(answer.kind, 'success', answer.message);
  }
  assert.deepEqual(await bench.hits(), [1], 'log-ins');
});

it('keeps a removed account open until its last successes were rechecked', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const configured = vtung.configure(settingsAt('http://127.0.0.1:1'));
  await using live = await openLiveProviders(
    {
      config: { providers: new Map([['vtung', configured]]) } as unknown as Config,
      variables: {},
      registries: { providers: [vtung] },
      simulatorUrl: undefined,
      sql: database,
      sealer: async () => createSealer(newSealingKey()),
      pepper: undefined,
    },
    silent,
  );
  await live.start(async () => undefined);
  const setRemoved = async (removed: boolean): Promise<void> => {
    const account = { provider: 'vtung', connector: 'vtung', by: 'test' };
    await database.transaction((tx) => markRemoved(tx, account, removed));
    await live.reload();
  };
  await setRemoved(true);
  assert.ok(!live.providers.has('vtung'), 'it sold nothing');
  await setRemoved(false);
  assert.ok(live.providers.has('vtung'));
  await database.query(
    `insert into success_rechecks (provider, age_minutes, last_at, due_at)
     values ('vtung', 10, now(), now()), ('vtung', 10080, now() - interval '7 days', now())`,
  );
  await setRemoved(true);
  assert.ok(live.providers.has('vtung'), 'a success may still be reversed');
  await database.query('update success_rechecks set last_at = now()');
  await live.reload();
  assert.ok(!live.providers.has('vtung'), 'its last success was rechecked');
});

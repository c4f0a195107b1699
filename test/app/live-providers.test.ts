/** Two gateway processes with one account at a provider whose log-in ends the token before it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Config } from '../../src/app/config.ts';
import { type LiveProviders, openLiveProviders } from '../../src/app/live-providers.ts';
import { createSealer, newSealingKey } from '../../src/core/sealing.ts';
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

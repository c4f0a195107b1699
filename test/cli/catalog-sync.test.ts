/** `oja catalog sync` against the simulated providers, beside a running gateway. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { announceChange } from '../../src/db/change-notice-store.ts';
import { eventually, openGatewayUnderTest } from '../e2e/gateway-under-test.ts';
import { runOja } from './harness.ts';

// Own gateway: changes the catalog that all merchants share.
const gateway = await openGatewayUnderTest();
const settings = {
  DATABASE_URL: gateway.databaseUrl,
  OJA_DATA_DIR: gateway.dataDir,
  OJA_SIMULATOR_URL: gateway.simulatorUrl,
};

it('finds that the demo sells the plans of its providers', async () => {
  for (const provider of ['vtpass', 'reloadly']) {
    const ran = await runOja(settings, ['catalog', 'sync', provider, '--json']);
    assert.equal(ran.code, 0, ran.err);
    assert.deepEqual(JSON.parse(ran.out).data.changes, [], provider);
  }
});

it('restores a wrong price when forced; the gateway sees it within 5 s', async () => {
  const price = async (): Promise<string> => {
    const answer = await gateway.call('GET', '/v1/plans/mtn');
    return answer.body.data.find((plan: { plan_code: string }) => plan.plan_code === 'MTN-1').price;
  };
  const right = await price();
  await gateway.database.transaction(async (tx) => {
    await tx.query("update plans set price = price * 2 where plan_code = 'MTN-1'");
    await announceChange(tx, 'plans');
  });
  await eventually('the wrong price', async () => ((await price()) === right ? undefined : true));
  const refused = await runOja(settings, ['catalog', 'sync', 'vtpass', '--apply', '--json']);
  const { applied, changes } = JSON.parse(refused.out).data;
  assert.deepEqual([refused.code, applied], [1, false], refused.out);
  assert.deepEqual(
    changes.map((change: { subject: string; steep: boolean }) => [change.subject, change.steep]),
    [['MTN-1', true]],
  );
  const done = await runOja(settings, ['catalog', 'sync', 'vtpass', '--apply', '--force', '--json']);
  assert.equal(JSON.parse(done.out).data.applied, true);
  await eventually('the right price', async () => ((await price()) === right ? true : undefined));
});

it('refuses a provider without a list', async () => {
  for (const name of ['sandbox', 'nomba', 'nobody']) {
    const ran = await runOja(settings, ['catalog', 'sync', name]);
    assert.deepEqual([ran.code, ran.refused], [1, 'provider_has_no_list'], ran.err);
  }
});

/**
 * An operator's command that is killed while it queries a provider leaves the purchase unchanged,
 * and can be repeated. Without a gateway the command queries by itself.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { it } from 'node:test';
import { runOja, startOja } from '../cli/harness.ts';
import { until } from '../support/until.ts';
import { type Fixture, openFixture, temporaryFolder } from './fixture.ts';

const BARRED = '08031234501';
const LOST = '08031234502';

async function misbehave({ simulator }: Fixture, ...rules: readonly object[]): Promise<void> {
  const answer = await fetch(`${simulator.url}/faults`, { method: 'PUT', body: JSON.stringify({ rules }) });
  assert.equal(answer.status, 200, await answer.text());
}

async function hits({ simulator }: Fixture): Promise<number> {
  const { rules } = (await (await fetch(`${simulator.url}/faults`)).json()) as { rules: { hits: number }[] };
  return rules.reduce((sum, rule) => sum + rule.hits, 0);
}

it('query and settle change nothing when killed during the query', async () => {
  await using fixture = await openFixture();
  const { database, connectionString, simulator } = fixture;
  const own = { OJA_ENCRYPTION_KEY: randomBytes(32).toString('hex') };
  await misbehave(fixture, { fault: 'odd_reply', operation: 'pay', delivered: true });
  const gateway = await fixture.start({ ...own, OJA_SYNC_DEADLINE_S: '1' });
  const { key, secret } = await fixture.live();
  for (const msisdn of [BARRED, LOST]) {
    await fetch(`${gateway.url}/v1/transactions/airtime/sync`, {
      method: 'POST',
      headers: { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' },
      body: JSON.stringify({ merchant: 'DEMO', network: 'mtn', amount: '100', msisdn, request_ref: msisdn }),
    });
  }
  gateway.kill('SIGKILL');
  await gateway.exited;
  // As if the process had been dead for a while.
  await database.query('delete from gateways');

  const settings = {
    ...own,
    DATABASE_URL: connectionString,
    OJA_SIMULATOR_URL: simulator.url,
    OJA_DATA_DIR: await temporaryFolder(),
  };
  const slow = { fault: 'slow', operation: 'requery', delay_ms: 60_000 };
  await misbehave(fixture, slow);
  const settle = [
    'purchase',
    'settle',
    LOST,
    '--success',
    '--evidence',
    'ticket 4411',
    '--key',
    'once',
    '--json',
  ];
  for (const [n, command] of [['purchase', 'query', BARRED], settle].entries()) {
    const killed: ChildProcess = startOja(settings, command);
    await until('the provider is being asked', async () => (await hits(fixture)) > n);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
  }
  const asked = await database.query("select 1 from audit_log where action = 'purchase.query'");
  const ended = await database.query('select 1 from purchase_outcomes');
  assert.deepEqual([asked.length, ended.length], [2, 0]);
  const [wallet] = await database.query<{ held: bigint }>('select held from wallets where held > 0');
  assert.equal(wallet?.held, 20_000n);

  await misbehave(fixture, { ...slow, fault: 'odd_reply', recipient: LOST, delay_ms: undefined });
  const answered = await runOja(settings, ['purchase', 'query', BARRED, '--json']);
  assert.equal(JSON.parse(answered.out).data.status, 'success', answered.err);
  for (const repeated of [undefined, true]) {
    const settled = await runOja(settings, settle);
    const answer = JSON.parse(settled.out);
    assert.deepEqual([answer.data.outcome, answer.repeated], ['success', repeated], settled.err);
  }
  const refund = ['purchase', 'refund', LOST, '--reason', 'nothing arrived', '--key', 'back'];
  const both = await Promise.all([runOja(settings, refund), runOja(settings, refund)]);
  assert.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
  );
  const { wrong } = await fixture.settle();
  assert.deepEqual(wrong, []);
});

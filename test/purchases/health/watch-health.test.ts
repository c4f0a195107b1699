/** The alarm of an unhealthy provider: raised once by any process, and ended. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Provider } from '../../../src/providers/provider.ts';
import { DEAD_AFTER_MS, touchGateway } from '../../../src/purchases/engine/gateway-store.ts';
import { CallCounts } from '../../../src/purchases/health/call-counts.ts';
import { readStates } from '../../../src/purchases/health/health-store.ts';
import { HealthReport } from '../../../src/purchases/health/report-health.ts';
import { HealthWatch } from '../../../src/purchases/health/watch-health.ts';
import { openFileDatabase } from '../../support/file-database.ts';

const database = await openFileDatabase();

const MINUTE_MS = 60_000;
const clock = { nowMs: 1_000, elapsedMs: (): number => clock.nowMs };

/** A process whose calls the test makes up. */
async function openProcess() {
  const gateway = { id: randomUUID(), role: 'all', host: 'here', pid: 1, providers: ['one'] };
  await touchGateway(database, gateway);
  const counts = new CallCounts(clock.elapsedMs);
  let breaker: 'closed' | 'open' = 'closed';
  const provider = { name: 'one', breakerState: () => breaker } as unknown as Provider;
  const report = new HealthReport({
    sql: database,
    gatewayId: gateway.id,
    clock,
    counts,
    providers: new Map([['one', provider]]),
    floatOf: () => undefined,
    credentialsVersionOf: () => 0,
  });
  return {
    id: gateway.id,
    write: async (): Promise<void> => {
      await touchGateway(database, gateway);
      await report.write();
    },
    call: (kind: 'success' | 'unknown', times: number): void => {
      for (let time = 0; time < times; time += 1) {
        counts.onAnswer({ provider: 'one', operation: 'purchase', kind, code: 'x', latencyMs: 1 });
      }
    },
    setBreaker: (state: 'closed' | 'open'): void => {
      breaker = state;
    },
  };
}

async function alarms(): Promise<{ message: string; ended: boolean }[]> {
  return await database.query(
    "select message, ended_at is not null as ended from alarms where kind = 'provider_unwell' order by id",
  );
}

describe('the alarm of a provider', () => {
  it('raises one alarm for many processes, ends it when the provider is well, and raises it again', async () => {
    const [first, second] = [await openProcess(), await openProcess()];
    const watches = [new HealthWatch(database, clock), new HealthWatch(database, clock)];
    const look = async (): Promise<void> => {
      await Promise.all([first.write(), second.write()]);
      await Promise.all(watches.map((watch) => watch.look()));
    };
    first.setBreaker('open');
    await look();
    // Rows grow older by the database's clock, too.
    clock.nowMs += MINUTE_MS - 20_000;
    await look();
    assert.deepEqual(await alarms(), []);
    clock.nowMs += 20_000;
    await look();
    await look();
    const [raised, ...more] = await alarms();
    assert.ok(raised !== undefined && more.length === 0);
    assert.equal(raised.ended, false);
    // The provider, and in how many processes for how long.
    assert.match(raised.message, /\bone\b.*\b1 min\b.*\b1 of 2\b/);
    // A person has seen it. It continues without a second alarm.
    await database.query('update alarms set acknowledged_at = now()');
    await look();
    assert.equal((await alarms()).length, 1);
    first.setBreaker('closed');
    second.call('success', 1);
    await look();
    assert.deepEqual(await alarms(), [{ ...raised, ended: true }]);
    first.setBreaker('open');
    await look();
    clock.nowMs += MINUTE_MS;
    await look();
    assert.equal((await alarms()).length, 2);
    first.setBreaker('closed');
    second.call('success', 1);
    await look();
  });

  it('waits two minutes when many calls fail, and raises none for a short failure', async () => {
    // Those of the test before.
    await database.query('delete from gateways');
    const process = await openProcess();
    const watch = new HealthWatch(database, clock);
    const before = (await alarms()).length;
    const fail = async (): Promise<void> => {
      process.call('success', 1);
      process.call('unknown', 20);
      await process.write();
      await watch.look();
    };
    await fail();
    clock.nowMs += MINUTE_MS;
    process.call('success', 100);
    await process.write();
    await watch.look();
    clock.nowMs += 6 * MINUTE_MS;
    await fail();
    clock.nowMs += MINUTE_MS;
    await fail();
    assert.equal((await alarms()).length, before);
    clock.nowMs += MINUTE_MS;
    await fail();
    assert.equal((await alarms()).length, before + 1);
    assert.match((await alarms()).at(-1)?.message ?? '', /\bone\b.*\b3 of 63\b/);
  });

  it('raises none for the sandbox provider', async () => {
    await database.query('delete from gateways');
    const process = await openProcess();
    const watches = [() => true, () => false].map(
      (isPlayed) => new HealthWatch(database, clock, { isPlayed }),
    );
    const [blind, seeing] = watches;
    process.setBreaker('open');
    await process.write();
    clock.nowMs += 2 * MINUTE_MS;
    await process.write();
    await database.query("update alarms set ended_at = now() where kind = 'provider_unwell'");
    const before = (await alarms()).length;
    await blind?.look();
    assert.equal((await alarms()).length, before);
    await seeing?.look();
    assert.equal((await alarms()).length, before + 1);
    process.setBreaker('closed');
  });

  it('ignores reports of a dead process', async () => {
    const process = await openProcess();
    await process.write();
    const counted = async (): Promise<boolean> =>
      (await readStates(database, DEAD_AFTER_MS)).some(({ gateway_id: id }) => id === process.id);
    assert.equal(await counted(), true);
    await database.query("update gateways set seen_at = now() - interval '6 seconds' where id = $1", [
      process.id,
    ]);
    assert.equal(await counted(), false);
    await database.query('delete from gateways where id = $1', [process.id]);
    // It still writes its report, which must not fail or be stored.
    await assert.doesNotReject(database.query('select 1'));
    const rows = await database.query('select from provider_states where gateway_id = $1', [process.id]);
    assert.equal(rows.length, 0);
  });
});

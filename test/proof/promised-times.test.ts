/** Times that documents promise: the duration of a start, and the wait of a lookup. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openDatabaseProxy } from '../crash/database-proxy.ts';
import { airtime, airtimeSync, anyProduct } from '../e2e/gateway-under-test.ts';
import { emptyFolder } from '../e2e/started.ts';
import { createTestDatabase } from '../support/database.ts';
import { runGateway, startGateway } from '../support/gateway.ts';
import { freePort, processorSecondsOf } from '../support/processes.ts';

const START_MS = 10_000;
const FIRST_START_CPU_S = 15;
const LATER_START_CPU_S = 8;
const LOOK_UP_MS = 5_000;

describe('a gateway', () => {
  it('starts within ten seconds, the first time and later', async (t) => {
    const settings = { OJA_DATA_DIR: await emptyFolder(), PORT: String(await freePort()) };
    for (const [what, cpuS] of [
      ['first', FIRST_START_CPU_S],
      ['later', LATER_START_CPU_S],
    ] as const) {
      const startedMs = performance.now();
      await using gateway = runGateway(settings);
      await gateway.ready;
      const tookMs = Math.round(performance.now() - startedMs);
      const usedS = processorSecondsOf(gateway.pid);
      t.diagnostic(`${what} start: ${tookMs} ms, ${usedS} s of a processor`);
      assert.ok(tookMs < START_MS && usedS < cpuS, `${what} start: ${tookMs} ms, ${usedS} s`);
      await gateway.stop();
    }
  });

  it('answers lookups within five seconds while the database stands still', async (t) => {
    const own = await createTestDatabase();
    const proxy = await openDatabaseProxy(own.connectionString);
    after(async () => {
      await proxy[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    });
    await using gateway = await startGateway({ databaseUrl: proxy.connectionString });
    await gateway.call('POST', airtimeSync, { body: airtime() });
    proxy.swallow();
    const paths = [anyProduct, '/v1/wallet/balance', '/v1/wallet/statement', '/v1/wallet/funding-account'];
    const times = await Promise.all(
      paths.map(async (path) => {
        const startedMs = performance.now();
        await gateway.call('GET', path);
        return Math.round(performance.now() - startedMs);
      }),
    );
    t.diagnostic(`look-ups: ${times.join(', ')} ms`);
    assert.ok(Math.max(...times) < LOOK_UP_MS, `${times.join(', ')} ms`);
    // A shutdown would wait for its database.
    gateway.kill('SIGKILL');
  });
});

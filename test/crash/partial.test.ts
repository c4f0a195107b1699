/**
 * Partial failures: only the database, only the provider, or one gateway of several is killed or
 * paused. The gate kills the database and pauses a gateway, under little load. The proof kills the
 * others too, with three times the load and for longer.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/db/database.ts';
import { findEmbeddedDatabase } from '../../src/db/embedded-server.ts';
import {
  differences,
  outcomes,
  readBooks,
  readLivePurchases,
  type StoredPurchase,
  untilNothingPending,
} from '../support/books.ts';
import { isGate, itInProof } from '../support/budget.ts';
import { type Credentials, runGateway } from '../support/gateway.ts';
import { brokenPromises, startLoad, tally } from '../support/load.ts';
import {
  childrenOf,
  freePort,
  isAlive,
  killNow,
  postmasterOf,
  spawnSimulator,
} from '../support/processes.ts';
import { until } from '../support/until.ts';
import { openDatabaseProxy } from './database-proxy.ts';
import { openLoadedFixture, temporaryFolder, untilAnswered } from './fixture.ts';

const misbehaviour = [
  { fault: 'slow', share: 0.2, delay_ms: 600 },
  { fault: 'cut_before', share: 0.03 },
  { fault: 'cut_after', share: 0.04 },
  { fault: 'pending_then_success', share: 0.03, settle_ms: 1_000 },
];

const clients = isGate ? 8 : 24;

/** A slow machine may refuse requests for a moment. */
const busy: readonly unknown[] = [429, 503];

function successes(purchases: readonly StoredPurchase[]): number {
  return purchases.filter((purchase) => purchase.status === 'success').length;
}

describe('a disaster that leaves something standing', { concurrency: 3 }, () => {
  it('PostgreSQL is killed: the gateway restarts it and continues', async (t) => {
    await using stack = new AsyncDisposableStack();
    const folder = await temporaryFolder();
    const simulator = stack.use(await spawnSimulator({ port: await freePort(), dir: `${folder}/books` }));
    await simulator.misbehave(1, misbehaviour);
    const gateway = stack.use(
      runGateway({
        OJA_DATA_DIR: folder,
        OJA_SIMULATOR_URL: simulator.url,
        OJA_NOT_FOUND_GRACE_S: '10',
        OJA_LOG_LEVEL: 'warn',
      }),
    );
    await gateway.ready;
    const url = /listening on (http:\S+)/.exec(gateway.output())?.[1] ?? '';
    const { live } = JSON.parse(await readFile(`${folder}/credentials.json`, 'utf8')) as Credentials;
    const load = stack.use(startLoad({ ...live, url: () => url, plans: [], clients, seed: 2, pauseMs: 50 }));
    for (const alone of isGate ? [true, false] : [true, false, true]) {
      await sleep(1_500);
      const postmaster = await until('PostgreSQL runs', () => postmasterOf(folder));
      // Killed alone, it leaves sessions that still commit their work.
      killNow(alone ? [postmaster] : [postmaster, ...childrenOf(postmaster)]);
      await until('the gateway is well again', async () => {
        const back = postmasterOf(folder);
        return back !== undefined && back !== postmaster && (await fetch(`${url}/v1/healthz`)).ok;
      });
      const before = load.purchases.length;
      await until('it sells again', () =>
        load.purchases.slice(before).some(({ answers }) => answers.some((one) => one.status === 200)),
      );
    }
    await untilAnswered(load, 120);
    await load.stop();
    t.diagnostic(tally(load.purchases));
    assert.ok(isAlive(gateway.pid), 'it is the same gateway');

    const connectionString = (await findEmbeddedDatabase(folder)) ?? '';
    const onPoolError = (): void => undefined;
    await using database = openDatabase({
      connectionString,
      connectionsMax: 2,
      applicationName: 'oja test',
      onPoolError,
    });
    await untilNothingPending(database, 180_000, url).catch((error: unknown) => {
      throw new Error(`${error}\n${gateway.output().slice(-4_000)}`);
    });
    const purchases = await readLivePurchases(database);
    assert.deepEqual(
      [...(await differences(database, simulator.url)), ...brokenPromises(load.purchases, purchases)],
      [],
    );
    assert.ok(successes(purchases) > 50, `${successes(purchases)} successes`);
    assert.deepEqual(await gateway.stop(), { code: 0, signal: null });
  });

  itInProof(
    'the provider is killed: clients get true answers, and every outcome is known after its return',
    async (t) => {
      await using fixture = await openLoadedFixture({ OJA_SIMULATOR_LATENCY_MS: '150' });
      // Enough connections that no statement waits for one too long.
      const gateway = await fixture.start({ OJA_SYNC_DEADLINE_S: '3', OJA_DATABASE_CONNECTIONS: '30' });
      const load = await fixture.startLoad({ url: () => gateway.url, clients, seed: 3, syncShare: 0.7 });
      for (const awayMs of [500, 8_000]) {
        await sleep(1_500);
        await fixture.simulator.kill();
        await sleep(awayMs);
        await fixture.simulator.start();
      }
      await sleep(4_000);
      await load.stop();
      t.diagnostic(tally(load.purchases));
      const { purchases, wrong } = await fixture.settle({ load, gateway });
      assert.deepEqual(wrong, []);
      assert.ok(isAlive(gateway.pid));
      const answers = new Set(
        load.purchases
          .flatMap(({ answers }) => answers)
          .filter(({ status }) => !busy.includes(status))
          .map(({ by, status }) => `${by} ${status}`),
      );
      // 200 with either outcome, or 500 if none was known in time. A status request is answered,
      // because the gateway itself works.
      assert.deepEqual([...answers].sort(), ['create 200', 'create 500', 'status 200']);
      const reasons = new Set(purchases.map((purchase) => purchase.reason));
      assert.ok(reasons.has('delivered') && reasons.has('not_sent'), [...reasons].join(', '));
    },
  );

  itInProof('one of two gateways is killed: the other finishes its purchases', async (t) => {
    await using fixture = await openLoadedFixture({ OJA_SIMULATOR_LATENCY_MS: '250' });
    const [doomed, other] = await Promise.all([fixture.start(), fixture.start()]);
    await fixture.simulator.misbehave(4, misbehaviour);
    let turn = 0;
    const url = (): string => {
      turn += 1;
      return turn % 2 === 0 && isAlive(doomed.pid) ? doomed.url : other.url;
    };
    const load = await fixture.startLoad({ url, clients, seed: 4, hangUpShare: 0.05 });
    await untilAnswered(load, 60);
    killNow([doomed.pid]);
    await untilAnswered(load, 120);
    await load.stop();
    t.diagnostic(tally(load.purchases));
    const { purchases, wrong } = await fixture.settle({ load, gateway: other });
    assert.deepEqual(wrong, []);
    assert.ok(successes(purchases) > 50, `${successes(purchases)} successes`);
    assert.ok(
      load.purchases.some(({ answers }) => answers.some((one) => one.status === 'lost')),
      'some were under way',
    );
  });

  const workersApart = 'the api is killed, then a worker: the worker that is left finishes for both';
  itInProof(workersApart, async (t) => {
    await using fixture = await openLoadedFixture({ OJA_SIMULATOR_LATENCY_MS: '250' });
    const api = await fixture.start({ OJA_ROLE: 'api' });
    const [worker] = await Promise.all([
      fixture.start({ OJA_ROLE: 'worker' }),
      fixture.start({ OJA_ROLE: 'worker' }),
    ]);
    await fixture.simulator.misbehave(5, misbehaviour);
    const load = await fixture.startLoad({ url: () => api.url, clients, seed: 5 });
    await untilAnswered(load, 60);
    killNow([worker.pid]);
    await sleep(1_000);
    killNow([api.pid]);
    await sleep(500);
    const after = await fixture.start({ OJA_ROLE: 'api' });
    assert.notEqual(after.url, '');
    t.diagnostic(tally(load.purchases));
    await load[Symbol.asyncDispose]();
    const { purchases, wrong } = await fixture.settle({ load, gateway: after });
    assert.deepEqual(wrong, []);
    assert.ok(successes(purchases) > 20, `${successes(purchases)} successes`);
  });

  for (const { stoppedMs, means, register } of [
    { stoppedMs: 8_000, means: 'while the provider works on its calls', register: it },
    { stoppedMs: 24_000, means: 'until all it had not sent has been failed', register: itInProof },
  ]) {
    register(`a gateway held up ${means} buys nothing twice and nothing late`, async (t) => {
      await using fixture = await openLoadedFixture();
      const [held] = await Promise.all([fixture.start(), fixture.start({ OJA_ROLE: 'worker' })]);
      await fixture.simulator.misbehave(6, [{ fault: 'slow', delay_ms: 3_000 }]);
      // Three times the provider's connections: most wait in the gateway, their attempt committed.
      const load = await fixture.startLoad({
        url: () => held.url,
        clients: 150,
        seed: 6,
        syncShare: 1,
        purchasesEach: 1,
      });
      await until(
        'all are on record',
        async () => (await readLivePurchases(fixture.database)).length === 150,
      );
      // Its share of the provider: half of the slots, except those reserved for queries.
      await until('the provider works on 20', async () => (await fixture.simulator.strikes()) >= 20);
      held.kill('SIGSTOP');
      await sleep(stoppedMs);
      held.kill('SIGCONT');
      await load.stop();
      t.diagnostic(tally(load.purchases));
      const { purchases, wrong } = await fixture.settle({ load });
      t.diagnostic(outcomes(purchases));
      assert.deepEqual(wrong, []);
      assert.equal(purchases.length, 150);
    });
  }

  it('a gateway paused between the commit of a purchase and its call does not make the call', async () => {
    await using fixture = await openLoadedFixture();
    await using proxy = await openDatabaseProxy(fixture.connectionString);
    const [held] = await Promise.all([
      fixture.start({ DATABASE_URL: proxy.connectionString }),
      fixture.start({ OJA_ROLE: 'worker' }),
    ]);
    const committed = proxy.cut({ at: ['load-7-0-0'], lost: 'time' });
    const load = await fixture.startLoad({
      url: () => held.url,
      clients: 1,
      seed: 7,
      syncShare: 1,
      purchasesEach: 1,
    });
    await committed;
    held.kill('SIGSTOP');
    proxy.release();
    // By the other gateway.
    await untilNothingPending(fixture.database, 180_000);
    held.kill('SIGCONT');
    await load.stop();
    await until(
      'the one held up takes purchases again',
      async () => (await fetch(`${held.url}/v1/healthz`)).ok,
    );
    const { purchases, wrong } = await fixture.settle({ load });
    assert.deepEqual(wrong, []);
    assert.equal(outcomes(purchases), '1 failed not_found');
    assert.deepEqual(await readBooks(fixture.simulator.url), []);
  });
});

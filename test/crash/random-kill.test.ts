/**
 * The gateway and its own database are killed at random under mixed live load, again and again,
 * while the provider lives on and keeps its books. Then every purchase must become final, and
 * books, answers and money must agree.
 *
 * `OJA_CRASH_ROUNDS` sets the number of kills (a soak: 100), `OJA_CRASH_SEED` repeats a run.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { findEmbeddedDatabase } from '../../src/db/embedded-server.ts';
import {
  differences,
  outcomes,
  readBooks,
  readLivePurchases,
  untilNothingPending,
} from '../support/books.ts';
import { drawnSeed } from '../support/budget.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { type Credentials, type RunningGateway, runGateway } from '../support/gateway.ts';
import { brokenPromises, fetchPlans, randomFrom, startLoad, tally } from '../support/load.ts';
import { mixedMisbehaviour } from '../support/mixed-misbehaviour.ts';
import { childrenOf, freePort, killNow, postmasterOf, spawnSimulator } from '../support/processes.ts';
import { quickSettings } from '../support/quick-settings.ts';
import { compareTokens } from '../support/tokens.ts';
import { until } from '../support/until.ts';
import { untilAnswered } from './fixture.ts';

const rounds = Number(process.env.OJA_CRASH_ROUNDS ?? 2);
const seed = Number(process.env.OJA_CRASH_SEED ?? drawnSeed);
const random = randomFrom(seed);

/** The processes to kill, first in this order and later at random. */
const victims = [
  'gateway and database',
  'gateway as it starts',
  'database',
  'gateway',
  'one database session',
] as const;
type Victim = (typeof victims)[number];

it(`survives ${rounds} kills at random (seed ${seed})`, async (t) => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'oja-crash-'));
  cleanUpAfter(folder);
  await chmod(folder, 0o755);
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const simulator = stack.use(
    await spawnSimulator({
      port: simulatorPort,
      dir: join(folder, 'books'),
      settings: {
        OJA_SIMULATOR_LATENCY_MS: '15',
        OJA_SIMULATOR_TIMEOUT_MS: '3000',
        OJA_SIMULATOR_HOOKS_URL: `http://127.0.0.1:${port}/hooks`,
      },
    }),
  );
  await simulator.misbehave(seed, mixedMisbehaviour);
  const run = (): RunningGateway =>
    runGateway(
      quickSettings(5, {
        OJA_DATA_DIR: folder,
        PORT: String(port),
        OJA_SIMULATOR_URL: simulator.url,
        OJA_NOT_FOUND_GRACE_S: '10',
        OJA_SYNC_DEADLINE_S: '15',
        OJA_LOG_LEVEL: 'warn',
      }),
    );
  let gateway = run();
  stack.defer(() => gateway[Symbol.asyncDispose]());
  await gateway.ready;

  const url = `http://127.0.0.1:${port}`;
  const { live } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Credentials;
  const plans = await fetchPlans(url, live.key, live.secret);
  await using load = startLoad({
    ...live,
    url: () => url,
    plans: plans.filter((plan) => Number(plan.price) <= 1_000),
    // Many kills are for a soak.
    clients: rounds > 2 ? 32 : 12,
    seed,
    pauseMs: 80,
    hangUpShare: 0.03,
    billShare: 0.25,
  });

  for (let round = 0; round < rounds; round += 1) {
    await sleep(1_500 + random() * 2_500);
    const victim =
      victims[round < victims.length ? round : Math.floor(random() * victims.length)] ?? 'gateway';
    const startedAt = performance.now();
    gateway = await strike(victim, gateway, run, folder);
    t.diagnostic(`kill ${round + 1}: ${victim}; back after ${Math.round(performance.now() - startedAt)} ms`);
  }
  await untilAnswered(load, 60 * rounds);
  await load.stop();
  await simulator.misbehave(seed, []);
  t.diagnostic(`${load.purchases.length} purchases: ${tally(load.purchases)}`);

  await using database = await openEmbedded(folder);
  await untilNothingPending(database, 180_000, url).catch((error: unknown) => {
    throw new Error(`${error}\n${gateway.output().slice(-4_000)}`);
  });
  const purchases = await readLivePurchases(database);
  t.diagnostic(`${purchases.length} purchases: ${outcomes(purchases)}`);
  const bills = purchases.filter(
    (purchase) => purchase.product === 'ELECTRICITY' || purchase.product === 'BETTING',
  );
  t.diagnostic(`of which ${bills.length} bills: ${outcomes(bills)}`);
  assert.deepEqual(
    [...(await differences(database, simulator.url)), ...brokenPromises(load.purchases, purchases)],
    [],
  );
  const tokens = await compareTokens({
    url,
    live,
    purchases,
    sent: load.purchases,
    deliveries: await readBooks(simulator.url),
  });
  assert.deepEqual(tokens.wrong, []);
  assert.ok(tokens.checked > 2 * rounds, `${tokens.checked} tokens were bought`);
  assert.ok(
    purchases.filter((purchase) => purchase.status === 'success').length > 20 * rounds,
    'there was load',
  );
  await auditByCommand(folder);
  assert.deepEqual(await gateway.stop(), { code: 0, signal: null });
});

/** Kills the gateway. Returns the one that runs afterwards, listening. */
async function strike(
  victim: Victim,
  gateway: RunningGateway,
  run: () => RunningGateway,
  folder: string,
): Promise<RunningGateway> {
  const postmaster = postmasterOf(folder);
  const sessions = postmaster === undefined ? [] : childrenOf(postmaster);
  switch (victim) {
    case 'database':
      killNow([postmaster, ...sessions]);
      return await afterDatabase(gateway, folder, postmaster);
    case 'one database session': {
      // PostgreSQL then ends all sessions and recovers by itself.
      killNow([sessions[Math.floor(random() * sessions.length)]]);
      return gateway;
    }
    case 'gateway':
      killNow([gateway.pid]);
      break;
    default:
      killNow([gateway.pid, postmaster, ...sessions]);
  }
  await gateway.exited;
  let next = run();
  if (victim === 'gateway as it starts') {
    await sleep(random() * 2_000);
    killNow([next.pid]);
    await next.exited;
    next = run();
  }
  await next.ready;
  return next;
}

/** The same gateway, with another database server. */
async function afterDatabase(
  gateway: RunningGateway,
  folder: string,
  before: number | undefined,
): Promise<RunningGateway> {
  await until('the gateway starts its database again', () => {
    const now = postmasterOf(folder);
    return now !== undefined && now !== before;
  });
  return gateway;
}

async function openEmbedded(folder: string): Promise<Database> {
  const connectionString = await findEmbeddedDatabase(folder);
  assert.ok(connectionString !== undefined, 'the gateway names its database');
  return openDatabase({
    connectionString,
    connectionsMax: 3,
    applicationName: 'oja test',
    onPoolError: () => undefined,
  });
}

/** As an operator runs it, next to the gateway. Rejects with the differences that it finds. */
async function auditByCommand(folder: string): Promise<void> {
  const cli = join(import.meta.dirname, '..', '..', 'src', 'oja.ts');
  await promisify(execFile)(process.execPath, [cli, 'audit'], {
    env: { PATH: process.env.PATH, OJA_DATA_DIR: folder },
  });
}

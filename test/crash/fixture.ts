/**
 * The parts of a crash test: a database and a provider that survive, and gateways that start and
 * die over them. All of it is removed at the end.
 */
import { chmod, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import type { Database } from '../../src/db/database.ts';
import {
  differences,
  readLivePurchases,
  type StoredPurchase,
  untilNothingPending,
} from '../support/books.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Credentials, type KeyPair, type RunningGateway, runGateway } from '../support/gateway.ts';
import { brokenPromises, type Load, type LoadOptions, startLoad } from '../support/load.ts';
import { freePort, type SimulatorProcess, spawnSimulator } from '../support/processes.ts';
import { until } from '../support/until.ts';

export type FixtureGateway = RunningGateway & {
  /** Empty for a worker. */
  readonly url: string;
};

export type Fixture = AsyncDisposable & {
  readonly database: Database;
  readonly connectionString: string;
  readonly simulator: Pick<SimulatorProcess, 'url'>;
  /** Resolves when it listens. It ends with the fixture. `program`: another than Oja's own. */
  start(settings?: Variables, program?: string): Promise<FixtureGateway>;
  /** The demo's live credential. It exists once a gateway has started. */
  live(): Promise<KeyPair>;
  /** The demo's test credential, likewise. */
  test(): Promise<KeyPair>;
  /** Buys only airtime. Stopped with the fixture. */
  startLoad(options: Pick<LoadOptions, 'url' | 'clients'> & Partial<LoadOptions>): Promise<Load>;
  /** Waits until every purchase is final. Returns the purchases and all errors found in them. */
  settle(options?: SettleOptions): Promise<{ purchases: StoredPurchase[]; wrong: string[] }>;
};

type SettleOptions = {
  /** The clients whose answers must be true. */
  readonly load?: Load;
  /** Sends hints about pending purchases. Absent: only queries bring outcomes. */
  readonly gateway?: FixtureGateway;
};

/**
 * Ends a wait for purchases that never become final. Even on a slow machine they take less than
 * this.
 */
const SETTLE_MS = 300_000;

type Variables = Readonly<Record<string, string>>;

/** With a simulator that is neither killed nor loaded, and so may run in this process. */
export async function openFixture(simulatorSettings: Variables = {}): Promise<Fixture> {
  return await onSimulator({}, async (dir) => {
    const variables = { ...simulatorSettings, OJA_SIMULATOR_PORT: '0', OJA_SIMULATOR_DIR: dir };
    const simulator = await startSimulator(readSettings(variables));
    return { url: simulator.url, [Symbol.asyncDispose]: () => simulator.close() };
  });
}

/** Runs the simulator as a separate process. */
export async function openLoadedFixture(
  simulatorSettings: Variables = {},
  /** `empty`: no migration has run. */
  databaseOptions: { readonly empty?: boolean } = {},
): Promise<Fixture & { readonly simulator: SimulatorProcess }> {
  return await onSimulator(databaseOptions, async (dir) =>
    spawnSimulator({ port: await freePort(), dir, settings: simulatorSettings }),
  );
}

/** Creates a database in the test cluster and a separate simulator. */
async function onSimulator<S extends Fixture['simulator'] & AsyncDisposable>(
  databaseOptions: { readonly empty?: boolean },
  openSimulator: (dir: string) => Promise<S>,
): Promise<Fixture & { readonly simulator: S }> {
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder();
  const { database, connectionString } = stack.use(
    await createTestDatabase(databaseOptions.empty ? { empty: true } : { demo: true }),
  );
  const simulator = stack.use(await openSimulator(join(folder, 'books')));
  const credentials = async (): Promise<Credentials> =>
    JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Credentials;
  const live = async (): Promise<KeyPair> => (await credentials()).live;
  const owned = stack.move();
  return {
    database,
    connectionString,
    simulator,
    live,
    test: async () => (await credentials()).test,
    start: async (settings = {}, program) => {
      const ownSettings = {
        OJA_DATA_DIR: folder,
        DATABASE_URL: connectionString,
        OJA_SIMULATOR_URL: simulator.url,
        OJA_NOT_FOUND_GRACE_S: '10',
        OJA_LOG_LEVEL: 'warn',
        ...settings,
      };
      const running = runGateway(ownSettings, program);
      // At the end of the fixture an orderly stop is not needed, because its database is removed.
      owned.defer(async () => {
        running.kill('SIGKILL');
        await running.exited;
      });
      await running.ready;
      return { ...running, url: /listening on (http:\S+)/.exec(running.output())?.[1] ?? '' };
    },
    startLoad: async (options) =>
      owned.use(startLoad({ ...(await live()), plans: [], seed: 1, pauseMs: 50, ...options })),
    settle: async ({ load, gateway } = {}) => {
      await untilNothingPending(database, SETTLE_MS, gateway?.url);
      const purchases = await readLivePurchases(database);
      const wrong = [
        ...(await differences(database, simulator.url)),
        ...(load === undefined ? [] : brokenPromises(load.purchases, purchases)),
      ];
      return { purchases, wrong };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Resolves when this many purchases were answered, without a time limit. */
export async function untilAnswered({ purchases }: Load, count: number): Promise<void> {
  await until(
    `${count} purchases are answered`,
    () => purchases.filter(({ answers }) => answers.some(({ status }) => status === 200)).length >= count,
  );
}

/** Removed when this process ends, with the database in it, if there is one. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-crash-'));
  cleanUpAfter(folder);
  // An embedded server runs as another user when the tests run as root.
  await chmod(folder, 0o755);
  return folder;
}

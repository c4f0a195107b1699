/** The watch on cells of other servers: one alarm while no process works on one. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Queries } from '../../../src/db/database.ts';
import { DatabaseUnavailableError } from '../../../src/db/database-errors.ts';
import { CellWatch } from '../../../src/operate/cluster/watch-cells.ts';
import { checkCells } from '../../../src/operate/doctor/check-cells.ts';
import { createTestDatabase } from '../../support/database.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;

const MINUTE_MS = 60_000;

/** Answers with so many workers, or not at all. */
const cellWith = (workers: () => number | undefined): Queries => ({
  query: async () => {
    const count = workers();
    if (count === undefined) throw new DatabaseUnavailableError('it is away');
    return [{ count }] as never;
  },
  transaction: () => Promise.reject(new Error('no transaction is needed')),
});

const alarms = async (): Promise<unknown[]> =>
  await database.query(
    "select ended_at is not null as over from alarms where kind = 'cell_idle' order by id",
  );

it('raises one alarm after a minute without a worker, and ends it when there is one', async () => {
  let workers: number | undefined = 1;
  const cells = [cellWith(() => 1), cellWith(() => workers)];
  const tried: number[] = [];
  const finish = (number: number): Promise<void> => {
    tried.push(number);
    return Promise.reject(new Error('no move was interrupted'));
  };
  const [one, other] = [new CellWatch(cells, finish), new CellWatch(cells, finish)];
  const runBoth = async (nowMs: number): Promise<void> => {
    await Promise.all([one, other].map((watch) => watch.run(database, nowMs)));
  };
  await runBoth(0);
  workers = undefined;
  await runBoth(1_000);
  assert.deepEqual(tried, []);
  await runBoth(MINUTE_MS);
  assert.deepEqual(await alarms(), []);
  await runBoth(MINUTE_MS + 1_000);
  assert.ok(tried.length > 0 && tried.every((number) => number === 1));
  workers = 0;
  await runBoth(2 * MINUTE_MS);
  assert.deepEqual(await alarms(), [{ over: false }]);
  workers = 1;
  await runBoth(2 * MINUTE_MS + 1_000);
  assert.deepEqual(await alarms(), [{ over: true }]);
  workers = 0;
  await runBoth(3 * MINUTE_MS);
  await runBoth(4 * MINUTE_MS);
  assert.deepEqual(await alarms(), [{ over: true }, { over: false }]);
});

it('counts only live processes that do background work', async () => {
  await database.query(`
    insert into gateways (id, role, host, pid, seen_at)
    values
      (gen_random_uuid(), 'api', 'a', 1, now()),
      (gen_random_uuid(), 'worker', 'a', 2, now() - interval '1 minute')`);
  const states = async (): Promise<string[]> => (await checkCells([database])).map(({ state }) => state);
  assert.deepEqual(await states(), ['warn']);
  await database.query(
    "insert into gateways (id, role, host, pid) values (gen_random_uuid(), 'worker', 'a', 3)",
  );
  assert.deepEqual(await states(), ['ok']);
});

/** How much each provider delivered, over an hour and a day that move with the clock. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { showSuccessOperation } from '../../../src/finance/reports/operations/show-success.ts';
import { rollUp, sell } from '../../catalog/margins/money.ts';
import { accept, answer, openBuyer, purchase, resolveWords } from '../../purchases/fixture.ts';
import { createTestDatabase } from '../../support/database.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const buyer = await openBuyer(database, 1_000_000_00n);

describe('how much each provider delivered', () => {
  const day = 24 * 60;

  /** Became final so many minutes ago. */
  async function end(kind: 'success' | 'failed', minutesAgo: number, latencyMs = 3): Promise<void> {
    const item = purchase(buyer, 1_00n, { network: 'GLO' });
    await accept(database, item);
    const said = answer(buyer, item, kind);
    await resolveWords(database, { ...said, answer: { ...said.answer, latencyMs } });
    await database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(
        "update purchase_outcomes set at = now() - $2 * interval '1 minute' where purchase_id = $1",
        [item.id, minutesAgo],
      );
    });
  }

  async function ask(minutesLater = 0) {
    const clock = { now: () => new Date(Date.now() + minutesLater * 60_000), elapsedMs: () => 0 };
    const told = await showSuccessOperation.run({ sql: database, clock }, { by: 'route' });
    return { ...told, glo: told.data.find(({ network }) => network === 'GLO') };
  }

  before(async () => {
    await sell(database, database, buyer, { charge: 1_00n, cost: 97n });
    await end('success', 10);
    await end('failed', 30, 3_500);
    await end('success', 5 * 60);
    await end('success', day - 10);
    await end('success', day + 20);
    await end('failed', day + 90);
    await rollUp(database);
  });

  it('follows the clock: an outcome of 24 hours ago is no longer counted', async () => {
    const { glo } = await ask();
    assert.deepEqual(glo?.hour, { successes: 1, failures: 1, success_rate: '50.00' });
    assert.deepEqual(glo?.day, { successes: 3, failures: 1, success_rate: '75.00' });
    assert.equal(glo?.latency_p95_ms, 3_500);
    assert.deepEqual((await ask(20)).glo?.day, { successes: 2, failures: 1, success_rate: '66.66' });
    assert.deepEqual((await ask(60)).glo?.hour, { successes: 0, failures: 0, success_rate: null });
    assert.equal((await ask(2 * day)).glo, undefined);
  });

  it('counts each purchase once, as in the raw outcomes', async () => {
    const { data, day_from: from } = await ask();
    const raw = await database.query<{ network: string; successes: number; failures: number }>(
      `select
         v.network,
         count(*) filter (where o.status = 'success')::integer as successes,
         count(*) filter (where o.status = 'failed')::integer as failures
       from purchase_outcomes o
       join purchases v on v.id = o.purchase_id
       where o.at >= $1
       group by v.network
       order by v.network`,
      [from],
    );
    assert.deepEqual(
      data.map(({ network, day: { successes, failures } }) => ({ network, successes, failures })),
      raw,
    );
  });

  it('returns a whole provider, one provider, and no row of a provider without sales', async () => {
    const run = async (input: object) =>
      (await showSuccessOperation.run({ sql: database, clock: systemClock }, { by: 'provider', ...input }))
        .data;
    const [all] = await run({});
    assert.deepEqual([all?.provider, all?.product, all?.network], ['sandbox', null, null]);
    assert.deepEqual([all?.day.failures, all?.latency_p95_ms], [1, 3_500]);
    assert.deepEqual(await run({ provider: 'sandbox' }), [all]);
    assert.deepEqual(await run({ provider: 'nobody' }), []);
  });

  it('deletes slots that are an hour older than those it shows', async () => {
    const slots = async () =>
      (await database.query("select from recent_outcomes where network = 'GLO'")).length;
    assert.equal(await slots(), 5);
    await database.query(
      "update recent_outcomes set slot = slot - interval '25 hours' where network = 'GLO'",
    );
    await rollUp(database);
    assert.equal(await slots(), 0);
    assert.ok((await ask()).data.length > 0);
  });
});

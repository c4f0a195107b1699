/** New rows enter the summaries of the time indexes, so a query for a period reads few rows. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Database, openDatabase, type Sql } from '../../src/db/database.ts';
import { TimeIndexSummaries } from '../../src/db/summarize-time-indexes.ts';
import { createTestDatabase } from '../support/database.ts';

const tables = ['transfers', 'deliveries'] as const;
type Table = (typeof tables)[number];

/** All of 200 rows except those of the first range, which has a summary from the beginning. */
const MANY = 150;
/** Two ranges of 28 rows, and the last, which still grows. */
const FEW = 90;

/** Tables by time, which autovacuum does not maintain. */
async function openTables(database: Database): Promise<void> {
  for (const table of tables) {
    await database.query(`drop table ${table} cascade`);
    await database.query(
      `create table ${table} (at timestamptz, filler text) with (autovacuum_enabled = false)`,
    );
    await database.query(
      `create index ${table}_by_time on ${table} using brin (at) with (pages_per_range = 4)`,
    );
  }
}

/** Some ranges of rows, a second apart. */
async function fill(sql: Sql, table: Table, from: number): Promise<void> {
  await sql.query(
    `insert into ${table}
     select timestamptz '2026-05-12 00:00Z' + n * interval '1 second', repeat('x', 1000)
     from generate_series($1::integer, $1::integer + 199) as n`,
    [from],
  );
}

/** The number of rows that a query for ten seconds reads. */
async function rowsRead(database: Database, table: Table, second: number): Promise<number> {
  return await database.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off');
    const plan = await tx.query<Record<string, string>>(
      `explain (analyze, costs off, timing off, summary off)
       select from ${table}
       where at >= timestamptz '2026-05-12 00:00Z' + ${second} * interval '1 second'
       and at < timestamptz '2026-05-12 00:00Z' + ${second + 10} * interval '1 second'`,
    );
    const lines = plan.map((row) => Object.values(row)[0]).join('\n');
    assert.match(lines, /Bitmap Index Scan/);
    return 10 + Number(/Rows Removed by Index Recheck: (\d+)/.exec(lines)?.[1] ?? 0);
  });
}

/** Repeats until all is done, which takes a few runs. */
async function summarizeAll(summaries: TimeIndexSummaries, database: Database): Promise<void> {
  for (let run = 0; (await summaries.run(database)).more; run += 1) assert.ok(run < 50, 'it goes on and on');
}

describe('summaries of indexes by time', () => {
  it('summarizes existing and new blocks', async () => {
    await using test = await createTestDatabase();
    const { database } = test;
    await openTables(database);
    await fill(database, 'transfers', 0);
    assert.ok((await rowsRead(database, 'transfers', 50)) >= MANY);

    const summaries = new TimeIndexSummaries();
    await summarizeAll(summaries, database);
    assert.ok((await rowsRead(database, 'transfers', 50)) <= FEW);

    for (const from of [200, 400]) {
      await fill(database, 'transfers', from);
      assert.ok((await rowsRead(database, 'transfers', from + 100)) >= MANY);
      await summarizeAll(summaries, database);
      assert.ok((await rowsRead(database, 'transfers', from + 100)) <= FEW);
    }
  });

  it('skips a locked table, and summarizes the others', async () => {
    await using test = await createTestDatabase();
    const { database } = test;
    await openTables(database);
    for (const table of tables) await fill(database, table, 0);
    const summaries = new TimeIndexSummaries();
    await database.transaction(async (tx) => {
      await tx.query('lock table transfers in share update exclusive mode');
      assert.deepEqual(await summaries.run(database), { more: true });
      // A run ends after some milliseconds, however far it got.
      for (let run = 0; run < 20; run += 1) await summaries.run(database);
    });
    assert.ok((await rowsRead(database, 'transfers', 50)) >= MANY);
    assert.ok((await rowsRead(database, 'deliveries', 50)) <= FEW);

    await summarizeAll(summaries, database);
    assert.ok((await rowsRead(database, 'transfers', 50)) <= FEW);
  });

  it('restarts if a table was emptied', async () => {
    await using test = await createTestDatabase();
    const { database } = test;
    await openTables(database);
    for (const from of [0, 200]) await fill(database, 'transfers', from);
    const summaries = new TimeIndexSummaries();
    await summarizeAll(summaries, database);

    await database.query('truncate transfers');
    await summarizeAll(summaries, database);
    await fill(database, 'transfers', 0);
    await summarizeAll(summaries, database);
    assert.ok((await rowsRead(database, 'transfers', 50)) <= FEW);
  });

  it('leaves summaries to PostgreSQL if the role owns no table', async () => {
    await using test = await createTestDatabase();
    const { database } = test;
    await openTables(database);
    await fill(database, 'transfers', 0);
    const role = `guest_${process.pid}`;
    await database.query(`create role ${role}`);
    try {
      await database.query(`grant usage on schema public to ${role}`);
      {
        await using guest = openDatabase({
          connectionString: `${test.connectionString}&options=${encodeURIComponent(`-c role=${role}`)}`,
          connectionsMax: 1,
          applicationName: 'oja test',
          onPoolError: () => undefined,
        });
        const [whoami] = await guest.query<{ name: string }>('select current_user as name');
        assert.equal(whoami?.name, role);
        assert.deepEqual(await new TimeIndexSummaries().run(guest), { more: false });
      }
      assert.ok((await rowsRead(database, 'transfers', 50)) >= MANY);
    } finally {
      await database.query(`revoke all on schema public from ${role}`);
      await database.query(`drop role ${role}`);
    }
  });
});

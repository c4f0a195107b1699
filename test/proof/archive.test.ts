/**
 * Commands that move attempts and answers into an archive, and back, are killed where it hurts:
 * between the file and its record, between two deletions, between two blocks that come back. No row
 * is lost or doubled, the books hold, and the next command goes on.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { newBackupKey } from '../../src/backup/backup-key.ts';
import { formatDay } from '../../src/kernel/clock.ts';
import { allRows, makeOlder } from '../archive/fixture.ts';
import { type Operator, operator, runOja, startOja } from '../cli/harness.ts';
import { sell } from '../margins/money.ts';
import { auditDifferences } from '../support/books.ts';
import { until } from '../support/until.ts';
import { openBuyer } from '../vending/fixture.ts';

const MERCHANTS = 8;
const sale = { charge: 1_00n, cost: 97n };

let op: Operator;
let folder: string;
let settings: Readonly<Record<string, string>>;
let rows: readonly string[];

before(async () => {
  op = await operator();
  folder = await mkdtemp(join(tmpdir(), 'oja-archive-'));
  const { identity } = await newBackupKey();
  settings = { ...op.settings, OJA_BACKUP_KEY: identity };
  for (let count = 0; count < MERCHANTS; count += 1) {
    const buyer = await openBuyer(op.database, 1_000_00n);
    await sell(op.database, op.database, buyer, sale, sale, sale);
  }
  await makeOlder(op.database, 200);
  rows = await allRows(op.database);
});

after(async () => {
  await rm(folder, { recursive: true, force: true });
  await op?.[Symbol.asyncDispose]();
});

const write = [
  ...['archive', 'write', '--yes', '--before'],
  formatDay(new Date(Date.now() - 100 * 86_400_000)),
];

async function oja(...args: string[]) {
  const ran = await runOja(settings, args);
  assert.equal(ran.code, 0, ran.err);
  return ran.out;
}

async function ofCommands(condition: string): Promise<number> {
  const sessions = await op.database.query(
    `select from pg_stat_activity where datname = current_database() and application_name = 'oja-cli' and ${condition}`,
  );
  return sessions.length;
}

/** Kills the command while it waits for what `hold` has locked. */
async function killAt(hold: string, args: readonly string[]): Promise<void> {
  await op.database.transaction(async (tx) => {
    await tx.query(hold);
    // One that was held up for so long that it gave up waiting is started again.
    for (let isKilled = false; !isKilled; ) {
      const command = startOja(settings, args);
      const gone = once(command, 'exit');
      await until('it is where it is to be killed', async () => {
        isKilled = (await ofCommands("wait_event_type = 'Lock'")) > 0;
        return isKilled || command.exitCode !== null;
      });
      command.kill('SIGKILL');
      await gone;
    }
  });
  await until('the server has noticed', async () => (await ofCommands('true')) === 0);
}

async function blocksOut(): Promise<number> {
  const [row] = await op.database.query<{ count: number }>(
    'select count(*)::integer as count from archive_blocks',
  );
  return row?.count ?? 0;
}

async function archives(): Promise<{ state: string; folder: string; purchases_out: number }[]> {
  return JSON.parse(await oja('archive', 'list', '--json')).data;
}

/** Three purchases of a merchant in each block, with an attempt and an answer each. */
async function requireWhole(): Promise<void> {
  const present = await allRows(op.database);
  assert.equal(present.length, rows.length - 6 * (await blocksOut()));
  assert.equal(new Set(present).size, present.length);
  assert.ok(present.every((row) => rows.includes(row)));
  assert.deepEqual(await auditDifferences(op.database), []);
}

describe('an archive whose command is killed', () => {
  it('between its file and its record: everything is still here', async () => {
    await killAt('lock table archives in exclusive mode', [...write, folder]);
    assert.ok((await readdir(folder)).some((name) => name.startsWith('archive-')));
    assert.deepEqual(await archives(), []);
    assert.deepEqual(await allRows(op.database), rows);
    assert.match(await oja('archive', 'check', folder), /\bunknown\b/);
  });

  it('between two deletions: each row is here or there, and the next command goes on', async () => {
    const fifth = 'select from attempts where merchant_id = (select min(id) + 4 from merchants) for update';
    await killAt(fifth, [...write, folder]);
    assert.equal(await blocksOut(), 4);
    assert.deepEqual((await archives())[0]?.state, 'cut short');
    await requireWhole();
    assert.match(await oja('archive', 'check', folder), /\bgood +12\b/);
    assert.match(await oja(...write, folder), /\b12\b/);
    assert.equal(await blocksOut(), MERCHANTS);
    assert.equal((await archives()).length, 1, 'no second file was needed');
    assert.deepEqual(await allRows(op.database), []);
    await requireWhole();
  });

  it('between two blocks that come back: the rest comes with the next command', async () => {
    const [archive] = await archives();
    const path = archive?.folder ?? assert.fail('an archive');
    await killAt('select from archive_blocks where number = 4 for update', ['archive', 'restore', path]);
    assert.equal(await blocksOut(), MERCHANTS - 3);
    assert.equal((await archives())[0]?.state, 'in part');
    await requireWhole();
    assert.match(await oja('archive', 'restore', path), /\b15\b.*\b9\b/);
    assert.deepEqual(await allRows(op.database), rows, 'row for row');
    await requireWhole();
  });
});

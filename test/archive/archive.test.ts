/**
 * Attempts and answers of old purchases go into a file and come back, by the operator's commands on
 * a real database: what is over goes, the rest stays, the books hold, and nothing is let go of that
 * a file does not have.
 */
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Archiving, archiveVends } from '../../src/archive/archive-vends.ts';
import { runAudit } from '../../src/audit/run-audit.ts';
import { newBackupKey, openBackupKey } from '../../src/backup/backup-key.ts';
import { formatDay } from '../../src/kernel/clock.ts';
import { Forgetting } from '../../src/retention/forget-old.ts';
import { answer, buy, delivered, makeVends, openShop, type Shop } from '../audit/fixture.ts';
import { type Operator, operator, runOja } from '../cli/harness.ts';
import { allRows, makeOlder } from './fixture.ts';

const dayAgo = (days: number): string => formatDay(new Date(Date.now() - days * 86_400_000));
/** Who bought `r-delivered`. */
const person = '08035550199';
const before100 = ['--before', dayAgo(100), '--yes'];

let op: Operator;
let shop: Shop;
let root: string;
let folder: string;
let settings: Readonly<Record<string, string>>;

before(async () => {
  op = await operator();
  root = await mkdtemp(join(tmpdir(), 'oja-archive-'));
  folder = join(root, 'archives');
  const { identity } = await newBackupKey();
  settings = { ...op.settings, OJA_BACKUP_KEY: identity };
  shop = await openShop(op.database);
  await makeVends(op.database, shop);
  await undoing(
    `update vends set msisdn = '${person}', recipient = '2348035550199' where reference = 'r-delivered';
     update vend_outcomes set recipient = '2348035550199' where vend_id = (select id from vends where reference = 'r-delivered')`,
  );
  await makeOlder(op.database, 200);
  await op.database.query(
    "insert into alarms (kind, merchant_id, vend_id, message) select 'contradiction', merchant_id, id, '' from vends where reference = 'r-refused'",
  );
  const young = await buy(op.database, shop, 'young');
  await answer(op.database, shop, young, 'success', delivered(shop, 9_700n));
});

after(async () => {
  await rm(root, { recursive: true, force: true });
  await op?.[Symbol.asyncDispose]();
});

const oja = (...args: string[]) => runOja(settings, args);
const write = (...args: string[]) => oja('archive', 'write', folder, ...args);

async function json(...args: string[]) {
  const ran = await oja(...args, '--json');
  assert.equal(ran.code, 0, ran.err);
  return JSON.parse(ran.out).data;
}

async function refused(how: string, code: number, args: readonly string[], also = {}): Promise<void> {
  const was = await allRows(op.database);
  const ran = await runOja({ ...settings, ...also }, args);
  assert.deepEqual([ran.code, ran.out, ran.refused], [code, '', how]);
  assert.deepEqual(await allRows(op.database), was);
}

/** The exit code, and the state of the first archive. */
async function checked(of: string): Promise<readonly [code: number, state: string]> {
  const ran = await oja('archive', 'check', of, '--json');
  return [ran.code, JSON.parse(ran.out).data[0].state];
}

async function wrong(sinceLast = false): Promise<string[]> {
  const { checks } = await runAudit(op.database, { sinceLast });
  return checks.filter(({ ok }) => !ok).map(({ name }) => name);
}

async function withAttempts(): Promise<string[]> {
  const rows = await op.database.query<{ reference: string }>(
    'select v.reference from vends v where exists (select from attempts a where a.vend_id = v.id)',
  );
  return rows.map(({ reference }) => reference).sort();
}

async function undoing(sql: string): Promise<void> {
  await op.database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(sql);
  });
}

/** What must be done before, and how it looks when it is not. */
const notYet = [
  {
    how: 'restore_fence_up',
    sql: "insert into restore_fences (id, cause, source, reason, lost_from, raised_by) values (gen_random_uuid(), 'by_hand', 'a', '', now(), '')",
    undo: 'delete from restore_fences',
  },
  {
    how: 'index_incomplete',
    sql: `update settings set value = replace(value, '"-infinity"', '"2026-01-01"') where name = 'search_progress'`,
    undo: `update settings set value = replace(value, '"2026-01-01"', '"-infinity"') where name = 'search_progress'`,
  },
  {
    how: 'reports_incomplete',
    sql: 'update report_mark set history_to = now()',
    undo: 'update report_mark set history_to = null',
  },
  {
    how: 'day_not_closed',
    sql: `
      insert into closed_days (
        environment, day, closed_by, closed_principal, pending, audit_position, audit_hash, figures_hash, previous_hash, hash
      )
      values ('live', '2020-01-01', '', '', '[]', 1, '', '', '', '')`,
    undo: 'alter table closed_days disable trigger user; delete from closed_days',
  },
  {
    how: 'not_reconciled',
    sql: `
      insert into reconciliation_runs (
        id, party, environment, source, from_at, to_at, applied, lines, differences, summary, run_by, run_principal,
        started_at
      )
      values (
        gen_random_uuid(), 'vtpass', 'live', 'file', '2020-01-01Z', '2020-01-02Z', false, 0, 0, '{}', '', '', now()
      )`,
    undo: 'delete from reconciliation_runs',
  },
] as const;

/** The folder of the newest archive. */
async function newest(): Promise<string> {
  const listed = await json('archive', 'list');
  return listed[0].folder;
}

describe('an archive', () => {
  it('is refused by name where it may not be written, and nothing goes', async () => {
    const command = ['archive', 'write', folder];
    await refused('usage', 2, command);
    await refused('usage', 2, [...command, '--before', '2026-02-30']);
    await refused('confirmation_needed', 1, [...command, '--before', dayAgo(100)]);
    await refused('day_too_young', 1, [...[...command, '--before', dayAgo(80), '--yes']]);
    await refused('folder_in_data_dir', 1, [
      ...['archive', 'write', join(op.settings.OJA_DATA_DIR ?? '', 'archives'), ...before100],
    ]);
    const backups = join(root, 'backups');
    await mkdir(join(backups, '20260301T010000Z-3fa9c1'), { recursive: true });
    await refused('folder_of_others', 1, [...['archive', 'write', backups, ...before100]]);
    for (const { how, sql, undo } of notYet) {
      await op.database.query(sql);
      await refused(how, 1, [...command, ...before100]);
      await undoing(undo);
    }
    await assert.rejects(readdir(folder), { code: 'ENOENT' });
  });

  it('has what is old and over; what is not stays, and the books hold', async () => {
    const rows = await allRows(op.database);
    const were = await withAttempts();
    const ran = await write(...before100);
    assert.equal(ran.code, 0, ran.err);
    const gone = were.filter((one) => !['r-refused', 'r-young'].includes(one) && !pendingOnes.has(one));
    assert.ok(gone.includes('r-delivered') && gone.includes('r-not_found'), gone.join());
    assert.deepEqual(
      await withAttempts(),
      were.filter((one) => !gone.includes(one)),
    );
    assert.deepEqual(await wrong(), []);
    assert.deepEqual(await wrong(true), []);
    const [archive] = await json('archive', 'list');
    assert.deepEqual(
      [archive.purchases, archive.purchases_out, archive.state],
      [gone.length, gone.length, 'archived'],
    );
    assert.equal(archive.attempts + archive.answers, rows.length - (await allRows(op.database)).length);
    const text = await readFile(join(archive.folder, 'rows.tar.zst.age'));
    assert.ok(!text.includes('said so'), 'nothing is in clear');
    const entries = await json('audit-log', 'list', '--limit', '1');
    assert.deepEqual(
      [entries[0].action, entries[0].subject],
      ['archive.write', `archive:${archive.archive}`],
    );
    const again = await write(...before100);
    assert.equal(again.code, 0, again.err);
    assert.deepEqual(await readdir(folder), [archive.archive]);
  });

  it('is named where a person looks, and all that can be done with a final purchase can be', async () => {
    const shown = await json('vend', 'show', 'r-delivered');
    assert.deepEqual([shown.status, shown.attempts, shown.archived.folder], ['success', [], await newest()]);
    const { out } = await oja('vend', 'show', 'r-delivered');
    assert.match(out, /\barchive-\S+.*\.\/oja archive restore/);
    assert.equal((await json('vend', 'show', 'r-young')).archived, null);
    const ask = await oja('vend', 'ask', 'r-delivered');
    assert.deepEqual([ask.code, ask.out, ask.refused], [1, '', 'purchase_final']);
    const settle = await oja('vend', 'settle', 'r-delivered', '--failed', '--evidence', 'support says so');
    assert.deepEqual([settle.code, settle.out], [1, ''], settle.err);
    const refund = ['r-delivered', '--amount', '10.00', '--reason', 'gave it back', '--key', 'k1'];
    const given = await oja('vend', 'refund', ...refund);
    assert.equal(given.code, 0, given.err);
    const found = await json('vend', 'list', '--reference', 'r-delivered');
    assert.deepEqual([found.length, found[0].attempt_reference], [1, null]);
    assert.deepEqual(await wrong(true), [], 'what came to it since is audited with it');
  });

  it('is not silently left out of a reconciliation or of an erasure', async () => {
    const file = join(root, 'statement.csv');
    const head = 'Transaction Date,Status,Request ID,Amount,Total Amount\n';
    const reconcile = (day: string, line = '') =>
      writeFile(file, `${head}${line}`).then(() => oja('reconcile', 'vtpass', file, '--from', day));
    const old = await reconcile(dayAgo(300));
    assert.deepEqual([old.code, old.out, old.refused], [1, '', 'reconciliation_archived']);
    assert.match(old.err, /\.\/oja archive restore/);
    const line = `${dayAgo(1)} 10:00:00,reversed,ref-delivered-1,100,97\n`.replace(
      /(\d+)-(\d+)-(\d+)/,
      '$3/$2/$1',
    );
    assert.equal((await reconcile(dayAgo(2), line)).refused, 'reconciliation_archived');
    const recent = await reconcile(dayAgo(2), line.replace('ref-delivered-1', 'ref-nobody'));
    assert.equal(recent.code, 0, recent.err);
    const erase = await oja('person', 'erase', person, '--yes');
    assert.deepEqual([erase.code, erase.out, erase.refused], [1, '', 'person_archived']);
    assert.match(erase.err, /\b1\b.*\.\/oja archive restore /);
  });

  it('is checked against the database, and what was changed is refused', async () => {
    const good = await newest();
    assert.deepEqual(
      (await json('archive', 'check', folder)).map(({ state }: { state: string }) => state),
      ['good'],
    );
    assert.deepEqual(await checked(join(root, 'nowhere')), [1, 'missing']);
    await refused('no_archive', 1, ['archive', 'restore', root]);
    const copy = join(root, 'copies', good.slice(folder.length + 1));
    const spoil = async (name: string, change: (text: Buffer) => Buffer): Promise<void> => {
      await rm(copy, { recursive: true, force: true });
      await cp(good, copy, { recursive: true });
      await writeFile(join(copy, name), change(await readFile(join(copy, name))));
    };
    const flip = (text: Buffer): Buffer => {
      text[text.length - 9] = (text.at(-9) ?? 0) ^ 1;
      return text;
    };
    await spoil('rows.tar.zst.age', flip);
    await refused('backup_damaged', 1, ['archive', 'restore', copy]);
    assert.deepEqual(await checked(join(root, 'copies')), [1, 'wrong']);
    await spoil('manifest.json', (text) =>
      Buffer.from(text.toString().replace(/"vends": \d+/, '"vends": 1')),
    );
    await refused('manifest_changed', 1, ['archive', 'restore', copy]);
    const { identity } = await newBackupKey();
    await refused('backup_key_missing', 1, ['archive', 'restore', good], { OJA_BACKUP_KEY: identity });
  });

  it('comes back as it was, once, and can go again', async () => {
    const path = await newest();
    const left = await allRows(op.database);
    assert.ok((await json('archive', 'restore', path)).purchases > 0);
    const rows = await allRows(op.database);
    assert.ok(rows.length > left.length);
    assert.equal(new Set(rows).size, rows.length);
    assert.deepEqual(await wrong(), []);
    const again = await json('archive', 'restore', path);
    assert.equal(again.purchases, 0);
    assert.deepEqual(await allRows(op.database), rows);
    assert.equal((await json('vend', 'show', 'r-delivered')).archived, null);
    assert.equal((await json('archive', 'list'))[0].state, 'brought back');
    await undoing('update archives set sha256 = reverse(sha256)');
    await refused('archive_changed', 1, ['archive', 'restore', path]);
    await undoing('delete from archives');
    await refused('archive_unknown', 1, ['archive', 'restore', path]);
    assert.equal((await checked(folder))[1], 'unknown');
    assert.equal((await write(...before100)).code, 0);
    const gone = await allRows(op.database);
    assert.ok(gone.length < rows.length);
    assert.equal((await oja('archive', 'restore', await newest())).code, 0);
    assert.deepEqual(await allRows(op.database), rows, 'row for row');
    const erased = await json('person', 'erase', person, '--yes');
    assert.equal(erased.purchases, 1);
  });

  it('goes on where it was cut short, and leaves what has changed since', async () => {
    const rows = await allRows(op.database);
    const key = await openBackupKey(settings.OJA_BACKUP_KEY ?? '');
    let blocks = 0;
    const archiving: Archiving = {
      database: op.database,
      keys: [key],
      kinds: [],
      actor: 'test',
      version: '0',
      vendsPerBlock: 1,
      onProgress: ({ step, done }) => {
        blocks = step === 'moving' ? done : 0;
        if (blocks === 2) throw new Error('killed');
      },
    };
    const wanted = {
      before: new Date(Date.now() - 100 * 86_400_000),
      now: new Date(),
      unreconciled: true,
      providers: [],
    };
    await assert.rejects(archiveVends(folder, wanted, archiving), /killed/);
    assert.equal((await json('archive', 'list'))[0].state, 'cut short');
    assert.deepEqual(await wrong(), []);
    const [last] = await op.database.query<{ vend_id: string }>(
      "select a.vend_id from attempts a join vends v on v.id = a.vend_id where v.reference = 'r-uncounted'",
    );
    const changed = last?.vend_id ?? assert.fail('one that is still here');
    await op.database.transaction(async (tx) => {
      await tx.query("set local oja.anonymising = 'on'");
      await tx.query("update provider_answers set message = '' where vend_id = $1", [changed]);
    });
    const quiet = { ...archiving, onProgress: () => undefined };
    const done = await archiveVends(folder, wanted, quiet);
    assert.equal(done.left, 1);
    assert.equal(done.archives.length, 2, 'what has changed is in the next file');
    assert.deepEqual(await wrong(), []);
    for (const { archive } of (await json('archive', 'list')).slice(0, 2)) {
      assert.equal((await oja('archive', 'restore', join(folder, archive))).code, 0);
    }
    const now = await allRows(op.database);
    assert.deepEqual(
      now.filter((row) => !row.includes(changed)),
      rows.filter((row) => !row.includes(changed)),
    );
    assert.equal(now.length, rows.length);
  });

  it('waits for a retention where there is one, and does not get round it', async () => {
    const month = { OJA_RETENTION_CUSTOMERS_DAYS: '30' };
    const periods = { purchases: 0, customers: 30, deliveries: 0, identities: 0 };
    const forgetting = new Forgetting(periods, () => new Date());
    const writeWith = (also: Readonly<Record<string, string>>) =>
      runOja({ ...settings, ...also }, ['archive', 'write', folder, ...before100]);
    const wordsIn = async (): Promise<boolean> => {
      const [row] = await op.database.query<{ words: boolean }>(
        'select coalesce(bool_or(has_words), false) as words from archive_blocks',
      );
      return row?.words ?? false;
    };
    const answersWithWords = (): Promise<unknown[]> =>
      op.database.query(
        "select from provider_answers where message <> '' and at < now() - interval '100 days'",
      );
    const before = await json('archive', 'list');
    assert.equal((await writeWith(month)).code, 0);
    assert.deepEqual(await json('archive', 'list'), before, 'none was written');
    assert.equal((await writeWith({})).code, 0);
    assert.equal(await wordsIn(), true);
    assert.equal(await forgetting.run(op.database), 'done');
    const open = (await answersWithWords()).length;
    assert.equal((await oja('archive', 'restore', await newest())).code, 0);
    assert.ok((await answersWithWords()).length > open);
    assert.equal(await forgetting.run(op.database), 'done');
    assert.equal((await answersWithWords()).length, open, 'what came back goes with the next run');
    const count = (await json('archive', 'list')).length;
    assert.equal((await writeWith(month)).code, 0);
    assert.equal((await json('archive', 'list')).length, count + 1);
    assert.equal(await wordsIn(), false);
    assert.deepEqual(await wrong(), []);
  });
});

/** Those of the fixture that are not final, or owe goods. */
const pendingOnes = new Set(
  ['capped', 'tokenless', 'calling', 'sending', 'unknown', 'retrying'].map((name) => `r-${name}`),
);

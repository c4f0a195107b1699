/**
 * The chain of the audit log: entries of concurrent operations make one chain, no entry can be
 * changed, and a change made without the triggers is found.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Tx } from '../../../src/db/database.ts';
import { isLockTimeout } from '../../../src/db/database-errors.ts';
import { recordOperation } from '../../../src/oversight/log/audit-log-store.ts';
import { type Verified, verifyAuditLog } from '../../../src/oversight/log/operations/verify-audit-log.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { refusedBySchema } from '../../support/refusals.ts';

const database = await openFileDatabase();

const ada = { name: 'ada', principal: 'user:root', edge: 'cli' } as const;

function record(tx: Tx, number: number): Promise<void> {
  const after = { number, text: 'ké "quoted", 北京\n' };
  return recordOperation(tx, { actor: ada, action: 'test.act', subject: `test:${number}`, after });
}

await database.transaction(async (tx) => {
  await recordOperation(tx, { actor: 'oja', action: 'test.begin', subject: '', before: {} });
  for (let number = 1; number < 10; number += 1) await record(tx, number);
});

/** Runs `work` without the triggers, verifies the log, and rolls back. */
async function behind(sql: string, look: (tx: Tx) => Promise<Verified> = verifyAuditLog): Promise<Verified> {
  let found: Verified | undefined;
  const undone = new Error('undone');
  await assert.rejects(
    database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      for (const table of ['audit_log', 'audit_log_chain'])
        await tx.query(`alter table ${table} disable trigger user`);
      await tx.query(sql);
      found = await look(tx);
      throw undone;
    }),
    undone,
  );
  return found ?? assert.fail('nothing was looked at');
}

async function idOf(number: number): Promise<bigint> {
  const [row] = await database.query<{ id: bigint }>('select id from audit_log where subject = $1', [
    `test:${number}`,
  ]);
  return row?.id ?? assert.fail(`no entry ${number}`);
}

describe('a chain in order', () => {
  it('verifies the chain in slices of any size, to the same end', async () => {
    const whole = await verifyAuditLog(database);
    assert.equal(whole.broken, undefined);
    assert.equal(whole.entries, 10n);
    assert.match(whole.head?.hash ?? '', /^[0-9a-f]{64}$/);
    assert.equal(whole.head?.entryId, await idOf(9));
    for (const rowsPerSlice of [1, 3, 10])
      assert.deepEqual(await verifyAuditLog(database, { rowsPerSlice }), whole);
  });

  it('verifies from an entry whose hash was kept, and from no other', async () => {
    const [kept] = await database.query<{ hash: string }>(
      "select encode(hash, 'hex') as hash from audit_log_chain where entry_id = $1",
      [await idOf(4)],
    );
    const hash = kept?.hash ?? assert.fail();
    const from = { entryId: await idOf(4), hash: hash.toUpperCase() };
    const verified = await verifyAuditLog(database, { from });
    assert.deepEqual([verified.broken, verified.entries], [undefined, 5n]);
    const other = await verifyAuditLog(database, { from: { ...from, hash: hash.replace(/^./, 'g') } });
    assert.deepEqual(other.broken, { entryId: from.entryId, how: 'changed' });
    const none = await verifyAuditLog(database, { from: { entryId: 99n, hash } });
    assert.deepEqual(none.broken, { entryId: 99n, how: 'missing' });
  });
});

describe('changes that bypass the triggers', () => {
  const found = async (sql: string) => (await behind(sql)).broken;

  for (const [column, value] of [
    ['at', "at + interval '1 microsecond'"],
    ['actor', "'eve'"],
    ['principal', 'null'],
    ['edge', "''"],
    ['action', "'test.other'"],
    ['subject', "subject || ' '"],
    ['before', "'null'"],
    ['after', "jsonb_set(after, '{number}', '6.0')"],
  ] as const) {
    it(`detects a change of ${column}`, async () => {
      const sql = `update audit_log set ${column} = ${value} where subject = 'test:5'`;
      assert.deepEqual(await found(sql), { entryId: await idOf(5), how: 'changed' });
    });
  }

  it('detects two fields that are the same text together', async () => {
    const sql = "update audit_log set action = 'test.actt', subject = 'est:5' where subject = 'test:5'";
    assert.deepEqual(await found(sql), { entryId: await idOf(5), how: 'changed' });
  });

  it('detects a deleted entry: by itself, with its link, or with a repaired chain', async () => {
    const of5 = `(select id from audit_log where subject = 'test:5')`;
    assert.deepEqual(await found("delete from audit_log where subject = 'test:5'"), {
      entryId: await idOf(5),
      how: 'missing',
    });
    const both = `delete from audit_log_chain where entry_id = ${of5}; delete from audit_log where subject = 'test:5'`;
    const before6 = { entryId: await idOf(6), how: 'missing_before' };
    assert.deepEqual(await found(both), before6);
    const closed = `${both}; update audit_log_chain set position = position - 1000 where position > 6;
      update audit_log_chain set position = position + 999 where position < 0`;
    assert.deepEqual(await found(closed), before6);
  });

  it('detects a deleted first entry', async () => {
    const sql = 'delete from audit_log_chain where position = 1; delete from audit_log where id = 1';
    assert.deepEqual(await found(sql), { entryId: await idOf(1), how: 'missing_before' });
  });

  const forged = `insert into audit_log (id, at, actor, action, subject) overriding system value values (-5, now(), 'eve', 'test.act', 'forged')`;

  it('detects an inserted entry, without a link, or with one that fits', async () => {
    assert.deepEqual(await found(forged), { entryId: -5n, how: 'put_between' });
    const linked = `
      ${forged};
      update audit_log_chain set position = -position - 1 where position > 5;
      update audit_log_chain set position = -position where position < 0;
      insert into audit_log_chain
      select 6, a.id, c.hash, sha256(c.hash || audit_entry_bytes(a))
      from audit_log a, audit_log_chain c
      where a.subject = 'forged' and c.position = 5`;
    assert.deepEqual(await found(linked), { entryId: -5n, how: 'put_between' });
  });

  it('detects entries in another order', async () => {
    const sql = `
      update audit_log_chain set position = 1000 where position = 4;
      update audit_log_chain set position = 4 where position = 7;
      update audit_log_chain set position = 7 where position = 1000`;
    assert.deepEqual(await found(sql), { entryId: await idOf(6), how: 'order' });
  });

  it('detects an entry changed with its own link, and all links after it, from a kept hash', async () => {
    const relink = `
      update audit_log set actor = 'eve' where subject = 'test:5';
      update audit_log_chain c set hash = sha256(c.previous_hash || audit_entry_bytes(a))
      from audit_log a where a.id = c.entry_id and a.subject = 'test:5'`;
    assert.deepEqual(await found(relink), { entryId: await idOf(6), how: 'missing_before' });
    // Only a hash that was kept elsewhere reveals that the whole rest was rewritten.
    const head = (await verifyAuditLog(database)).head ?? assert.fail();
    const anew = `
      update audit_log set actor = 'eve' where subject = 'test:5';
      create temp table again on commit drop as select entry_id from audit_log_chain where position >= 6 order by position;
      delete from audit_log_chain where position >= 6;
      select append_to_audit_chain(a) from audit_log a join again g on g.entry_id = a.id order by a.id`;
    assert.equal(await found(anew), undefined);
    const fromKept = (await behind(anew, (tx) => verifyAuditLog(tx, { from: head }))).broken;
    assert.deepEqual(fromKept, { entryId: head.entryId, how: 'changed' });
  });
});

describe('the audit log', () => {
  const refused = (sql: string) =>
    assert.rejects(
      database.transaction(async (tx) => {
        for (const statement of sql.split(';')) await tx.query(statement);
      }),
      refusedBySchema,
    );

  for (const table of ['audit_log', 'audit_log_chain']) {
    const column = table === 'audit_log' ? "actor = 'eve'" : 'position = 77';
    it(`refuses every change of ${table}`, async () => {
      for (const role of ['', 'set local session_replication_role = replica;'])
        for (const act of [`update ${table} set ${column}`, `delete from ${table}`, `truncate ${table}`])
          await refused(role + act);
    });

    it(`refuses every change of ${table} through a table that it was attached to`, async () => {
      const parent = `create table whole (like ${table}); alter table ${table} inherit whole;`;
      for (const act of [`update whole set ${column}`, 'delete from whole', 'truncate whole'])
        await refused(parent + act);
    });
  }

  it('refuses every change through a partitioned table', async () => {
    const parent = `create table whole (like audit_log_chain) partition by range (position);
      alter table whole attach partition audit_log_chain default;`;
    for (const act of ['update whole set position = 77', 'delete from whole', 'truncate whole'])
      await refused(parent + act);
  });
});

describe('concurrent operations', () => {
  it('concurrent operations make one chain, in the order of their ends', async () => {
    const before = (await verifyAuditLog(database)).entries;
    const { promise: second, resolve: secondDone } = Promise.withResolvers<void>();
    const slow = database.transaction(async (tx) => {
      await record(tx, 100);
      await second;
    });
    await database.transaction((tx) => record(tx, 101));
    secondDone();
    await slow;
    const failing = database.transaction(async (tx) => {
      await record(tx, 102);
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => database.transaction((tx) => record(tx, 200 + index))),
    );
    const { entries, broken } = await verifyAuditLog(database);
    assert.deepEqual([broken, entries - before], [undefined, 42n]);
    const order = await database.query<{ subject: string }>(`
      select a.subject
      from audit_log_chain c
      join audit_log a on a.id = c.entry_id
      where a.subject in ('test:100', 'test:101')
      order by c.position`);
    assert.deepEqual(
      order.map(({ subject }) => subject),
      ['test:101', 'test:100'],
    );
  });

  it('refuses operations while one transaction holds the end of the chain, and stores nothing', async () => {
    const before = await verifyAuditLog(database);
    const { promise: held, resolve: isHeld } = Promise.withResolvers<void>();
    const { promise: end, resolve: letGo } = Promise.withResolvers<void>();
    const holder = database.transaction(async (tx) => {
      await tx.query('set constraints all immediate');
      await record(tx, 300);
      isHeld();
      await end;
    });
    await held;
    const waiting = database.transaction(async (tx) => {
      await tx.query("set local lock_timeout = '50ms'");
      await record(tx, 301);
    });
    await assert.rejects(waiting, (error: Error) => {
      return isLockTimeout(error);
    });
    letGo();
    await holder;
    await database.transaction((tx) => record(tx, 302));
    const { entries, broken } = await verifyAuditLog(database);
    assert.deepEqual([broken, entries - before.entries], [undefined, 2n]);
  });

  it('keeps a whole chain when an operation is killed at its end', async () => {
    const before = await verifyAuditLog(database);
    const dying = database.transaction(async (tx) => {
      await record(tx, 400);
      await tx.query('set constraints all immediate');
      await tx.query('select pg_terminate_backend(pg_backend_pid())');
    });
    await assert.rejects(dying);
    await database.transaction((tx) => record(tx, 401));
    const { entries, broken } = await verifyAuditLog(database);
    assert.deepEqual([broken, entries - before.entries], [undefined, 1n]);
  });
});

/**
 * When a database is locked automatically: if it was copied, or is in an earlier state than it was
 * seen in. A restart, another data folder and a failover without losses do not lock it.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { idsAt, newId } from '../../../src/core/ids.ts';
import { createLog } from '../../../src/core/log.ts';
import { LastAccepted } from '../../../src/operate/restore-lock/last-accepted.ts';
import { checkRewind, RewindDetector } from '../../../src/operate/restore-lock/rewind-detector.ts';
import { findRestoreLock } from '../../../src/purchases/engine/restore-lock-store.ts';
import { createTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const clone = await createTestDatabase();
const { database } = clone;
const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
  await clone[Symbol.asyncDispose]();
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-life-'));
  folders.push(folder);
  return folder;
}

/** A process that has seen the database live. */
async function see(dataDir: string): Promise<RewindDetector> {
  await checkRewind(database, dataDir);
  const watch = new RewindDetector(database, dataDir, createLog('silent'), new LastAccepted());
  for (let count = 0; count < 3; count += 1) await watch.look();
  return watch;
}

/** As if the database were the copy of an hour ago. */
async function goBack(): Promise<void> {
  await database.query("update database_beats set count = count - 1, at = now() - interval '1 hour'");
}

async function cause(): Promise<string | undefined> {
  return (await findRestoreLock(database))?.cause;
}

async function lift(): Promise<void> {
  await database.query('update restore_locks set lifted_at = now() where lifted_at is null');
}

beforeEach(async () => {
  await lift();
  await database.query('delete from database_life');
  await database.query('delete from database_beats');
  await checkRewind(database, await newFolder());
});

describe('a database', () => {
  it('sets no lock for a restart or a process with another data folder', async () => {
    const dataDir = await newFolder();
    await see(dataDir);
    await checkRewind(database, dataDir);
    await checkRewind(database, await newFolder());
    const other = await see(await newFolder());
    await other.look();
    assert.equal(await cause(), undefined);
  });

  it('sets the lock once at start after a rewind', async () => {
    const dataDir = await newFolder();
    await see(dataDir);
    await goBack();
    await checkRewind(database, dataDir);
    assert.equal(await cause(), 'went_back');
    const restoreLock = await findRestoreLock(database);
    assert.ok(
      restoreLock && Date.now() - restoreLock.lost_from.getTime() > 3_000_000,
      'lost since it lived last',
    );
    await lift();
    await checkRewind(database, dataDir);
    assert.equal(await cause(), undefined);
  });

  it('sets the lock at start if the database does not know the process', async () => {
    const dataDir = await newFolder();
    await see(dataDir);
    await database.query('delete from database_beats');
    await checkRewind(database, dataDir);
    assert.equal(await cause(), 'went_back');
  });

  it('sets no lock for a record whose heartbeat may have been deleted', async () => {
    const dataDir = await newFolder();
    await see(dataDir);
    const [file = ''] = await readdir(join(dataDir, 'database-seen'));
    const path = join(dataDir, 'database-seen', file);
    const seen = JSON.parse(await readFile(path, 'utf8'));
    const at = new Date(Date.now() - 31 * 86_400_000);
    await writeFile(path, JSON.stringify({ ...seen, beat: { ...seen.beat, at } }));
    await database.query('delete from database_beats');
    await checkRewind(database, dataDir);
    assert.equal(await cause(), undefined);
  });

  it('sets the lock while processes run', async () => {
    const watch = await see(await newFolder());
    await goBack();
    await watch.look();
    assert.equal(await cause(), 'went_back');
    await lift();
    await watch.look();
    assert.equal(await cause(), undefined);
  });

  it('sets the lock on a copy whose identity changed', async () => {
    await database.query("update database_life set system_identifier = '1'");
    await checkRewind(database, await newFolder());
    assert.equal(await cause(), 'copied');
    await lift();
    await checkRewind(database, await newFolder());
    assert.equal(await cause(), undefined);
  });

  it('sets no lock by the record of another database', async () => {
    const dataDir = await newFolder();
    await see(dataDir);
    const [file = ''] = await readdir(join(dataDir, 'database-seen'));
    const path = join(dataDir, 'database-seen', file);
    const seen = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(
      path,
      JSON.stringify({ ...seen, databaseOid: '1', beat: { ...seen.beat, count: 100_000 } }),
    );
    await checkRewind(database, dataDir);
    await writeFile(path, 'half a fi');
    await checkRewind(database, dataDir);
    assert.equal(await cause(), undefined);
  });

  it('sets the lock at start for a missing purchase before the first heartbeat', async () => {
    const dataDir = await newFolder();
    const accepted = new LastAccepted();
    await checkRewind(database, dataDir);
    const watch = new RewindDetector(database, dataDir, createLog('silent'), accepted);
    await watch.look();
    accepted.note({ merchantId: 1, purchaseId: newId() });
    await until('it is written down', async () => {
      const [file = ''] = await readdir(join(dataDir, 'database-seen'));
      return (await readFile(join(dataDir, 'database-seen', file), 'utf8')).includes('"merchantId":1');
    });
    await checkRewind(database, dataDir);
    assert.equal(await cause(), 'went_back');
    await lift();
    await checkRewind(database, dataDir);
    assert.equal(await cause(), undefined, 'once for the same');
  });

  it('sets the lock for a missing purchase of hours ago', async () => {
    const accepted = new LastAccepted();
    const watch = new RewindDetector(database, await newFolder(), createLog('silent'), accepted);
    await watch.look();
    assert.equal(await cause(), undefined);
    accepted.note({ merchantId: 1, purchaseId: idsAt(() => Date.now() - 7_200_000)() });
    await watch.look();
    assert.equal(await cause(), 'went_back');
  });

  it('covers the earlier loss when the lock is set again', async () => {
    for (const [identifier, at] of [
      ['1', '2026-11-22T10:30:00Z'],
      ['2', '2026-11-22T09:00:00Z'],
    ]) {
      await database.query('delete from database_beats');
      await database.query('insert into database_beats values ($1, 1, $2)', [newId(), at]);
      await database.query('update database_life set system_identifier = $1', [identifier]);
      await checkRewind(database, await newFolder());
      assert.deepEqual((await findRestoreLock(database))?.lost_from, new Date(at ?? ''));
    }
  });

  it('checks the records of all processes of a data folder', async () => {
    const dataDir = await newFolder();
    await see(dataDir);
    await goBack();
    const other = new RewindDetector(database, dataDir, createLog('silent'), new LastAccepted());
    await other.look();
    assert.equal(await cause(), undefined);
    await checkRewind(database, dataDir);
    assert.equal(await cause(), 'went_back');
  });

  it('does not start if the record cannot be written', async () => {
    const file = join(await newFolder(), 'a-file');
    await writeFile(file, '');
    await assert.rejects(checkRewind(database, join(file, 'data')), { code: 'ENOTDIR' });
    const missing = join(await newFolder(), 'not', 'there');
    await checkRewind(database, missing);
    await see(missing);
    assert.equal((await readdir(join(missing, 'database-seen'))).length, 1);
  });

  it('checks each new connection before its use', async () => {
    const watch = await see(await newFolder());
    assert.equal(await watch.isBehindOn(database), false);
    await goBack();
    assert.equal(await watch.isBehindOn(database), true);
    assert.equal(await cause(), undefined, 'the next look raises it');
    await watch.look();
    assert.equal(await cause(), 'went_back');
  });
});

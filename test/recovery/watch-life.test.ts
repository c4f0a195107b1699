/**
 * When a database is fenced by itself: copied, or in an earlier state than it was seen in. A
 * restart, another data folder and a fail-over that loses nothing do not fence.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { idsAt, newId } from '../../src/kernel/ids.ts';
import { createLog } from '../../src/kernel/log.ts';
import { LastAccepted } from '../../src/recovery/last-accepted.ts';
import { LifeWatch, settleLife } from '../../src/recovery/watch-life.ts';
import { findFence } from '../../src/vending/path/fence-store.ts';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

/** Whoever asks within this time of a beat does not count on. */
const ONE_BEAT_MS = 850;

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

/** A process that has seen the database live so far. */
async function seeAt(dataDir: string, beats: number): Promise<LifeWatch> {
  await setBeats(beats);
  await settleLife(database, dataDir);
  const watch = new LifeWatch(database, dataDir, createLog('silent'), new LastAccepted());
  await watch.look();
  return watch;
}

async function setBeats(beats: number): Promise<void> {
  await database.query("update database_life set beats = $1, at = now() - interval '1 hour'", [beats]);
}

async function cause(): Promise<string | undefined> {
  return (await findFence(database))?.cause;
}

async function lift(): Promise<void> {
  await database.query('update restore_fences set lifted_at = now() where lifted_at is null');
}

beforeEach(async () => {
  await lift();
  await database.query('delete from database_life');
  await settleLife(database, await newFolder());
});

describe('a database', () => {
  it('that goes on is not fenced: not at a restart, not by a process with another folder', async () => {
    const dataDir = await newFolder();
    await seeAt(dataDir, 10);
    await settleLife(database, dataDir);
    await settleLife(database, await newFolder());
    const other = await seeAt(await newFolder(), 11);
    await other.look();
    assert.equal(await cause(), undefined);
  });

  it('counts once a second, however many processes ask', async () => {
    const two = new LifeWatch(database, await newFolder(), createLog('silent'), new LastAccepted());
    const beatsOf = async (): Promise<bigint | undefined> => {
      const beganAt = performance.now();
      const one = await seeAt(await newFolder(), 10);
      await Promise.all([one.look(), two.look(), one.look()]);
      const [row] = await database.query<{ beats: bigint }>('select beats from database_life');
      return performance.now() - beganAt < ONE_BEAT_MS ? row?.beats : undefined;
    };
    // Again where a busy machine took so long that another second had begun.
    assert.equal(await until('all ask within a second', beatsOf), 11n);
  });

  it('is fenced at a start where it was seen further than it is, once', async () => {
    const dataDir = await newFolder();
    await seeAt(dataDir, 100);
    await setBeats(50);
    await settleLife(database, dataDir);
    assert.equal(await cause(), 'went_back');
    const fence = await findFence(database);
    assert.ok(fence && Date.now() - fence.lost_from.getTime() > 3_000_000, 'lost since it lived last');
    await lift();
    await settleLife(database, dataDir);
    assert.equal(await cause(), undefined);
  });

  it('is fenced while processes run', async () => {
    const watch = await seeAt(await newFolder(), 100);
    await setBeats(20);
    await watch.look();
    assert.equal(await cause(), 'went_back');
    await lift();
    await watch.look();
    assert.equal(await cause(), undefined);
  });

  it('is fenced as a copy where it stands in another place than it says', async () => {
    await database.query("update database_life set system_identifier = '1'");
    await settleLife(database, await newFolder());
    assert.equal(await cause(), 'copied');
    await lift();
    await settleLife(database, await newFolder());
    assert.equal(await cause(), undefined);
  });

  it('is not fenced by what was seen of another', async () => {
    const dataDir = await newFolder();
    await seeAt(dataDir, 100);
    const [file = ''] = await readdir(join(dataDir, 'database-seen'));
    const path = join(dataDir, 'database-seen', file);
    const seen = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...seen, database_oid: '1', beats: '100000' }));
    await settleLife(database, dataDir);
    await writeFile(path, 'half a fi');
    await settleLife(database, dataDir);
    assert.equal(await cause(), undefined);
  });

  it('is fenced at a start by a purchase that a process noted before it had counted on', async () => {
    const dataDir = await newFolder();
    const accepted = new LastAccepted();
    await setBeats(10);
    await settleLife(database, dataDir);
    const watch = new LifeWatch(database, dataDir, createLog('silent'), accepted);
    await watch.look();
    accepted.note({ merchantId: 1, vendId: newId() });
    await until('it is written down', async () => {
      const [file = ''] = await readdir(join(dataDir, 'database-seen'));
      return (await readFile(join(dataDir, 'database-seen', file), 'utf8')).includes('"merchant":1');
    });
    await settleLife(database, dataDir);
    assert.equal(await cause(), 'went_back');
    await lift();
    await settleLife(database, dataDir);
    assert.equal(await cause(), undefined, 'once for the same');
  });

  it('is fenced by a purchase of hours ago that the database lacks', async () => {
    const accepted = new LastAccepted();
    const watch = new LifeWatch(database, await newFolder(), createLog('silent'), accepted);
    await watch.look();
    assert.equal(await cause(), undefined);
    accepted.note({ merchantId: 1, vendId: idsAt(() => Date.now() - 7_200_000)() });
    await watch.look();
    assert.equal(await cause(), 'went_back');
  });

  it('covers the earlier loss when it is fenced again while the fence is up', async () => {
    await seeAt(await newFolder(), 10);
    await database.query("update database_life set system_identifier = '1', at = '2026-11-22T10:30:00Z'");
    await settleLife(database, await newFolder());
    assert.deepEqual((await findFence(database))?.lost_from, new Date('2026-11-22T10:30:00Z'));
    await database.query("update database_life set system_identifier = '2', at = '2026-11-22T09:00:00Z'");
    await settleLife(database, await newFolder());
    assert.deepEqual((await findFence(database))?.lost_from, new Date('2026-11-22T09:00:00Z'));
  });

  it('is seen by each process that wrote into one folder, whichever wrote last', async () => {
    const dataDir = await newFolder();
    await seeAt(dataDir, 100);
    await seeAt(dataDir, 60);
    await settleLife(database, dataDir);
    assert.equal(await cause(), 'went_back');
  });

  it('does not start where what was seen cannot be written down', async () => {
    const file = join(await newFolder(), 'a-file');
    await writeFile(file, '');
    await assert.rejects(settleLife(database, join(file, 'data')), { code: 'ENOTDIR' });
    const missing = join(await newFolder(), 'not', 'there');
    await settleLife(database, missing);
    await seeAt(missing, 10);
    assert.equal((await readdir(join(missing, 'database-seen'))).length, 1);
  });

  it('is looked at on a new connection before that is used', async () => {
    const watch = await seeAt(await newFolder(), 100);
    assert.equal(await watch.isBehindOn(database), false);
    await setBeats(50);
    assert.equal(await watch.isBehindOn(database), true);
    assert.equal(await cause(), undefined, 'the next look raises it');
    await watch.look();
    assert.equal(await cause(), 'went_back');
  });
});

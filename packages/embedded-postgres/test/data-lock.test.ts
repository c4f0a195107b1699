/** One program per data folder, whatever happened to earlier programs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DataDirInUseError,
  findRunningDatabase,
  lockDataDir,
  startEmbeddedPostgres,
} from '@oja/embedded-postgres';
import { birthOf } from '../src/process-identity.ts';
import { open } from './support/client.ts';
import { startIn, temporaryFolder } from './support/folder.ts';
import { killed, startHost } from './support/start-host.ts';

const dataDir = await temporaryFolder();
const lock = join(dataDir, 'postgres.lock');

test('a second start on a folder in use is refused, naming the holder; the first is not disturbed', async (t) => {
  const { host, connectionString } = await startHost(t, dataDir);
  await assert.rejects(startIn(dataDir), (error) => {
    assert.ok(error instanceof DataDirInUseError);
    const { code, message, pid } = error;
    assert.deepEqual([code, error.dataDir, pid], ['data_dir_in_use', dataDir, host.pid]);
    assert.ok(message.includes(dataDir) && message.includes(String(pid)), message);
    return true;
  });
  await using client = open({ connectionString });
  assert.deepEqual(await client.query('select 1 as one'), [{ one: 1 }]);
  host.kill('SIGTERM');
  assert.deepEqual(await once(host, 'exit'), [0, null]);
  await using _server = await startIn(dataDir);
});

test('a start waits for a command that has the folder for a moment', async () => {
  const command = await startEmbeddedPostgres({ dataDir, durable: false, brief: true });
  const next = startIn(dataDir);
  assert.equal(await Promise.race([next.then(() => 'started'), sleep(300, 'waits')]), 'waits');
  await command.stop();
  await using server = await next;
  assert.equal(await findRunningDatabase(dataDir), server.connectionString);
});

test('of several starts at once one gets the folder', async () => {
  const starts = await Promise.allSettled([startIn(dataDir), startIn(dataDir), startIn(dataDir)]);
  const up = starts.filter((result) => result.status === 'fulfilled');
  assert.equal(up.length, 1);
  for (const result of starts) {
    assert.ok(result.status === 'fulfilled' || result.reason instanceof DataDirInUseError);
  }
  await up[0]?.value.stop();
});

test('the folder can be locked without a server, under a name of the program', async () => {
  const held = await lockDataDir(dataDir, { lockName: 'shop.lock' });
  assert.ok((await readdir(dataDir)).includes('shop.lock'));
  await assert.rejects(startEmbeddedPostgres({ dataDir, lockName: 'shop.lock' }), DataDirInUseError);
  assert.equal(await findRunningDatabase(dataDir, { lockName: 'shop.lock' }), undefined);
  await held.release();
  await using server = await startEmbeddedPostgres({ dataDir, lockName: 'shop.lock', durable: false });
  assert.equal(await findRunningDatabase(dataDir, { lockName: 'shop.lock' }), server.connectionString);
  assert.equal(await findRunningDatabase(dataDir), undefined);
});

test('a lock whose holder is gone is stale, even if its process id lives on', async (t) => {
  const { host } = await startHost(t, dataDir);
  const held = JSON.parse(await readFile(lock, 'utf8')) as object;
  await killed(host);
  for (const stale of [
    JSON.stringify(held),
    JSON.stringify({ ...held, pid: process.pid }),
    '',
    'not a lock',
  ]) {
    await writeFile(lock, stale);
    await using server = await startIn(dataDir);
    assert.equal(await findRunningDatabase(dataDir), server.connectionString);
  }
  await writeFile(lock, JSON.stringify({ ...held, pid: process.pid, birth: await birthOf(process.pid) }));
  await assert.rejects(startIn(dataDir), DataDirInUseError);
  await writeFile(lock, '');
});

test('a holder in another container, where ids mean nothing, is known by its heartbeat', async (t) => {
  await writeFile(lock, JSON.stringify({ pid: 1, birth: 'x', space: 'elsewhere', token: 'x' }));
  const heartbeat = setInterval(() => utimesSync(lock, new Date(), new Date()), 50);
  t.after(() => clearInterval(heartbeat));
  await assert.rejects(startIn(dataDir), { name: 'DataDirInUseError', pid: 1 });
  clearInterval(heartbeat);
  await writeFile(lock, '');
});

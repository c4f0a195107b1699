/** Commands, each as a process, on the database of a data folder. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockDataDir } from '@oja/embedded-postgres';
import { openDatabase } from '../../src/db/database.ts';
import { startEmbeddedServer } from '../../src/db/embedded-server.ts';
import { migrate } from '../../src/db/migrate.ts';
import { spawnOja } from '../cli/harness.ts';

test('a command without DATABASE_URL works beside the server of the data folder, or starts it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'oja-cli-'));
  // The server runs as another user when the tests run as root.
  await chmod(dataDir, 0o755);
  const settings = { OJA_DATA_DIR: dataDir };
  try {
    const server = await startEmbeddedServer({ dataDir, durable: false });
    const database = openDatabase({
      connectionString: server.connectionString,
      connectionsMax: 2,
      applicationName: 'oja test',
      onPoolError: () => undefined,
    });
    await migrate(database);
    const beside = await spawnOja(settings, ['merchant', 'create', 'SHOP', 'Shop']);
    assert.deepEqual([beside.code, beside.err], [0, '']);
    assert.equal((await database.query('select 1 from merchants')).length, 1);
    await database[Symbol.asyncDispose]();
    await server.stop();
    const alone = await spawnOja(settings, ['merchant', 'list', '--json']);
    assert.equal(alone.code, 0, alone.err);
    assert.equal(JSON.parse(alone.out).data.length, 1);
    // It left no process behind, so the folder can be used again.
    const next = await startEmbeddedServer({ dataDir, durable: false });
    await next.stop();
    // A gateway that is still starting has the folder, but no server yet.
    const starting = await lockDataDir(dataDir, { lockName: 'oja.lock' });
    const refused = await spawnOja(settings, ['merchant', 'list']);
    await starting.release();
    assert.deepEqual([refused.code, refused.out, refused.refused], [1, '', 'data_dir_in_use']);
    assert.ok(refused.err.includes(String(process.pid)) && refused.err.includes(dataDir), refused.err);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

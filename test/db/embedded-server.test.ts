/**
 * Oja's own server: with Oja's names, configured for its load, and with errors in terms of Oja's
 * settings.
 */
import assert from 'node:assert/strict';
import { access, chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import {
  EmbeddedServerError,
  findEmbeddedDatabase,
  startEmbeddedServer,
} from '../../src/db/embedded-server.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';

const folder = await mkdtemp(join(tmpdir(), 'oja-embedded-'));
cleanUpAfter(folder);
await chmod(folder, 0o755); // The server runs as another user when the tests run as root.

test('provides the database oja, on a server that is configured for its load', async () => {
  await using server = await startEmbeddedServer({
    dataDir: folder,
    durable: false,
    settings: { work_mem: '5MB' },
  });
  await using database = openDatabase({
    connectionString: server.connectionString,
    connectionsMax: 1,
    applicationName: 'oja test',
    onPoolError: () => undefined,
  });
  const rows = await database.query(
    `select current_database() as name, current_setting('jit') as jit,
       current_setting('max_connections') as connections, current_setting('work_mem') as memory,
       current_setting('shared_buffers') as pages, current_setting('wal_init_zero') as filled`,
  );
  assert.deepEqual(rows, [
    { name: 'oja', jit: 'off', connections: '120', memory: '5MB', pages: '256MB', filled: 'off' },
  ]);
  assert.equal(await findEmbeddedDatabase(folder), server.connectionString);
  await access(join(folder, 'oja.lock'));
  await assert.rejects(
    startEmbeddedServer({ dataDir: folder }),
    (error) =>
      error instanceof EmbeddedServerError &&
      error.code === 'data_dir_in_use' &&
      error.message.includes(String(process.pid)),
  );
});

test('refuses an unusable folder, and names the setting for another one', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  await assert.rejects(startEmbeddedServer({ dataDir: join(file, 'data') }), {
    name: 'EmbeddedServerError',
    code: 'data_dir_not_writable',
    message: /\ba-file\b.*\bOJA_DATA_DIR\b/,
  });
  await assert.rejects(startEmbeddedServer({ dataDir: folder, settings: { max_connections: 'many' } }), {
    name: 'EmbeddedServerError',
    code: 'start_failed',
    message: /"many".*\bserver\.log\b/,
  });
});

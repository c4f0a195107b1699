/**
 * Starts that cannot succeed: each ends with exit code 1, prints the cause, and leaves nothing
 * behind. The gate tests one error of each kind. The proof tries all databases, ports and limits of
 * corrections.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runOja } from '../cli/harness.ts';
import { emptyFolder } from '../e2e/started.ts';
import { isGate, itInProof } from '../support/budget.ts';
import { createTestDatabase } from '../support/database.ts';
import { runGateway } from '../support/gateway.ts';
import { postmasterOf, processesIn } from '../support/processes.ts';

describe('a start that cannot be', () => {
  it('a failed start names every bad setting at once', async () => {
    await using gateway = runGateway({
      PORT: 'eighty',
      OJA_ROLE: 'boss',
      DATABASE_URL: 'mysql://root:hunter2@db/oja',
      OJA_NOT_FOUND_GRACE_S: '1',
    });
    assert.deepEqual(await gateway.exited, { code: 1, signal: null });
    for (const name of ['PORT', 'OJA_ROLE', 'DATABASE_URL', 'OJA_NOT_FOUND_GRACE_S']) {
      assert.match(gateway.output(), new RegExp(`^- ${name} `, 'm'));
    }
    assert.equal(gateway.output().match(/^- /gm)?.length, 4);
    assert.doesNotMatch(gateway.output(), /hunter2|listening|at file:/);
  });

  itInProof('reports a port in use, and stops its database again', async () => {
    const folder = await emptyFolder();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    assert.ok(address !== null && typeof address === 'object');
    try {
      await using gateway = runGateway({ OJA_DATA_DIR: folder, PORT: String(address.port) });
      assert.deepEqual(await gateway.exited, { code: 1, signal: null });
      assert.match(gateway.output(), new RegExp(`EADDRINUSE.*:${address.port}`));
      assert.doesNotMatch(gateway.output(), /^\s+at /m);
    } finally {
      other.close();
    }
    assert.deepEqual(processesIn(folder), []);
    assert.equal(postmasterOf(folder), undefined);
  });

  it('ends its simulator when the database does not answer', async () => {
    const folder = await emptyFolder();
    const database = 'postgresql://oja@127.0.0.1:9/oja';
    await using gateway = runGateway({ OJA_DATA_DIR: folder, DATABASE_URL: database });
    assert.deepEqual(await gateway.exited, { code: 1, signal: null });
    assert.match(gateway.output(), /ECONNREFUSED/);
    assert.deepEqual(processesIn(folder), []);
    assert.deepEqual(await readdir(folder), ['simulator']);
  });

  it('refuses a number of cells that differs from the database’s', async () => {
    await using clone = await createTestDatabase();
    const folder = await emptyFolder();
    await using gateway = runGateway({
      DATABASE_URL: clone.connectionString,
      OJA_DATA_DIR: folder,
      OJA_CELLS: '4',
    });
    assert.deepEqual(await gateway.exited, { code: 1, signal: null });
    assert.match(gateway.output(), /OJA_CELLS/);
    assert.doesNotMatch(gateway.output(), /^\s+at /m);
  });

  it('production requires its settings', async () => {
    await using gateway = runGateway({ OJA_PROFILE: 'production' });
    assert.deepEqual(await gateway.exited, { code: 1, signal: null });
    assert.match(gateway.output(), /^- DATABASE_URL /m);
    assert.match(gateway.output(), /^- OJA_ENCRYPTION_KEY /m);
  });
});

describe('a first start in production', () => {
  it('prints the command that invites the first user, until there is one', async () => {
    await using clone = await createTestDatabase({ empty: true });
    const settings = {
      OJA_PROFILE: 'production',
      OJA_ENCRYPTION_KEY: '5'.repeat(64),
      OJA_CORRECTION_LIMIT: '50000',
      OJA_DATA_DIR: await emptyFolder(),
      DATABASE_URL: clone.connectionString,
    };
    const said = async (): Promise<string> => {
      await using gateway = runGateway(settings);
      await gateway.ready;
      await gateway.stop();
      return gateway.output();
    };
    const command = /oja (user invite) \S+ (--roles admin) --link/.exec(await said());
    assert.ok(command);
    const invite = ['user', 'invite', 'ada@shop.example', '--roles', 'admin', '--link'];
    const { code, err } = await runOja(settings, invite);
    assert.equal(code, 0, err);
    assert.doesNotMatch(await said(), /oja user invite/);
  });
});

const ports = ['OJA_PORTAL_PORT', 'METRICS_PORT', 'PORT', 'OJA_ADMIN_PORT', 'OJA_CONSOLE_PORT'];

describe('a start with a fault in its environment', { concurrency: 2 }, () => {
  const production = { OJA_PROFILE: 'production', OJA_ENCRYPTION_KEY: '5'.repeat(64) };

  it('refuses a data folder that it cannot write to', async () => {
    await using clone = await createTestDatabase({ empty: true });
    const file = join(await emptyFolder(), 'a-file');
    await writeFile(file, '');
    const settings = { ...production, DATABASE_URL: clone.connectionString };
    await assertRefuses({ ...settings, OJA_DATA_DIR: join(file, 'data') }, /\(data_dir_unusable\)/);
  });

  /** One line that names the cause, no stack, and the exit code. */
  async function assertRefuses(settings: Readonly<Record<string, string>>, words: RegExp): Promise<void> {
    await using gateway = runGateway(settings);
    assert.deepEqual(await gateway.exited, { code: 1, signal: null });
    const lines = gateway
      .output()
      .trim()
      .split('\n')
      .filter((line) => !/^(\{|oja .* listening)/.test(line));
    assert.equal(lines.length, 1, gateway.output());
    assert.match(lines[0] ?? '', /^oja cannot start \(\w+\): /);
    assert.match(lines[0] ?? '', words);
    assert.doesNotMatch(gateway.output(), /hunter2|^\s+at /m);
  }

  it('warns a production without a correction limit, and no other', async () => {
    const warned = async (settings: Readonly<Record<string, string>>): Promise<number> => {
      await using gateway = runGateway({ DATABASE_URL: 'postgresql://oja@127.0.0.1:9/oja', ...settings });
      assert.deepEqual(await gateway.exited, { code: 1, signal: null });
      return gateway.output().split('OJA_CORRECTION_LIMIT').length - 1;
    };
    assert.equal(await warned(production), 1);
    for (const limit of isGate ? ['0'] : ['50000', '0']) {
      assert.equal(await warned({ ...production, OJA_CORRECTION_LIMIT: limit }), 0);
    }
    if (!isGate) assert.equal(await warned({}), 0);
  });

  it('names a missing or refusing database', async () => {
    await using clone = await createTestDatabase({ empty: true });
    const there = new URL(clone.connectionString);
    const other = new URL(there);
    other.pathname = '/nowhere';
    const stranger = new URL(there);
    stranger.searchParams.set('user', 'hunter');
    stranger.searchParams.set('password', 'hunter2');
    const refusing = [
      [
        'postgresql://oja:hunter2@127.0.0.1:9/oja',
        /the database of DATABASE_URL does not answer: .*ECONNREFUSED/,
      ],
      [other.href, /database "nowhere" does not exist$/],
      [stranger.href, /role "hunter" does not exist$/],
    ] as const;
    for (const [url, words] of isGate ? refusing.slice(0, 1) : refusing) {
      await assertRefuses({ ...production, DATABASE_URL: url }, words);
    }
    await clone.database.query(
      'create table schema_migrations (version integer, name text, checksum text, applied_at timestamptz)',
    );
    await clone.database.query(`insert into schema_migrations values (1, '0001_other.sql', 'x')`);
    await assertRefuses({ ...production, DATABASE_URL: clone.connectionString }, /has migration 0001_other/);
  });

  it('names a wrong key, a port in use and an invalid folder', async () => {
    await using clone = await createTestDatabase();
    const settings = { ...production, DATABASE_URL: clone.connectionString };
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    assert.ok(address !== null && typeof address === 'object');
    const port = String(address.port);
    try {
      for (const name of isGate ? ports.slice(0, 1) : ports) {
        await assertRefuses(
          { ...settings, [name]: port },
          new RegExp(`EADDRINUSE.*:${port}: see HOST, PORT`),
        );
      }
    } finally {
      other.close();
    }
    await assertRefuses({ ...settings, OJA_ENCRYPTION_KEY: '6'.repeat(64) }, /\(encryption_key_other\)/);
    const file = join(await emptyFolder(), 'a file');
    await writeFile(file, '');
    await assertRefuses({ OJA_DATA_DIR: join(file, 'data') }, /ENOTDIR|not a directory/);
  });
});

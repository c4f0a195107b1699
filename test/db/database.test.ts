/** The pool and its transactions: types, errors, limits, and lost connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase, type Sql } from '../../src/db/database.ts';
import { constraintName, isConnectionLost, isUnavailable, sqlState } from '../../src/db/database-errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const options = { connectionsMax: 2, applicationName: 'db-database test', onPoolError: () => undefined };

async function createTable(): Promise<TestDatabase> {
  const clone = await createTestDatabase({ empty: true });
  await clone.database.query('create table things (id bigint constraint things_pkey primary key)');
  return clone;
}

async function ids(clone: TestDatabase): Promise<bigint[]> {
  const rows = await clone.database.query<{ id: bigint }>('select id from things order by id');
  return rows.map((row) => row.id);
}

test('values arrive as types that hold them exactly', async () => {
  await using clone = await createTestDatabase({ empty: true });
  const [row] = await clone.database.query(
    `select
       9007199254740993::int8 as int8,
       '{9007199254740993,null}'::int8[] as int8s,
       12345678901234567890.10::numeric as "numeric",
       '{0.1}'::numeric[] as numerics,
       '2026-02-28'::date as date,
       '{2026-02-28}'::date[] as dates,
       '2026-02-28T23:30:00.123+01:00'::timestamptz as moment,
       '{"a": [1]}'::jsonb as json,
       '0190163d-8694-739b-aea5-966c26f8ad91'::uuid as uuid,
       $1::int8 as echo,
       $2::int8[] as echoes`,
    [9_223_372_036_854_775_807n, [1n, -1n]],
  );
  assert.deepEqual(row, {
    int8: 9_007_199_254_740_993n,
    int8s: [9_007_199_254_740_993n, null],
    numeric: '12345678901234567890.10',
    numerics: ['0.1'],
    date: '2026-02-28',
    dates: ['2026-02-28'],
    moment: new Date('2026-02-28T22:30:00.123Z'),
    json: { a: [1] },
    uuid: '0190163d-8694-739b-aea5-966c26f8ad91',
    echo: 9_223_372_036_854_775_807n,
    echoes: [1n, -1n],
  });
});

test('a transaction that resolves is stored, one that rejects is not', async () => {
  await using clone = await createTable();
  const { database } = clone;
  const answer = await database.transaction(async (tx) => {
    await tx.query('insert into things (id) values (1)');
    return 'done';
  });
  assert.equal(answer, 'done');
  await assert.rejects(
    database.transaction(async (tx) => {
      await tx.query('insert into things (id) values (2)');
      throw new Error('changed my mind');
    }),
    /changed my mind/,
  );
  assert.deepEqual(await ids(clone), [1n]);
});

test('rejects a transaction whose failed statement was ignored', async () => {
  await using clone = await createTable();
  await assert.rejects(
    clone.database.transaction(async (tx) => {
      await tx.query('insert into things (id) values (1)');
      await tx.query('insert into things (id) values (1)').catch(() => undefined);
    }),
    /\bROLLBACK\b/,
  );
  assert.deepEqual(await ids(clone), []);
});

test('statements of one transaction may be sent together', async () => {
  await using clone = await createTable();
  await clone.database.transaction(async (tx) => {
    await Promise.all([3n, 1n, 2n].map((id) => tx.query('insert into things (id) values ($1)', [id])));
  });
  assert.deepEqual(await ids(clone), [1n, 2n, 3n]);
  await assert.rejects(
    clone.database.transaction(async (tx) => {
      await Promise.all([4n, 1n].map((id) => tx.query('insert into things (id) values ($1)', [id])));
    }),
    (error) => constraintName(error) === 'things_pkey' && sqlState(error) === '23505',
  );
  assert.deepEqual(await ids(clone), [1n, 2n, 3n]);
});

test('a transaction ends when its function returns', async () => {
  await using clone = await createTable();
  const tx = await clone.database.transaction(async (open) => open);
  await assert.rejects(tx.query('insert into things (id) values (1)'), { name: 'Error' });
  assert.deepEqual(await ids(clone), []);
});

test('a read-only transaction reads and refuses to write', async () => {
  await using clone = await createTable();
  const readOnly = { isolation: 'repeatable read', readOnly: true } as const;
  const rows = await clone.database.transaction((tx) => tx.query('show transaction_isolation'), readOnly);
  assert.deepEqual(rows, [{ transaction_isolation: 'repeatable read' }]);
  await assert.rejects(
    clone.database.transaction((tx) => tx.query('insert into things (id) values (1)'), readOnly),
    (error) => sqlState(error) === '25006' && !isUnavailable(error),
  );
});

test('a statement is planned once for all values when its transaction requests it', async () => {
  await using test = await createTestDatabase();
  const { database } = test;
  const planned = (genericPlans: boolean): Promise<unknown> =>
    database.transaction(
      async (tx) => {
        const statement = { name: `planned_${genericPlans}`, text: 'select $1::integer as value' };
        assert.deepEqual(await tx.query(statement, [7]), [{ value: 7 }]);
        const [plans] = await tx.query(
          'select generic_plans as generic, custom_plans as custom from pg_prepared_statements where name = $1',
          [statement.name],
        );
        return plans;
      },
      { genericPlans },
    );
  assert.deepEqual(await planned(true), { generic: 1n, custom: 0n });
  assert.deepEqual(await planned(false), { generic: 0n, custom: 1n });
});

test('a server that became a standby counts as unavailable until a connection finds the primary', async () => {
  await using clone = await createTable();
  await using database = openDatabase({
    ...options,
    connectionsMax: 1,
    connectionString: clone.connectionString,
  });
  for (const write of [
    () => database.query('insert into things (id) values (1)'),
    () => database.transaction((tx) => tx.query('insert into things (id) values (1)')),
  ]) {
    await database.query('set default_transaction_read_only = on');
    await assert.rejects(write(), (error) => isUnavailable(error) && sqlState(error) === '25006');
    await database.query('delete from things');
  }
  await database.query('insert into things (id) values (1)');
  assert.deepEqual(await ids(clone), [1n]);
});

test('a refused statement leaves its connection and its prepared statements usable', async () => {
  await using clone = await createTable();
  await using database = openDatabase({
    ...options,
    connectionsMax: 1,
    connectionString: clone.connectionString,
  });
  const insert = { name: 'insert thing', text: 'insert into things (id) values ($1)' };
  const backend = async (): Promise<unknown> => (await database.query('select pg_backend_pid()'))[0];
  const first = await backend();
  await database.query(insert, [1n]);
  for (const attempt of [
    () => database.query(insert, [1n]),
    () => database.transaction((tx) => tx.query(insert, [1n])),
  ]) {
    await assert.rejects(
      attempt(),
      (error) => constraintName(error) === 'things_pkey' && !isConnectionLost(error),
    );
  }
  assert.deepEqual(await backend(), first);
  await assert.rejects(database.query(insert, [{ amount: 1n }]), TypeError);
  await database.query(insert, [2n]);
  assert.deepEqual(await ids(clone), [1n, 2n]);
});

test('a statement that runs too long is cancelled, unless its transaction is a patient one', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using database = openDatabase({
    ...options,
    connectionString: clone.connectionString,
    // Normal statements, and the pauses between them, stay far below it even on a busy machine.
    statementTimeoutMs: 1_000,
  });
  const slow = (tx: Sql): Promise<object[]> => tx.query('select pg_sleep(1.3)');
  const isCancelled = (error: unknown): boolean => sqlState(error) === '57014';
  await Promise.all([
    assert.rejects(database.query('select pg_sleep(10)'), isCancelled),
    assert.rejects(database.transaction(slow), isCancelled),
    database.transaction(slow, { patient: true }),
  ]);
  await assert.rejects(database.transaction(slow), isCancelled);
  assert.deepEqual(await database.query('select 1 as one'), [{ one: 1 }]);
});

test('a process that stops in the middle of a transaction loses its locks', {
  timeout: 60_000,
}, async () => {
  await using clone = await createTable();
  await using frozen = openDatabase({
    ...options,
    connectionString: clone.connectionString,
    statementTimeoutMs: 1_500,
  });
  const [holding, thawed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const left = frozen.transaction(async (tx) => {
    await tx.query('insert into things (id) values (1)');
    holding.resolve();
    await thawed.promise;
    await tx.query('insert into things (id) values (2)');
  });
  const refused = assert.rejects(left, isUnavailable);
  await holding.promise;
  await clone.database
    .transaction(async (tx) => {
      await tx.query(`set local lock_timeout = '30s'`);
      await tx.query('insert into things (id) values (1), (3)');
    })
    .finally(thawed.resolve);
  await refused;
  assert.deepEqual(await ids(clone), [1n, 3n]);
});

test('a connection is used only after its check passed', async () => {
  await using clone = await createTestDatabase({ empty: true });
  let isSound = false;
  await using database = openDatabase({
    ...options,
    connectionString: clone.connectionString,
    onConnect: async (sql) => {
      await sql.query('select 1');
      if (!isSound) throw new Error('behind');
    },
  });
  await assert.rejects(database.query('select 1'), isUnavailable);
  isSound = true;
  assert.deepEqual(await database.query('select 1 as one'), [{ one: 1 }]);
});

test('reports to a caller without a connection that nothing was stored', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using database = openDatabase({
    ...options,
    connectionString: clone.connectionString,
    connectionsMax: 1,
    // Long enough for a connection to be opened on a busy machine.
    connectTimeoutMs: 1_000,
  });
  const gate = Promise.withResolvers<void>();
  const holder = database.transaction(() => gate.promise);
  await assert.rejects(database.query('select 1'), isUnavailable);
  gate.resolve();
  await holder;
  assert.deepEqual(await database.query('select 1 as one'), [{ one: 1 }]);
  await using nowhere = openDatabase({
    ...options,
    connectionString: clone.connectionString.replace(/\/test_\w+/, '/absent'),
  });
  await assert.rejects(
    nowhere.query('select 1'),
    (error) => isUnavailable(error) && sqlState(error) === '3D000',
  );
});

test('a broken connection is unknown after the commit was sent, and nothing was stored before', async () => {
  await using clone = await createTable();
  await using killer = openDatabase({ ...options, connectionString: clone.connectionString });
  const { database } = clone;
  const pid = (row: object | undefined): unknown => (row as { pid: number }).pid;
  const self = 'select pg_backend_pid() as pid';
  const terminate = (victim: unknown): Promise<unknown> =>
    killer.query('select pg_terminate_backend($1, 5000)', [victim]);

  await assert.rejects(
    database.query('insert into things select 1 from pg_terminate_backend(pg_backend_pid()), pg_sleep(5)'),
    (error) => isConnectionLost(error) && !isUnavailable(error) && sqlState(error) === '57P01',
  );
  await assert.rejects(
    database.transaction(async (tx) => {
      await tx.query('insert into things (id) values (2)');
      await tx.query('select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)');
    }),
    (error) => isUnavailable(error) && !isConnectionLost(error),
  );
  await assert.rejects(
    database.transaction(async (tx) => {
      const [row] = await tx.query(self);
      await tx.query('insert into things (id) values (3)');
      await terminate(pid(row));
    }),
    (error) => isUnavailable(error) || isConnectionLost(error),
  );
  assert.deepEqual(await ids(clone), []);
});

test('a connection that breaks while a commit waits for its check is unknown', async () => {
  await using clone = await createTable();
  await clone.database.query(`
    create function die() returns trigger language plpgsql as $$
    begin
      perform pg_terminate_backend(pg_backend_pid()), pg_sleep(5);
      return null;
    end $$;
    create constraint trigger dies_at_commit after insert on things
    deferrable initially deferred for each row execute function die()`);
  await assert.rejects(
    clone.database.transaction((tx) => tx.query('insert into things (id) values (1)')),
    (error) => isConnectionLost(error) && !isUnavailable(error),
  );
  assert.deepEqual(await ids(clone), []);
});

test('a disposed database has no connection left at the server, however late it notices', async () => {
  await using clone = await createTestDatabase({ empty: true });
  const server = createServer({ allowHalfOpen: true }, (client) =>
    passLateGoodbyes(client, clone.connectionString),
  );
  server.listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(clone.connectionString);
  const applicationName = 'db-database goodbye';
  const leaving = openDatabase({
    ...options,
    connectionString: `postgresql://${url.searchParams.get('user')}@127.0.0.1:${port}${url.pathname}?sslmode=disable`,
    applicationName,
  });
  const count = async (): Promise<number> => {
    const rows = await clone.database.query('select from pg_stat_activity where application_name = $1', [
      applicationName,
    ]);
    return rows.length;
  };
  await leaving.query('select 1');
  assert.equal(await count(), 1);
  await leaving[Symbol.asyncDispose]();
  assert.equal(await count(), 0);
  server.close();
});

test('rejects only the running statement when the server ends the connection with its ready message', async () => {
  const server = createServer((client) => {
    client.once('data', () => client.end(Buffer.concat([welcome, goodbye])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await using database = openDatabase({
    ...options,
    connectionString: `postgresql://postgres@127.0.0.1:${port}/none?sslmode=disable`,
  });
  await assert.rejects(
    database.query('select 1'),
    (error) => isConnectionLost(error) || isUnavailable(error),
  );
  await assert.rejects(
    database.transaction((tx) => tx.query('select 1')),
    isUnavailable,
  );
  server.close();
});

/** AuthenticationOk and ReadyForQuery. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
/** ErrorResponse of a server that shuts down. */
const goodbye = serverMessage('E', 'SFATAL\0C57P01\0Mterminating connection\0\0');

function serverMessage(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

/** Forwards to the database, but delays the message Terminate. */
function passLateGoodbyes(client: Socket, connectionString: string): void {
  const { searchParams } = new URL(connectionString);
  const path = join(searchParams.get('host') ?? '', `.s.PGSQL.${searchParams.get('port')}`);
  const database = connect({ path });
  database.on('data', (chunk) => client.write(chunk)).on('close', () => client.destroy());
  client.on('error', () => database.destroy());
  client.on('data', (chunk) => {
    if (chunk[0] === 'X'.charCodeAt(0)) setTimeout(() => database.write(chunk), 300);
    else database.write(chunk);
  });
}

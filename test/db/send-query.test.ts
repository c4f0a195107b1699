/** An answer that comes late ends the connection. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import { sendQuery } from '../../src/db/lease.ts';
import { createTestDatabase } from '../support/database.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());

describe('a statement', () => {
  it('an unanswered statement ends its connection after its timeout, and another may wait', async () => {
    const client = new pg.Client({ connectionString: clone.connectionString });
    client.on('error', () => undefined);
    await client.connect();
    const patient = await sendQuery(client, { text: 'select pg_sleep(0.3), 7 as told' }, undefined);
    assert.deepEqual(
      [patient].flat().map(({ rows }) => rows[0].told),
      [7],
    );
    const ended = new Promise<void>((resolve) => void client.once('end', resolve));
    await assert.rejects(sendQuery(client, { text: 'select pg_sleep(30)' }, 200), /Query read timeout/);
    await ended;
    await assert.rejects(sendQuery(client, { text: 'select 1' }, 200), /not queryable|closed|ended/);
  });

  it('a statement has no timeout where that is 0', async () => {
    await using database = openDatabase({
      connectionString: clone.connectionString,
      connectionsMax: 1,
      applicationName: 'no time-out',
      onPoolError: (error) => assert.fail(error),
      statementTimeoutMs: 0,
    });
    assert.deepEqual(await database.query('select 9 as told from pg_sleep(0.2)'), [{ told: 9 }]);
  });

  it('a refused statement rejects with the server’s message, and the next one is answered', async () => {
    const client = new pg.Client({ connectionString: clone.connectionString });
    await client.connect();
    await assert.rejects(sendQuery(client, { text: 'select 1 / 0' }, 60_000), { code: '22012' });
    const [result] = [await sendQuery(client, { text: 'select 8 as told' }, 60_000)].flat();
    assert.deepEqual(result?.rows, [{ told: 8 }]);
    await client.end();
  });
});

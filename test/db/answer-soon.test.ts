/** How long a caller waits for the database, also if the process itself is overloaded. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answerSoon } from '../../src/db/answer-soon.ts';
import { DatabaseUnavailableError } from '../../src/db/database-errors.ts';
import { createTestDatabase } from '../support/database.ts';
import { keepBusy } from '../support/keep-busy.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;

const patienceMs = 300;

test('a busy process does not report its database as unavailable', async (t) => {
  // Each turn takes a third of the time limit, so four answers exceed it.
  await database.query('select 1');
  keepBusy(t, patienceMs / 3);
  const look = async () => {
    for (let statement = 0; statement < 4; statement++) await database.query('select 1');
    return 'answered';
  };
  assert.equal(await answerSoon(look(), patienceMs), 'answered');
});

test('rejects after the timeout while the database does not respond', async () => {
  const startedMs = performance.now();
  const waiting = answerSoon(new Promise(() => undefined), patienceMs);
  await assert.rejects(waiting, DatabaseUnavailableError);
  const passedMs = performance.now() - startedMs;
  assert.ok(passedMs >= patienceMs - 10, `${passedMs} ms`);
});

test('reports a refusal of the database at once', async () => {
  await assert.rejects(answerSoon(Promise.reject(new Error('refused')), 60_000), /refused/);
});

/** One owner uses only its share of a pool, and the rest stays free for others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareConnections } from '../../src/db/connection-shares.ts';
import type { Queries } from '../../src/db/database.ts';

class Refused extends Error {}

/** Statements that end on request, in order of their arrival. */
function open({ waitMs = 10_000, patienceMs = 10_000 } = {}) {
  const running: { readonly text: string; readonly end: (error?: Error) => void }[] = [];
  const database = {
    query: (text: string) =>
      new Promise((resolve, reject) => {
        running.push({ text, end: (error) => (error === undefined ? resolve([]) : reject(error)) });
      }),
    transaction: () =>
      new Promise((resolve) => {
        running.push({ text: 'a transaction', end: () => resolve('done') });
      }),
  } as unknown as Queries;
  const sharesOf = shareConnections<number>(database, {
    each: 2,
    waitMs,
    patienceMs,
    refuse: () => new Refused(),
  });
  return { running, texts: () => running.map(({ text }) => text), sharesOf };
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('work beyond the share of an owner waits for that owner only, in order', async () => {
  const { running, texts, sharesOf } = open();
  const mine = ['a1', 'a2', 'a3', 'a4'].map((text) => sharesOf(1).query(text));
  const other = sharesOf(2).query('b1');
  assert.deepEqual(texts(), ['a1', 'a2', 'b1']);
  running[0]?.end();
  await mine[0];
  await tick();
  assert.deepEqual(texts(), ['a1', 'a2', 'b1', 'a3']);
  running[1]?.end(new Error('failed'));
  await assert.rejects(mine[1] ?? Promise.resolve(), /failed/);
  await tick();
  assert.deepEqual(texts(), ['a1', 'a2', 'b1', 'a3', 'a4']);
  for (const { end } of running) end();
  await Promise.all([other, mine[2], mine[3]]);
  await tick();
  const again = [sharesOf(1).query('a5'), sharesOf(1).query('a6')];
  assert.deepEqual(texts().slice(5), ['a5', 'a6']);
  for (const { end } of running) end();
  await Promise.all(again);
});

test('refuses work that waits too long for a connection, and never runs it', async () => {
  const { running, texts, sharesOf } = open({ waitMs: 20 });
  const first = [sharesOf(1).query('a1'), sharesOf(1).query('a2')];
  await assert.rejects(sharesOf(1).query('a3'), Refused);
  for (const { end } of running) end();
  await Promise.all(first);
  await tick();
  assert.deepEqual(texts(), ['a1', 'a2']);
});

test('times out work that waits too long for an answer, and frees the connection when it ends', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { running, texts, sharesOf } = open({ patienceMs: 500 });
  const mine = ['a1', 'a2'].map((text) => sharesOf(1).query(text));
  const told = Promise.all(mine.map((query) => assert.rejects(query, { name: 'DatabaseUnavailableError' })));
  for (let turn = 0; turn < 20; turn += 1) {
    await tick();
    t.mock.timers.tick(50);
  }
  await told;
  const next = sharesOf(1).query('a3');
  await tick();
  assert.deepEqual(texts(), ['a1', 'a2']);
  running[0]?.end();
  await tick();
  assert.deepEqual(texts(), ['a1', 'a2', 'a3']);
  running[2]?.end();
  await next;
  running[1]?.end(new Error('late, and heard by nobody'));
});

test('waits for a patient transaction, however long it takes, and for no other', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { running, sharesOf } = open({ patienceMs: 500 });
  const patient = sharesOf(1).transaction(async () => 'done', { patient: true });
  const other = assert.rejects(
    sharesOf(1).transaction(async () => 'done'),
    { name: 'DatabaseUnavailableError' },
  );
  for (let turn = 0; turn < 20; turn += 1) {
    await tick();
    t.mock.timers.tick(50);
  }
  await other;
  running[0]?.end();
  assert.equal(await patient, 'done');
  running[1]?.end();
});

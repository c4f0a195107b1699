/** Events yield to purchases. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Pace } from '../../../src/notifications/webhooks/pace.ts';

const never = (): boolean => false;
const owner = { merchantId: 1, environment: 'live' } as const;

test('sends a hundred events a second while very many purchases arrive, and old events at once', async () => {
  const pace = new Pace(() => 5_000);
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: 40 }, () => pace.turn(owner, new Date(), never)));
  assert.ok(performance.now() - startedMs > 200, 'the rest waited for the next quarter of a second');
  let waited = false;
  // It runs as soon as one of them waits for anything.
  globalThis.setImmediate(() => {
    waited = true;
  });
  for (let turn = 0; turn < 500; turn += 1) await pace.turn(owner, new Date(Date.now() - 301_000), never);
  assert.equal(waited, false, 'none of these waited');
});

/** Returns a function that lets windows of a quarter of a second pass. */
function mockTime(t: TestContext): (windows: number) => Promise<void> {
  let nowMs = performance.now();
  t.mock.method(performance, 'now', () => nowMs);
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
  return async (windows) => {
    for (let nth = 0; nth < windows; nth += 1) {
      nowMs += 250;
      t.mock.timers.tick(250);
      await setImmediate();
    }
  };
}

test('sends a waiting event once it is old, and leaves it when the round is over', async (t) => {
  const pass = mockTime(t);
  const pace = new Pace(() => 5_000);
  const began = new Date();
  for (let turn = 0; turn < 25; turn += 1) assert.equal(await pace.turn(owner, began, never), true);
  const over = pace.turn(owner, began, () => true);
  await pass(1);
  assert.equal(await over, false);
  // It ages while it waits: the turns of the next three quarters are used by others.
  let sent = 0;
  const others = Array.from({ length: 100 }, async () => {
    await pace.turn(owner, began, never);
    sent += 1;
  });
  let isSent = false;
  void pace.turn(owner, new Date(Date.now() - 299_900), never).then((answer) => {
    isSent = answer;
  });
  await setImmediate();
  assert.equal(isSent, false);
  await pass(1);
  assert.ok(isSent && sent < others.length, 'it did not wait behind the others');
  await pass(3);
  assert.equal(sent, others.length);
});

test('serves merchants in turn, and test events beside live ones', async (t) => {
  const pass = mockTime(t);
  const pace = new Pace(() => 5_000);
  const began = new Date();
  const order: string[] = [];
  const send = async (name: string, by: Parameters<Pace['turn']>[0]): Promise<void> => {
    await pace.turn(by, began, never);
    order.push(name);
  };
  for (let nth = 0; nth < 80; nth += 1) void send('greedy', owner);
  void send('small', { merchantId: 2, environment: 'live' });
  for (let nth = 0; nth < 30; nth += 1) void send('test', { merchantId: 1, environment: 'test' });
  const countAfter = async (windows: number): Promise<Record<string, number>> => {
    await pass(windows);
    const names = ['greedy', 'small', 'test'];
    return Object.fromEntries(names.map((name) => [name, order.filter((one) => one === name).length]));
  };
  await setImmediate();
  assert.deepEqual(await countAfter(0), { greedy: 25, small: 0, test: 5 });
  assert.deepEqual(await countAfter(1), { greedy: 49, small: 1, test: 10 });
  assert.deepEqual(await countAfter(5), { greedy: 80, small: 1, test: 30 });
});

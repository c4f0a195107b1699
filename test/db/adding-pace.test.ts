/** How a job that adds up behind the purchases shares the time with them. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AddingPace, measured, SliceLength } from '../../src/db/adding-pace.ts';

/** The clock of the pace, and its pauses, which take no time of the test. */
function playTime(t: TestContext): { pass(ms: number): void } {
  let nowMs = 1_000;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => nowMs);
  return {
    pass: (ms) => {
      nowMs += ms;
      t.mock.timers.tick(ms);
    },
  };
}

test('after a slice comes a pause of eight times its length, up to a bound', async (t) => {
  const time = playTime(t);
  const pace = new AddingPace();
  assert.equal(pace.start(), true);
  for (const [tookMs, pauseMs] of [
    [10, 80],
    [100, 300],
  ] as const) {
    time.pass(tookMs);
    let mayGoOn = false;
    const going = pace.goOn({ isBehind: true }).then((goesOn) => {
      mayGoOn = goesOn;
    });
    time.pass(pauseMs - 1);
    await settled();
    assert.equal(mayGoOn, false);
    time.pass(1);
    await going;
    assert.equal(mayGoOn, true);
  }
});

test('a run ends where nothing is left, or after its time', async (t) => {
  const time = playTime(t);
  const pace = new AddingPace();
  pace.start();
  assert.equal(await pace.goOn({ isBehind: false }), false);
  time.pass(400);
  assert.equal(await pace.goOn({ isBehind: true }), false);
});

test('what rests is not begun again before its time: the pause, or two seconds', (t) => {
  const time = playTime(t);
  const pace = new AddingPace();
  pace.start();
  time.pass(10);
  pace.rest({ isBehind: true });
  time.pass(79);
  assert.equal(pace.start(), false);
  time.pass(1);
  assert.equal(pace.start(), true);
  pace.rest({ isBehind: false });
  time.pass(1_999);
  assert.equal(pace.start(), false);
  time.pass(1);
  assert.equal(pace.start(), true);
});

test('what is alone never rests', async (t) => {
  const time = playTime(t);
  const pace = new AddingPace({ isAlone: true });
  pace.start();
  time.pass(10);
  assert.equal(await pace.goOn({ isBehind: true }), true);
  pace.rest({ isBehind: false });
  assert.equal(pace.start(), true);
});

test('a slice gets longer where it took little, and shorter where it took much, within bounds', async (t) => {
  const time = playTime(t);
  const length = new SliceLength(600);
  const add = async (tookMs: number, { rows = 1_000, isLast = false } = {}): Promise<number> => {
    await measured(length, async () => {
      time.pass(tookMs);
      return { rows, isLast };
    });
    return length.seconds;
  };
  assert.equal(length.seconds, 0.25);
  // Four times as long at most, also where it took no time at all.
  assert.equal(await add(0), 1);
  assert.equal(await add(5), 2);
  assert.equal(await add(10), 2);
  assert.equal(await add(20), 1);
  // What a few took is what each slice takes.
  assert.equal(await add(20, { rows: 99 }), 4);
  assert.equal(await add(20, { rows: 100 }), 2);
  // The last one had less than that to add.
  assert.equal(await add(0, { isLast: true }), 2);
  for (let slice = 0; slice < 20; slice += 1) await add(0);
  assert.equal(length.seconds, 600);
  assert.equal(await add(1_000), 75);
  for (let slice = 0; slice < 20; slice += 1) await add(1_000);
  assert.equal(length.seconds, 0.05);
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

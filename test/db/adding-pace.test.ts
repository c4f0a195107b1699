/** How a job that adds up behind the purchases shares the time with them. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type AddedSlice, AddingPace, measured, SliceLength } from '../../src/db/adding-pace.ts';

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

/** A length that is measured with each slice; `took` gives what the next one will be. */
function measuredLength(t: TestContext): {
  took(ms: number, slice?: Partial<AddedSlice>): Promise<number>;
} {
  const time = playTime(t);
  const length = new SliceLength(600);
  return {
    took: async (tookMs, slice = {}) => {
      await measured(length, async () => {
        time.pass(tookMs);
        return { rows: 1_000, seconds: length.seconds, isLast: false, ...slice };
      });
      return length.seconds;
    },
  };
}

test('a slice gets longer where it took little, and shorter where it took much, within bounds', async (t) => {
  const { took } = measuredLength(t);
  // From a quarter of a second, to four times as long at most, also where it took no time at all.
  assert.equal(await took(0), 1);
  assert.equal(await took(20), 2);
  assert.equal(await took(40), 2);
  assert.equal(await took(80), 1);
  // What a few took is what each slice takes.
  assert.equal(await took(80, { rows: 99 }), 4);
  assert.equal(await took(80, { rows: 100 }), 2);
  for (let slice = 0; slice < 20; slice += 1) await took(0);
  assert.equal(await took(1_000), 75);
  for (let slice = 0; slice < 20; slice += 1) await took(1_000);
  assert.equal(await took(1_000), 0.05);
});

test('the last slice, which is what is left, makes the next ones shorter, and never longer', async (t) => {
  const { took } = measuredLength(t);
  for (let slice = 0; slice < 20; slice += 1) await took(0);
  assert.equal(await took(0, { seconds: 3, isLast: true }), 600);
  assert.equal(await took(400, { seconds: 3, isLast: true, rows: 99 }), 600);
  // By its own length, however long it might have been.
  assert.equal(await took(40, { seconds: 3, isLast: true }), 3);
  assert.equal(await took(20, { seconds: 2, isLast: true }), 3);
  assert.equal(await took(1_200, { seconds: 2, isLast: true }), 0.25);
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

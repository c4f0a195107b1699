/** The lane of a provider: places, turns, probes, and what a process may take of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Lane, type LaneOptions } from '../../../src/vending/path/lane.ts';
import { shareLanes } from '../../../src/vending/path/lanes.ts';

type State = ReturnType<LaneOptions['state']>;

function openLane(callsAtOnce: number, perSecond = 0): { lane: Lane; setState: (state: State) => void } {
  let state: State = 'closed';
  const capacity = { callsAtOnce, perSecond, pacesQuestions: false };
  const lane = new Lane({ capacity, state: () => state, placesMax: 1_000 });
  return {
    lane,
    setState: (next) => {
      state = next;
    },
  };
}

describe('a lane', () => {
  it('takes as many purchases as it has places, a tenth left to questions, and no more', () => {
    const { lane } = openLane(20);
    assert.deepEqual([lane.room('send'), lane.room('query')], [18, 20]);
    const entered = Array.from({ length: 25 }, () => lane.enterAtOnce('send'));
    assert.equal(entered.filter(Boolean).length, 18);
    assert.deepEqual([lane.room('send'), lane.room('query')], [0, 2]);
    assert.deepEqual(
      [lane.enterAtOnce('query'), lane.enterAtOnce('query'), lane.enterAtOnce('query')],
      [true, true, false],
    );
  });

  it('gives no purchase a place while its provider is paused, and every question', () => {
    let paused = true;
    const capacity = { callsAtOnce: 20, perSecond: 0, pacesQuestions: false };
    const lane = new Lane({ capacity, state: () => 'closed', placesMax: 1_000, isPaused: () => paused });
    assert.deepEqual([lane.room('send'), lane.room('query'), lane.isOpen()], [0, 20, true]);
    paused = false;
    assert.equal(lane.room('send'), 18);
  });

  it('has one place for whatever comes where the provider takes one call', () => {
    const { lane } = openLane(1);
    assert.equal(lane.enterAtOnce('send'), true);
    assert.equal(lane.enterAtOnce('query'), false);
    lane.leave('send', 5);
    assert.equal(lane.enterAtOnce('query'), true);
  });

  it('lets a request that waits go before the worker, and refuses one that waits too long', async () => {
    const { lane } = openLane(2);
    assert.equal(lane.enterAtOnce('send'), true);
    const waiting = lane.enter('send', 10_000);
    assert.equal(await lane.enter('send', 1), false);
    lane.leave('send', 5);
    assert.equal(lane.room('send'), 0);
    assert.equal(await waiting, true);
    assert.equal(lane.enterAtOnce('send'), false);
  });

  it('tells how long a purchase would wait, by how long calls took', () => {
    const { lane } = openLane(2);
    assert.equal(lane.enterAtOnce('send'), true);
    lane.leave('send', 4_000);
    assert.equal(lane.waitMs(), 0);
    assert.equal(lane.takesWithin(3_000), true);
    assert.equal(lane.enterAtOnce('send'), true);
    assert.equal(lane.waitMs(), 4_000);
    assert.equal(lane.takesWithin(3_000), false);
  });

  it('with a pace lets one go at once, and the next in its turn', async () => {
    const { lane } = openLane(50, 20);
    assert.equal(lane.enterAtOnce('send'), true);
    assert.equal(lane.enterAtOnce('send'), false);
    assert.equal(lane.enterAtOnce('query'), true);
    assert.equal(await lane.enter('send', 1), false);
    assert.equal(await lane.enter('send', 1_000), true);
    assert.ok(lane.room('send') <= 21);
  });

  it('takes nothing while the breaker is open, and one to probe when it is half open', () => {
    const { lane, setState } = openLane(20);
    setState('open');
    assert.deepEqual([lane.room('send'), lane.isOpen(), lane.takesWithin(1_000)], [0, false, false]);
    setState('half_open');
    assert.equal(lane.room('send'), 1);
    void lane.take('send');
    assert.deepEqual([lane.room('send'), lane.room('query')], [0, 0]);
    lane.leave('send', 10);
    setState('closed');
    assert.equal(lane.room('send'), 18);
  });

  it('is divided among the processes that can call the provider, never below one place', () => {
    const { lane } = openLane(40);
    const lanes = new Map([['vtpass', lane]]);
    const live = (...providers: readonly string[][]) =>
      providers.map((names, index) => ({ id: `${index}`, providers: names }));
    shareLanes(lanes, live(['vtpass'], ['vtpass', 'nomba'], ['nomba'], []), '1');
    assert.equal(lane.room('query'), 13);
    shareLanes(lanes, live(['vtpass'], ['vtpass', 'nomba'], ['nomba'], []), '0');
    assert.equal(lane.room('query'), 14);
    shareLanes(lanes, live(['vtpass']), '0');
    assert.equal(lane.room('query'), 40);
    shareLanes(lanes, live(...Array.from({ length: 100 }, () => ['vtpass'])), '70');
    assert.equal(lane.room('query'), 1);
  });

  it('shares out whole calls a second, all of them', () => {
    const shares = [0, 1, 2, 3].map((position) => {
      const { lane } = openLane(50, 15);
      lane.share(4, position);
      return lane.room('send');
    });
    // Those of the next second, and the one that can go now.
    assert.deepEqual(shares, [5, 5, 5, 4]);
  });

  it('lets the purchase of a request go before those of the worker, and these before questions', async () => {
    const lane = new Lane({
      capacity: { callsAtOnce: 50, readsAtOnce: 1, perSecond: 50, pacesQuestions: true },
      state: () => 'closed',
      placesMax: 1_000,
    });
    const left: string[] = [];
    await lane.take('query');
    const turns = [
      ...['first', 'second'].map((name) => lane.take('query').then(() => left.push(`${name} question`))),
      lane.take('send').then(() => left.push('queued')),
      lane.enter('send', 5_000).then(() => left.push('request')),
    ];
    await Promise.all(turns);
    assert.deepEqual(left, ['request', 'queued', 'first question', 'second question']);
  });
});

it('gives turns once calls can leave: those that waited for a token do not leave together', async () => {
  const token = Promise.withResolvers<void>();
  let ready = false;
  const lane = new Lane({
    capacity: { callsAtOnce: 10, perSecond: 20, pacesQuestions: false },
    state: () => 'closed',
    placesMax: 10,
    untilReady: () => (ready ? undefined : token.promise),
  });
  assert.equal(lane.enterAtOnce('send'), false);
  const left: number[] = [];
  const goes = [lane.take('send'), lane.enter('send', 5_000), lane.take('send')].map(async (turn) => {
    await turn;
    left.push(performance.now());
  });
  // As long as two turns take.
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(left, []);
  ready = true;
  token.resolve();
  await Promise.all(goes);
  const [first = 0, second = 0, third = 0] = left;
  assert.ok(second - first > 35 && third - second > 35, `${left}`);
});

/**
 * The calls that a limiter starts, and when: places, rate, pauses, kinds, merchants, shares of
 * processes. The clock is injected; timers are those of the test.
 */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import {
  type Entry,
  type Kind,
  Limiter,
  type LimiterSettings,
  newTurn,
  type Turn,
} from '../../../src/providers/http/limiter.ts';
import { runs } from '../../support/budget.ts';

/** As a provider's orders have them. */
const shared = { callsMax: 20, queryShare: 0.5, waitingMax: 1_000 } as const;

function enterMany(limiter: Limiter, count: number, kind: Kind, merchantId?: number): Turn[] {
  const turns = Array.from({ length: count }, () => newTurn(kind, merchantId));
  return turns.filter((turn) => limiter.tryEnter(turn));
}

/** A limiter whose time moves with the timers of the test. */
function timed(context: TestContext, settings: Partial<LimiterSettings>) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const now = { ms: 1_000 };
  const limiter = new Limiter({ ...shared, ...settings }, () => now.ms);
  const pass = async (ms: number, stepMs = 1): Promise<void> => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      now.ms += stepMs;
      context.mock.timers.tick(stepMs);
      await Promise.resolve();
    }
  };
  return { limiter, now, pass };
}

/** Enters the limiter. Resolves when the call may start. */
function waitFor(
  limiter: Limiter,
  turn: Turn,
  name: string,
  left: string[],
  withinMs = 60_000,
): Promise<Entry> {
  return limiter.enter(turn, withinMs).then((entry) => {
    if (entry === 'in') left.push(name);
    return entry;
  });
}

describe('the places of a limiter', () => {
  it('takes a slot synchronously, and releases it once', () => {
    const limiter = new Limiter({ callsMax: 1, waitingMax: 0 });
    const turn = newTurn('purchase', 1);
    assert.equal(limiter.tryEnter(turn), true);
    assert.equal(limiter.tryEnter(newTurn('purchase', 2)), false);
    limiter.leave(turn);
    limiter.leave(turn);
    assert.deepEqual(limiter.use(), { calls: 0, callsMax: 1, waiting: 0 });
    assert.equal(limiter.tryEnter(turn), true);
  });

  it('reserves no places when no part is set for queries', () => {
    const limiter = new Limiter({ callsMax: 4, waitingMax: 0 });
    assert.equal(enterMany(limiter, 9, 'purchase', 1).length, 4);
  });

  it('reserves a tenth for queries, and a tenth for merchants without a running call', () => {
    const limiter = new Limiter(shared);
    assert.equal(enterMany(limiter, 25, 'purchase', 1).length, 16);
    assert.equal(enterMany(limiter, 25, 'purchase', 2).length, 1);
    assert.equal(enterMany(limiter, 25, 'purchase', 3).length, 1);
    assert.equal(enterMany(limiter, 25, 'purchase', 4).length, 0);
    assert.equal(enterMany(limiter, 25, 'query').length, 2);
    assert.equal(enterMany(limiter, 25, 'query').length, 0);
  });

  it('leaves at most half of the places to queries, and a quarter to spare calls', () => {
    assert.equal(enterMany(new Limiter(shared), 25, 'query').length, 10);
    assert.equal(enterMany(new Limiter(shared), 25, 'spare').length, 5);
  });

  it('serves every kind with one place, a query after nine purchases at the latest', async () => {
    const limiter = new Limiter({ ...shared, callsMax: 1 });
    const first = newTurn('purchase', 1);
    assert.equal(limiter.tryEnter(first), true);
    const left: string[] = [];
    const turns = [newTurn('query'), ...Array.from({ length: 20 }, () => newTurn('purchase', 1))];
    const waits = turns.map((turn) =>
      limiter.enter(turn, 60_000).then(() => {
        left.push(turn.kind);
        limiter.leave(turn);
      }),
    );
    limiter.leave(first);
    await Promise.all(waits);
    assert.ok(left.indexOf('query') < 10, `${left}`);
  });

  it('shows the worker how many calls it may reserve, and counts reserved ones', () => {
    const limiter = new Limiter(shared);
    assert.deepEqual([limiter.room('queued'), limiter.room('query')], [16, 10]);
    const turns = Array.from({ length: 16 }, () => newTurn('queued', 1));
    for (const turn of turns) limiter.reserve(turn);
    assert.deepEqual([limiter.room('queued'), limiter.room('query')], [0, 4]);
    assert.ok(turns.every((turn) => limiter.tryEnter(turn)));
    assert.equal(limiter.use().calls, 16);
    for (const turn of turns) limiter.leave(turn);
    assert.equal(limiter.room('queued'), 16);
  });

  it('leaves the kept slots to queries of the worker, however many purchases wait', () => {
    const limiter = new Limiter(shared);
    while (limiter.tryEnter(newTurn('purchase', 1)));
    for (let waiting = 0; waiting < 60; waiting += 1) void limiter.enter(newTurn('purchase', 1), 60_000);
    const taken: Turn[] = [];
    while (limiter.room('query') > 0) {
      const turn = newTurn('query', 2);
      limiter.reserve(turn);
      taken.push(turn);
    }
    assert.ok(taken.length > 0 && taken.length <= 2, `${taken.length} queries`);
    assert.equal(limiter.room('queued'), 0);
  });

  it('keeps one call of the worker ready at a rate, however many purchases wait', async (context) => {
    const { limiter } = timed(context, { perSecond: 5, callsMax: 50 });
    while (limiter.tryEnter(newTurn('purchase', 1)));
    for (let waiting = 0; waiting < 60; waiting += 1) void limiter.enter(newTurn('purchase', 1), 60_000);
    assert.equal(limiter.room('queued'), 1);
    limiter.reserve(newTurn('queued', 2));
    assert.equal(limiter.room('queued'), 0, 'one at a time');
    assert.ok(limiter.room('query') > 0);
  });

  it('estimates the wait of each merchant by its own turn', () => {
    const limiter = new Limiter(shared);
    const calls: Turn[] = [];
    for (let turn = newTurn('purchase', 1); limiter.tryEnter(turn); turn = newTurn('purchase', 1)) {
      calls.push(turn);
    }
    for (let waiting = 0; waiting < 60; waiting += 1) void limiter.enter(newTurn('purchase', 1), 60_000);
    const [first] = calls;
    assert.ok(first);
    limiter.leave(first, 2_000);
    assert.equal(limiter.waitMs(2), 0, 'it would start at once');
    for (let turn = newTurn('purchase', 3); limiter.tryEnter(turn); turn = newTurn('purchase', 4))
      calls.push(turn);
    const [greedy, other] = [limiter.waitMs(1), limiter.waitMs(2)];
    assert.ok(other < greedy / 10, `${other} and ${greedy}`);
  });

  it('releases the place of a reserved call that is not made', () => {
    const limiter = new Limiter({ ...shared, perSecond: 100 });
    const turn = newTurn('queued', 1);
    const room = limiter.room('queued');
    limiter.reserve(turn);
    assert.equal(limiter.room('queued'), room - 1);
    limiter.leave(turn);
    assert.equal(limiter.room('queued'), room);
  });

  it('estimates the wait of a purchase from the duration of calls', async () => {
    const limiter = new Limiter({ callsMax: 1, waitingMax: 10 });
    assert.equal(limiter.waitMs(), 0);
    const turn = newTurn('purchase', 1);
    limiter.tryEnter(turn);
    limiter.leave(turn, 4_000);
    assert.equal(limiter.waitMs(), 0);
    limiter.tryEnter(turn);
    assert.equal(limiter.waitMs(), 4_000);
    const waits = limiter.enter(newTurn('purchase', 2), 5_000);
    assert.equal(limiter.waitMs(), 8_000);
    limiter.leave(turn);
    assert.equal(await waits, 'in');
  });

  it('wakes the worker when a place is free', async () => {
    const limiter = new Limiter(shared);
    const turn = newTurn('queued');
    limiter.reserve(turn);
    const freed = limiter.freed(60_000);
    limiter.leave(turn);
    await freed;
  });
});

describe('calls that wait for a limiter', () => {
  it('starts waiting calls in the order of their kinds, and spare calls last', async () => {
    const limiter = new Limiter({ ...shared, callsMax: 1 });
    const first = newTurn('purchase');
    limiter.tryEnter(first);
    const left: string[] = [];
    const waits = (['spare', 'query', 'queued', 'purchase'] as const).map(async (kind) => {
      const turn = newTurn(kind);
      await waitFor(limiter, turn, kind, left);
      limiter.leave(turn);
    });
    limiter.leave(first);
    await Promise.all(waits);
    assert.deepEqual(left, ['purchase', 'queued', 'query', 'spare']);
  });

  it('alternates between merchants, however many calls of one wait', async () => {
    const limiter = new Limiter({ callsMax: 1, waitingMax: 1_000 });
    const first = newTurn('purchase', 1);
    limiter.tryEnter(first);
    const left: string[] = [];
    const waits = [1, 1, 1, 1, 2, 3, 3].map(async (merchantId) => {
      const turn = newTurn('purchase', merchantId);
      await waitFor(limiter, turn, `${merchantId}`, left);
      limiter.leave(turn);
    });
    limiter.leave(first);
    await Promise.all(waits);
    assert.deepEqual(left, ['1', '2', '3', '1', '3', '1', '1']);
  });

  it('does not start a call after its time', async (context) => {
    const { limiter, pass } = timed(context, { callsMax: 1 });
    const first = newTurn('purchase', 1);
    limiter.tryEnter(first);
    const turn = newTurn('purchase', 2);
    const waits = limiter.enter(turn, 500);
    await pass(500);
    assert.equal(await waits, 'late');
    assert.equal(limiter.use().waiting, 0);
    limiter.leave(first);
    assert.equal(turn.limiter, undefined);
    assert.equal(turn.waitedMs, 500);
  });

  it('does not start a late call when a place becomes free before the timers run, as in a process that was stopped', async (context) => {
    const { limiter, now } = timed(context, { callsMax: 1 });
    const first = newTurn('purchase', 1);
    limiter.tryEnter(first);
    const waits = limiter.enter(newTurn('purchase', 2), 500);
    now.ms += 501;
    limiter.leave(first);
    assert.equal(await waits, 'late');
    assert.equal(limiter.use().calls, 0);
  });

  it('cancels a call with its signal', async () => {
    const limiter = new Limiter({ callsMax: 1, waitingMax: 1 });
    limiter.tryEnter(newTurn('purchase'));
    const stop = new AbortController();
    const waits = limiter.enter(newTurn('purchase'), 60_000, stop.signal);
    stop.abort();
    assert.equal(await waits, 'late');
    assert.equal(await limiter.enter(newTurn('purchase'), 60_000, stop.signal), 'late');
    assert.equal(limiter.use().waiting, 0);
  });

  it('bounds waiting calls, and leaves the last quarter of the line to other merchants', async (context) => {
    const { limiter, pass } = timed(context, { callsMax: 1, waitingMax: 8 });
    limiter.tryEnter(newTurn('purchase', 1));
    const enter = (merchantId: number): Promise<Entry> => limiter.enter(newTurn('purchase', merchantId), 100);
    const ofOne = Array.from({ length: 8 }, () => enter(1));
    const ofOthers = [2, 3, 4].map(enter);
    await pass(100);
    assert.deepEqual(await Promise.all(ofOne), [...Array(6).fill('late'), 'full', 'full']);
    assert.deepEqual(await Promise.all(ofOthers), ['late', 'late', 'full']);
  });
});

describe('the rate of a limiter', () => {
  it('starts the first call at once, and no call before its time', (context) => {
    const { limiter, now } = timed(context, { perSecond: 10 });
    const isIn = (): boolean => limiter.tryEnter(newTurn('purchase'));
    assert.deepEqual([isIn(), isIn()], [true, false]);
    now.ms += 94;
    assert.equal(isIn(), false);
    now.ms += 1;
    assert.equal(isIn(), true);
  });

  it('starts no calls together after the process stood still', async (context) => {
    const { limiter, now, pass } = timed(context, { perSecond: 10 });
    const left: number[] = [];
    const waits = [1, 2, 3, 4].map(() =>
      limiter.enter(newTurn('purchase'), 60_000).then(() => left.push(now.ms)),
    );
    now.ms += 5_000;
    await pass(400);
    await Promise.all(waits);
    assert.equal(left.length, 4);
    for (const [at, ms] of left.slice(1).entries()) assert.ok(ms - (left[at] ?? 0) >= 95, `${left}`);
  });

  it('limits only purchases when queries do not count', () => {
    const limiter = new Limiter({ ...shared, perSecond: 1, paces: 'purchases' });
    assert.equal(enterMany(limiter, 5, 'purchase').length, 1);
    assert.equal(enterMany(limiter, 5, 'query').length, 5);
    const all = new Limiter({ ...shared, perSecond: 1, paces: 'all' });
    assert.equal(enterMany(all, 5, 'query').length, 1);
  });

  it('gives one start in ten to the last waiting kind', async (context) => {
    const { limiter, pass } = timed(context, { callsMax: 1_000, perSecond: 100, paces: 'all' });
    const left: string[] = [];
    limiter.tryEnter(newTurn('query'));
    const kinds: Kind[] = [...Array(4).fill('query'), ...Array(20).fill('purchase')];
    const waits = kinds.map((kind) => waitFor(limiter, newTurn(kind), kind, left));
    await pass(300);
    await Promise.all(waits);
    assert.equal(left.slice(0, 20).filter((kind) => kind === 'query').length, 2);
  });

  it('refuses at once a call that would wait too long', async (context) => {
    const { limiter } = timed(context, { perSecond: 1 });
    assert.equal(await limiter.enter(newTurn('purchase'), 0), 'in');
    assert.equal(await limiter.enter(newTurn('purchase'), 500), 'late');
    void limiter.enter(newTurn('purchase'), 1_500);
    assert.equal(await limiter.enter(newTurn('purchase'), 1_500), 'late');
    assert.equal(limiter.use().waiting, 1);
  });

  it('shows the worker the calls of the next second, reserved ones counted', (context) => {
    const { limiter, now } = timed(context, { perSecond: 5, callsMax: 50 });
    assert.equal(limiter.room('queued'), 6);
    for (const _ of Array(6)) limiter.reserve(newTurn('queued'));
    assert.equal(limiter.room('queued'), 0);
    assert.equal(limiter.room('query'), 25);
    now.ms += 200;
    assert.equal(limiter.room('queued'), 0);
  });

  it('lets a reserved call wait for its start with its slot', async (context) => {
    const { limiter, pass } = timed(context, { perSecond: 10 });
    const turns = [newTurn('queued'), newTurn('queued')];
    for (const turn of turns) limiter.reserve(turn);
    const left: string[] = [];
    const waits = turns.map((turn, at) => waitFor(limiter, turn, `${at}`, left));
    await Promise.resolve();
    await Promise.resolve();
    assert.deepEqual([left, limiter.use().calls, limiter.use().waiting], [['0'], 2, 1]);
    await pass(100);
    await Promise.all(waits);
    assert.deepEqual([left, limiter.use().calls], [['0', '1'], 2]);
  });
});

describe('a pause of a limiter', () => {
  it('starts a call whose pause ends while the limiter looks at it', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    for (let pauseMs = 1; pauseMs <= 20; pauseMs += 1) {
      // A millisecond passes with each look at the clock.
      let nowMs = 0;
      const limiter = new Limiter(shared, () => (nowMs += 1));
      limiter.pause(pauseMs);
      let entry: Entry | undefined;
      void limiter.enter(newTurn('purchase', 1), 60_000).then((found) => {
        entry = found;
      });
      nowMs += 100;
      context.mock.timers.tick(100);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(entry, 'in', `a pause of ${pauseMs} ms`);
    }
  });

  it('starts no call during a pause, and refuses at once a call that cannot wait so long', async (context) => {
    const { limiter, pass } = timed(context, {});
    limiter.pause(1_000);
    assert.deepEqual(
      [limiter.tryEnter(newTurn('query')), limiter.room('queued'), limiter.waitMs()],
      [false, 0, 1_000],
    );
    assert.equal(await limiter.enter(newTurn('purchase'), 999), 'late');
    const left: string[] = [];
    const waits = waitFor(limiter, newTurn('purchase'), 'purchase', left, 1_500);
    await pass(999);
    assert.deepEqual(left, []);
    await pass(1);
    assert.equal(await waits, 'in');
  });
});

describe('the shares of processes', () => {
  it('divides all calls into whole shares of at least one', () => {
    const shares = (callsMax: number, perSecond: number, processes: number): number[][] =>
      Array.from({ length: processes }, (_, position) => {
        const limiter = new Limiter({ callsMax, perSecond, waitingMax: 0 });
        limiter.share(processes, position);
        return [limiter.use().callsMax, limiter.room('queued')];
      });
    assert.deepEqual(
      shares(40, 0, 3).map(([calls]) => calls),
      [14, 13, 13],
    );
    assert.deepEqual(
      shares(2, 0, 3).map(([calls]) => calls),
      [1, 1, 1],
    );
    // Those of the next second, and the one that can start now.
    assert.deepEqual(
      shares(100, 15, 4).map(([, room]) => room),
      [5, 5, 5, 4],
    );
    // One in two seconds.
    assert.deepEqual(
      shares(100, 1, 2).map(([, room]) => room),
      [1, 1],
    );
  });

  it('passes the share on to the limiter that replaces another', () => {
    const [old, next] = [new Limiter(shared), new Limiter(shared)];
    old.share(4, 0);
    next.shareLike(old);
    assert.equal(next.use().callsMax, 5);
  });

  it('keeps running calls when a share shrinks, and starts more when it grows', async () => {
    const limiter = new Limiter({ callsMax: 4, waitingMax: 10 });
    const turns = enterMany(limiter, 4, 'purchase');
    limiter.share(2, 0);
    assert.equal(limiter.use().calls, 4);
    const waits = limiter.enter(newTurn('purchase'), 60_000);
    limiter.leave(turns[0] as Turn);
    limiter.leave(turns[1] as Turn);
    assert.equal(limiter.use().waiting, 1);
    limiter.share(1, 0);
    assert.equal(await waits, 'in');
  });
});

describe('random sequences of calls', () => {
  type Step =
    | { readonly do: 'enter'; readonly kind: Kind; readonly merchant: number; readonly withinMs: number }
    | { readonly do: 'reserve'; readonly kind: 'queued' | 'query'; readonly merchant: number }
    | { readonly do: 'leave'; readonly which: number }
    | { readonly do: 'pass'; readonly ms: number }
    | { readonly do: 'pause'; readonly ms: number }
    | { readonly do: 'share'; readonly processes: number };
  const kind = fc.constantFrom<Kind>('purchase', 'queued', 'query', 'spare');
  const merchant = fc.nat({ max: 3 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('enter' as const), kind, merchant, withinMs: fc.nat(400) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('reserve' as const),
        kind: fc.constantFrom('queued' as const, 'query' as const),
        merchant,
      }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('leave' as const), which: fc.nat(50) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(120) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), ms: fc.nat(200) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('share' as const), processes: fc.integer({ min: 1, max: 4 }) }),
    },
  );

  it('respects slots and rate, starts no call late, loses none, and gives no merchant all slots', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(0, 20),
        fc.array(step, { maxLength: 80 }),
        async (callsMax, perSecond, steps) => {
          let nowMs = 1_000;
          const limiter = new Limiter(
            { callsMax, perSecond, paces: 'all', queryShare: 0.5, waitingMax: 20 },
            () => nowMs,
          );
          const inside: Turn[] = [];
          const starts: number[] = [];
          let open = 0;
          const settle = async (): Promise<void> => {
            for (let turns = 0; turns < 6; turns += 1) await Promise.resolve();
          };
          const enter = (turn: Turn, withinMs: number): void => {
            const untilMs = nowMs + withinMs;
            open += 1;
            void limiter.enter(turn, withinMs).then((entry) => {
              open -= 1;
              if (entry !== 'in') return;
              assert.ok(nowMs <= untilMs, 'it started late');
              inside.push(turn);
              starts.push(nowMs);
            });
          };
          const check = (): void => {
            const { calls, callsMax: share, waiting } = limiter.use();
            assert.equal(waiting, open, 'each that waits is counted, and no other');
            const held = inside.filter((turn) => turn.kind === 'purchase' || turn.kind === 'spare');
            assert.ok(calls >= held.length);
            if (share > 3 && processes === 1) {
              const ofOne = Math.max(
                ...[0, 1, 2, 3].map(
                  (id) => inside.filter((turn) => turn.merchantId === id && turn.kind === 'purchase').length,
                ),
              );
              assert.ok(ofOne < share, 'one merchant has all');
            }
          };
          let processes = 1;
          for (const one of steps) {
            if (one.do === 'enter') enter(newTurn(one.kind, one.merchant), one.withinMs);
            if (one.do === 'reserve' && limiter.room(one.kind) > 0) {
              const turn = newTurn(one.kind, one.merchant);
              limiter.reserve(turn);
              enter(turn, 1_000);
            }
            if (one.do === 'leave' && inside.length > 0) {
              const [turn] = inside.splice(one.which % inside.length, 1);
              limiter.leave(turn as Turn, 10);
            }
            if (one.do === 'pause') limiter.pause(one.ms);
            if (one.do === 'share') {
              processes = one.processes;
              limiter.share(one.processes, 0);
            }
            if (one.do === 'pass') {
              for (let ms = 0; ms < one.ms; ms += 5) {
                nowMs += 5;
                context.mock.timers.tick(5);
                await settle();
              }
            }
            const before = limiter.use();
            await settle();
            assert.ok(processes > 1 || before.calls <= callsMax, 'too many calls');
            check();
          }
          if (perSecond > 0) {
            for (const [at, ms] of starts.slice(1).entries()) {
              assert.ok(ms - (starts[at] ?? 0) >= 1_000 / perSecond - 5, 'two started together');
            }
          }
          // All that wait either start or are late in the end.
          for (let ms = 0; ms < 1_500; ms += 5) {
            nowMs += 5;
            context.mock.timers.tick(5);
            await settle();
          }
          assert.equal(open, 0);
        },
      ),
      runs(150),
    );
  });

  it('gives merchants that always want more the same number of calls, whatever each requests at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 20, max: 60 }), { minLength: 2, maxLength: 5 }),
        async (callsMax, wants) => {
          const limiter = new Limiter({ callsMax, queryShare: 0.5, waitingMax: 1_000 });
          const served = wants.map(() => 0);
          const running: Turn[] = [];
          for (const [merchant, count] of wants.entries()) {
            for (let call = 0; call < count; call += 1) {
              const turn = newTurn('purchase', merchant);
              void limiter.enter(turn, 60_000).then(() => {
                served[merchant] = (served[merchant] ?? 0) + 1;
                running.push(turn);
              });
            }
          }
          const rounds = 10 * wants.length;
          for (let round = 0; round < rounds; round += 1) {
            await Promise.resolve();
            await Promise.resolve();
            const turn = running.shift();
            if (turn !== undefined) limiter.leave(turn);
            await Promise.resolve();
            await Promise.resolve();
          }
          // The first filled the places before the others came.
          assert.ok(Math.max(...served) - Math.min(...served) <= callsMax + 2, `${served}`);
          for (const turn of running) limiter.leave(turn);
        },
      ),
      runs(50),
    );
  });
});

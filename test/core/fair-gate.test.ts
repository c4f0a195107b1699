/** The fair gate admits, queues and refuses callers that share a few slots. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { FairGate, type GateLimits, type GateWait, type Place } from '../../src/core/fair-gate.ts';
import { limits as shared } from '../../src/core/limits.ts';
import { runs } from '../support/budget.ts';

type Pool = 'live' | 'test';
const limits: GateLimits<Pool> = {
  atOnce: 2,
  pools: { live: { places: 2, waiting: 8 }, test: { places: 1, waiting: 4 } },
};

function sharer(group: number, pool: Pool = 'live', member = 'key') {
  return { pool, group, member };
}

/** The number of slots it takes before it is refused. */
function fill(gate: FairGate<Pool>, group: number, pool: Pool = 'live', member = 'key'): Place[] {
  const places: Place[] = [];
  for (let place = gate.tryEnter(sharer(group, pool, member)); place !== undefined; ) {
    places.push(place);
    place = gate.tryEnter(sharer(group, pool, member));
  }
  return places;
}

function open(some: Partial<GateLimits<Pool>> = {}) {
  const gate = new FairGate<Pool>({ ...limits, ...some });
  const order: string[] = [];
  const places = new Map<string, Place>();
  const enter = async (name: string, group: number, pool: Pool = 'live', wait: GateWait = {}) => {
    const place = await gate.enter(sharer(group, pool, `key ${group}`), wait);
    order.push(place === undefined ? `not ${name}` : name);
    if (place !== undefined) places.set(name, place);
  };
  const leave = async (name: string): Promise<void> => {
    places.get(name)?.();
    await setImmediate();
  };
  return { gate, order, enter, leave };
}

describe('a fair gate without a queue', () => {
  const wide = { pools: { live: { places: 1_000 }, test: { places: 100 } } } as const;

  it('keeps the pools apart', () => {
    const gate = new FairGate<Pool>(wide);
    for (let group = 0; group < 100; group += 1) fill(gate, group, 'test');
    assert.equal(gate.tryEnter(sharer(500, 'test')), undefined);
    assert.ok(gate.tryEnter(sharer(500, 'live')));
    assert.equal(gate.heldOf('test'), 100);
  });

  it('leaves slots for others however many one group uses', () => {
    const gate = new FairGate<Pool>(wide);
    const first = fill(gate, 1).length;
    assert.ok(first >= 500 && first <= 750, `one key of the first group holds ${first}`);
    const second = fill(gate, 1, 'live', 'another key').length;
    assert.ok(second >= 100, `another key of the first group takes ${second}`);
    assert.ok(first + second <= 750, `the first group holds ${first + second}`);
    assert.ok(fill(gate, 2).length >= 100);
    assert.ok(fill(gate, 3).length >= 20);
    assert.equal(gate.tryEnter(sharer(1, 'live', 'a third key')), undefined);
  });

  it('refuses a group with many slots, and admits one with few', () => {
    const gate = new FairGate<Pool>(wide);
    const places = fill(gate, 1);
    const few = [gate.tryEnter(sharer(2)), gate.tryEnter(sharer(2))];
    assert.ok(few.every((place) => place !== undefined));
    assert.equal(gate.tryEnter(sharer(1)), undefined);
    assert.ok(gate.tryEnter(sharer(2)));
    for (const leave of places) leave();
    assert.ok(gate.tryEnter(sharer(1)));
  });

  it('gives a single slot to any caller', () => {
    const gate = new FairGate<Pool>({ pools: { live: { places: 1 }, test: { places: 1 } } });
    const leave = gate.tryEnter(sharer(1));
    assert.ok(leave);
    assert.equal(gate.tryEnter(sharer(2)), undefined);
    leave();
    leave();
    assert.ok(gate.tryEnter(sharer(2)));
    assert.equal(gate.running, 1);
  });

  it('enforces the limits of a group and of a member', () => {
    const gate = new FairGate<Pool>({
      pools: { live: { places: 100, eachGroup: 6, eachMember: 4 }, test: { places: 1 } },
    });
    assert.equal(fill(gate, 1).length, 4);
    assert.equal(fill(gate, 1, 'live', 'another key').length, 2);
    assert.equal(fill(gate, 2).length, 4);
  });

  it('admits any new caller while groups use fewer than half of the slots', () => {
    const moves = fc.array(fc.tuple(fc.nat(39), fc.nat(3), fc.boolean()), { maxLength: 400 });
    fc.assert(
      fc.property(moves, (all) => {
        const gate = new FairGate<Pool>({ pools: { live: { places: 100 }, test: { places: 1 } } });
        const held: Place[] = [];
        for (const [group, key, enters] of all) {
          if (enters) {
            const place = gate.tryEnter(sharer(group, 'live', `key ${key}`));
            if (place !== undefined) held.push(place);
          } else held.splice(0, 1)[0]?.();
        }
        const newcomer = gate.tryEnter(sharer(99));
        assert.ok(newcomer, `${gate.running} are in`);
        newcomer();
        for (const leave of held) leave();
        assert.equal(gate.running, 0);
      }),
      runs(100),
    );
  });

  it('removes groups and members without slots', () => {
    const gate = new FairGate<Pool>(wide);
    for (let group = 0; group < 5_000; group += 1) gate.tryEnter(sharer(group))?.();
    for (let key = 0; key < 500; key += 1) gate.tryEnter(sharer(1, 'live', `key ${key}`))?.();
    assert.equal(gate.running, 0);
    assert.ok(gate.tryEnter(sharer(1)));
  });
});

describe('a fair gate with a queue', () => {
  it('admits the next caller when a slot is released, once', async () => {
    const { gate, order, enter, leave } = open();
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) void enter(name, at);
    await setImmediate();
    assert.deepEqual(order, ['a', 'b']);
    await leave('a');
    await leave('a');
    assert.deepEqual(order, ['a', 'b', 'c']);
    assert.equal(gate.running, 2);
  });

  it('serves groups in turn', async () => {
    const { order, enter, leave } = open({ atOnce: 1 });
    for (const name of ['a1', 'a2', 'a3']) void enter(name, 1);
    void enter('b1', 2);
    await setImmediate();
    for (const name of ['a1', 'a2', 'b1', 'a3']) await leave(name);
    assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3']);
  });

  it('serves the members of a group in turn', async () => {
    const gate = new FairGate<Pool>({ ...limits, atOnce: 1 });
    const order: string[] = [];
    const held = gate.tryEnter(sharer(9));
    const enter = async (member: string): Promise<void> => {
      const place = await gate.enter(sharer(1, 'live', member));
      order.push(member);
      await setImmediate();
      place?.();
    };
    const all = ['a', 'a', 'a', 'b'].map(enter);
    held?.();
    await Promise.all(all);
    assert.deepEqual(order, ['a', 'b', 'a', 'a']);
  });

  it('gives the next slot to the group with the fewest', async () => {
    const { order, enter, leave } = open({
      atOnce: 6,
      pools: { ...limits.pools, live: { places: 6, waiting: 8 } },
    });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void enter(name, 1);
    for (const name of ['b1', 'c1', 'd1']) void enter(name, name.charCodeAt(0));
    await setImmediate();
    const before = order.length;
    assert.ok(!order.includes('a5'));
    await leave('a1');
    assert.notEqual(order[before], 'a5');
  });

  it('refuses a group that fills the queue, but no other group', async () => {
    const { order, enter } = open({ atOnce: 1 });
    for (let at = 0; at < 9; at += 1) void enter(`a${at}`, 1);
    await setImmediate();
    assert.ok(order.some((name) => name.startsWith('not a')));
    void enter('b', 2);
    await setImmediate();
    assert.ok(!order.includes('not b'));
  });

  it('serves live before test, and priority work before both', async () => {
    const { order, enter, leave } = open({ atOnce: 1 });
    void enter('a', 1);
    void enter('test', 2, 'test');
    void enter('live', 3);
    void enter('purchase', 3, 'live', { first: true });
    await setImmediate();
    for (const name of ['a', 'purchase', 'live', 'test']) await leave(name);
    assert.deepEqual(order, ['a', 'purchase', 'live', 'test']);
  });

  it('ends a wait in time', async () => {
    const { order, enter, leave } = open({ atOnce: 1 });
    void enter('a', 1);
    await enter('late', 1, 'live', { withinMs: 5 });
    assert.deepEqual(order, ['a', 'not late']);
    void enter('b', 1, 'live', { withinMs: 60_000 });
    await leave('a');
    assert.deepEqual(order, ['a', 'not late', 'b']);
  });

  it('ends the wait of a caller that has gone', async () => {
    const { order, enter, leave } = open({ atOnce: 1 });
    const gone = new AbortController();
    void enter('a', 1);
    void enter('gone', 2, 'live', { signal: gone.signal });
    void enter('b', 3);
    await setImmediate();
    gone.abort();
    await leave('a');
    assert.deepEqual(order, ['a', 'not gone', 'b']);
  });

  it('releases the slot when the work fails', async () => {
    const gate = new FairGate<Pool>(limits);
    const full = (): Error => new Error('full');
    const failing = gate.run(sharer(1), {}, full, () => Promise.reject(new Error('failed')));
    await assert.rejects(failing, /failed/);
    assert.equal(gate.running, 0);
    gate.setLimits({ ...limits, pools: { live: { places: 0 }, test: { places: 0 } } });
    await assert.rejects(
      gate.run(sharer(1), {}, full, async () => undefined),
      /full/,
    );
  });
});

/** Every limit of the process that callers share. */
const bounds = Object.entries(shared).flatMap(([name, value]) =>
  typeof value === 'object' ? [[name, value as GateLimits<string>] as const] : [],
);

describe('each bound that callers share', () => {
  it('is tested here', () => assert.ok(bounds.length >= 10));

  for (const [name, value] of bounds) {
    it(`leaves a place or a turn to others while one floods it: ${name}`, async () => {
      for (const flooded of Object.keys(value.pools)) {
        const gate = new FairGate<string>(value);
        const { places, waiting = 0 } = value.pools[flooded] ?? { places: 0 };
        const held: Place[] = [];
        let refused = 0;
        for (let count = 0; count < places + waiting + 1; count += 1) {
          const caller = { pool: flooded, group: 'greedy', member: `key ${count % 50}` };
          void gate.enter(caller).then((place) => {
            if (place === undefined) refused += 1;
            else held.push(place);
          });
        }
        await setImmediate();
        assert.ok(refused > 0, `${flooded} is bounded`);
        for (const pool of Object.keys(value.pools)) {
          let place = 'waits' as Place | undefined | 'waits';
          void gate.enter({ pool, group: 'other', member: 'key' }).then((got) => {
            place = got;
          });
          for (let turns = 0; turns <= places + waiting && place === 'waits'; turns += 1) {
            held.pop()?.();
            await setImmediate();
          }
          assert.ok(typeof place === 'function', `${pool} while ${flooded} is flooded`);
          place();
        }
      }
    });
  }
});

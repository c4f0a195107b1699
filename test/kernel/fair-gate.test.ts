/** Who goes next, who waits, and who is turned away, where merchants share a few places. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Environment } from '../../src/kernel/environment.ts';
import { FairGate, type GateLimits, type GateWait, type Place } from '../../src/kernel/fair-gate.ts';

const limits: GateLimits = {
  atOnce: 2,
  running: { live: { all: 2, each: 2 }, test: { all: 1, each: 1 } },
  waiting: { live: { all: 6, each: 4 }, test: { all: 2, each: 2 } },
};

function open(some: Partial<GateLimits> = {}) {
  const gate = new FairGate({ ...limits, ...some });
  const order: string[] = [];
  const places = new Map<string, Place>();
  const ask = (name: string, merchantId: number, environment: Environment = 'live', wait?: GateWait) =>
    gate.enter({ merchantId, environment }, wait).then((place) => {
      order.push(place === undefined ? `not ${name}` : name);
      if (place !== undefined) places.set(name, place);
    });
  const leave = async (name: string): Promise<void> => {
    places.get(name)?.();
    await setImmediate();
  };
  return { gate, order, ask, leave };
}

describe('a fair gate', () => {
  it('lets so many in, and the next one when a place is given back, once', async () => {
    const { gate, order, ask, leave } = open();
    void ask('a', 1);
    void ask('b', 1);
    void ask('c', 1);
    void ask('d', 1);
    await setImmediate();
    assert.deepEqual(order, ['a', 'b']);
    await leave('a');
    await leave('a');
    assert.deepEqual(order, ['a', 'b', 'c']);
    assert.equal(gate.running, 2);
  });

  it('serves merchants in turn', async () => {
    const { order, ask, leave } = open({ atOnce: 1 });
    for (const name of ['a1', 'a2', 'a3']) void ask(name, 1);
    void ask('b1', 2);
    await setImmediate();
    for (const name of ['a1', 'a2', 'b1', 'a3']) await leave(name);
    assert.deepEqual(order, ['a1', 'a2', 'b1', 'a3']);
  });

  it('gives a merchant its share of the places and of the queue, and no more', async () => {
    const { order, ask } = open({
      running: { ...limits.running, live: { all: 2, each: 1 } },
      waiting: { ...limits.waiting, live: { all: 2, each: 1 } },
    });
    for (const name of ['a1', 'a2', 'a3']) void ask(name, 1);
    await setImmediate();
    assert.deepEqual(order, ['a1', 'not a3']);
    void ask('b1', 2);
    void ask('b2', 2);
    void ask('c1', 3);
    await setImmediate();
    assert.deepEqual(order, ['a1', 'not a3', 'b1', 'not c1']);
  });

  it('serves live before test, and purchases before both', async () => {
    const { order, ask, leave } = open({ atOnce: 1 });
    void ask('a', 1);
    void ask('test', 2, 'test');
    void ask('live', 3);
    void ask('purchase', 3, 'live', { first: true });
    await setImmediate();
    for (const name of ['a', 'purchase', 'live', 'test']) await leave(name);
    assert.deepEqual(order, ['a', 'purchase', 'live', 'test']);
  });

  it('is never full for live requests because of test ones', async () => {
    const { order, ask } = open();
    for (const name of ['t1', 't2', 't3', 't4']) void ask(name, 1, 'test');
    await setImmediate();
    // One runs and two wait: those are their places.
    assert.deepEqual(order, ['t1', 'not t4']);
    for (const name of ['a', 'b', 'c', 'd', 'e']) void ask(name, 2);
    await setImmediate();
    assert.deepEqual(order, ['t1', 'not t4', 'a']);
  });

  it('gives up on a turn that does not come in time', async () => {
    const { order, ask, leave } = open({ atOnce: 1 });
    void ask('a', 1);
    await ask('late', 1, 'live', { withinMs: 5 });
    assert.deepEqual(order, ['a', 'not late']);
    void ask('b', 1, 'live', { withinMs: 60_000 });
    await leave('a');
    assert.deepEqual(order, ['a', 'not late', 'b']);
  });

  it('gives the place back when the work fails', async () => {
    const { gate } = open();
    const sharer = { merchantId: 1, environment: 'live' } as const;
    const full = (): Error => new Error('full');
    const failing = gate.run(sharer, {}, full, () => Promise.reject(new Error('failed')));
    await assert.rejects(failing, /failed/);
    assert.equal(gate.running, 0);
    gate.setLimits({ ...limits, atOnce: 0, waiting: { ...limits.waiting, live: { all: 0, each: 0 } } });
    await assert.rejects(
      gate.run(sharer, {}, full, async () => undefined),
      /full/,
    );
  });
});

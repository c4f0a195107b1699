/** Work in flight is counted until it has ended. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InFlight } from '../../src/core/in-flight.ts';

describe('work in flight', () => {
  it('counts work until it has ended, also with an error', async () => {
    const work = new InFlight();
    await work.over();
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    work.add(one.promise);
    work.add(two.promise.catch(() => undefined));
    assert.equal(work.count, 2);
    let isOver = false;
    const over = Promise.all([work.over(), work.over()]).then(() => {
      isOver = true;
    });
    one.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([work.count, isOver], [1, false]);
    two.reject(new Error('it failed'));
    await over;
    assert.equal(work.count, 0);
  });
});

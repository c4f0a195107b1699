/** Requests that wait for an outcome: which are read when, and when a wait ends. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stayingCaller } from '../../../src/core/caller.ts';
import type { Environment } from '../../../src/core/environment.ts';
import { createLog } from '../../../src/core/log.ts';
import type { Sql } from '../../../src/db/database.ts';
import { type OutcomeWait, OutcomeWaiters } from '../../../src/purchases/engine/outcome-waiters.ts';
import { until } from '../../support/until.ts';

/** A store in which nothing becomes final. `read` has the ids of each statement. */
function open() {
  const read: string[][] = [];
  const query = async (_statement: unknown, [, ids]: readonly [unknown, string[]]) => {
    read.push(ids);
    return [];
  };
  const waiters = new OutcomeWaiters({ query } as unknown as Sql, createLog('silent'));
  let left = 0;
  const enter = () => () => {
    left += 1;
  };
  const wait = (purchaseId: string, environment: Environment = 'live', some: Partial<OutcomeWait> = {}) =>
    waiters.wait({ merchantId: 1, environment, purchaseId }, Promise.resolve(undefined), {
      leftMs: 600_000,
      enter,
      caller: stayingCaller,
      ...some,
    });
  return { waiters, read, wait, left: () => left };
}

describe('requests that wait for an outcome', () => {
  it('answers as at the deadline when there is no place to wait', async () => {
    const { wait, waiters } = open();
    assert.equal(await wait('a', 'live', { enter: () => undefined }), 'deadline');
    assert.equal(waiters.size, 0);
  });

  it('rejects when taking the place fails', async () => {
    const { wait, waiters } = open();
    const enter = (): never => assert.fail('no place');
    await assert.rejects(wait('a', 'live', { enter }), { message: 'no place' });
    assert.equal(waiters.size, 0);
  });

  it('stops waiting when the caller has gone, and frees the place', async () => {
    const { wait, waiters, left } = open();
    let go = (): void => undefined;
    const caller = {
      onGone: (callback: () => void) => {
        go = callback;
        return () => undefined;
      },
    };
    const waiting = wait('a', 'live', { caller });
    await until('the wait', () => waiters.size === 1);
    go();
    assert.equal(await waiting, 'deadline');
    assert.deepEqual([waiters.size, left()], [0, 1]);
  });

  it('ends when this process stores the outcome', async () => {
    const { wait, waiters, left } = open();
    const waiting = wait('a');
    await until('the wait', () => waiters.size === 1);
    waiters.settle('a');
    assert.equal(await waiting, 'final-elsewhere');
    assert.deepEqual([waiters.size, left()], [0, 1]);
  });

  it('reads a bounded number at a time, live ones first', async () => {
    const { wait, waiters, read } = open();
    const ids = Array.from({ length: 2_000 }, (_, at) => `test ${at}`);
    const all = ids.map((id) => wait(id, 'test'));
    const live = wait('live');
    await until('six reads', () => read.length >= 6);
    const [first = []] = read;
    assert.ok(first.length > 0 && read.every((some) => some.length <= 500));
    assert.equal(first[0], 'live');
    const everyOne = new Set(read.flat());
    assert.ok(ids.every((id) => everyOne.has(id)));
    for (const id of ['live', ...ids]) waiters.settle(id);
    await Promise.all([...all, live]);
  });
});

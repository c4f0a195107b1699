/** Look-ups share the pages of a panel's list. None reads a page older than its order. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallResult } from '../../../src/providers/http/call.ts';
import { SharedWalks } from '../../../src/providers/panel/shared-walks.ts';

/** A list that counts its calls, and whose clock is frozen until it is set. */
function openList() {
  const clock = { ms: 1_000_000 };
  const walks = new SharedWalks({ timeScale: 1, nowMs: () => clock.ms });
  const read: number[] = [];
  const answers = new Map<number, CallResult>();
  let orders = 0;
  type Given = { list?: string; order?: string; sentAtMs?: number; takesMs?: number };
  const lookUp = (pages: number, given: Given = {}): Promise<CallResult[]> => {
    orders += 1;
    const { list = 'airtime', order = `order-${orders}`, sentAtMs = 0, takesMs = 0 } = given;
    return walks.run(list, { reference: order, sentAtMs }, async (page) => {
      const seen: CallResult[] = [];
      for (let number = 1; number <= pages; number += 1) {
        const result = await page(number, async () => {
          read.push(number);
          clock.ms += takesMs;
          const body = { page: number, call: read.length };
          return answers.get(number) ?? { kind: 'reply', status: 200, body };
        });
        seen.push(result);
      }
      return seen;
    });
  };
  return { clock, read, answers, lookUp };
}

const away: CallResult = { kind: 'reply', status: 502, body: {} };

describe('shared walks', () => {
  it('reads each page once for look-ups that run at the same time', async () => {
    const { read, lookUp } = openList();
    const found = await Promise.all([lookUp(3), lookUp(1), lookUp(3)]);
    assert.deepEqual(read, [1, 2, 3]);
    assert.deepEqual(found[0], found[2]);
  });

  it('reads again for an order that was looked up in these pages', async () => {
    const { read, lookUp } = openList();
    await lookUp(2, { order: 'mine' });
    await lookUp(2, { order: 'other' });
    assert.deepEqual(read, [1, 2]);
    await lookUp(2, { order: 'mine' });
    assert.deepEqual(read, [1, 2, 1, 2]);
    await lookUp(2, { order: 'other' });
    assert.deepEqual(read, [1, 2, 1, 2]);
  });

  it('reads again for an order that was sent after the walk began', async () => {
    const { clock, read, lookUp } = openList();
    const early = lookUp(2);
    clock.ms += 1;
    await Promise.all([early, lookUp(2, { sentAtMs: clock.ms })]);
    assert.deepEqual(read.toSorted(), [1, 1, 2, 2]);
    await lookUp(2, { sentAtMs: clock.ms });
    assert.equal(read.length, 4);
  });

  it('shares no pages of another list', async () => {
    const { read, lookUp } = openList();
    await Promise.all([lookUp(1), lookUp(1, { list: 'data' })]);
    assert.deepEqual(read, [1, 1]);
  });

  it('begins a new walk when the last is two seconds old, or the clock was set back', async () => {
    for (const stepMs of [2_001, -1]) {
      const { clock, read, lookUp } = openList();
      await lookUp(2);
      clock.ms += stepMs;
      await lookUp(2);
      assert.deepEqual(read, [1, 2, 1, 2]);
    }
  });

  it('shares the pages of a slow reading for as long as it took', async () => {
    for (const [stepMs, calls] of [
      [6_000, 2],
      [6_001, 4],
    ] as const) {
      const { clock, read, lookUp } = openList();
      await lookUp(2, { takesMs: 3_000 });
      clock.ms += stepMs;
      await lookUp(2);
      assert.equal(read.length, calls);
    }
  });

  it('shares the pages of a reading that is still running, whatever its age', async () => {
    const { clock, read, lookUp } = openList();
    const early = lookUp(3);
    clock.ms += 60_000;
    await Promise.all([early, lookUp(3)]);
    assert.deepEqual(read, [1, 2, 3]);
  });

  it('repeats a call that read no page', async () => {
    const { read, answers, lookUp } = openList();
    answers.set(2, away);
    const long = lookUp(4);
    const [, second] = await lookUp(2);
    assert.deepEqual(second, away);
    answers.delete(2);
    const [, again] = await lookUp(2);
    await long;
    assert.equal(again?.kind === 'reply' && again.status, 200);
    assert.equal(read.filter((page) => page === 2).length, 2);
  });
});

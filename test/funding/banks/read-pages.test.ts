/** A list of payments counts as read at the end that the bank reports, and never earlier. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PaymentPage, type ReadPage, readPages } from '../../../src/funding/banks/read-pages.ts';

const SINCE = new Date('2026-11-21T00:00:00Z');

/** A page of payments by their day of November 2026. */
function page(days: readonly number[], last?: boolean): PaymentPage {
  const references = days.map((day) => `p${day}`);
  const times = days.map((day) => new Date(Date.UTC(2026, 10, day)));
  return { references, marks: references, times, last };
}

async function listed(...pages: readonly ReadPage[]): Promise<readonly string[] | string> {
  let asked = 0;
  const list = await readPages(async (number) => {
    asked += 1;
    return pages[number] ?? { unavailable: `page ${number} was asked for` };
  }, SINCE);
  assert.ok(asked <= pages.length + 1);
  return list.kind === 'listed' ? list.references : list.reason;
}

describe('a list of payments', () => {
  it('stops at the page that the bank calls the last, however full it is', async () => {
    assert.deepEqual(await listed(page([27, 26], false), page([25], true)), ['p27', 'p26', 'p25']);
    assert.deepEqual(await listed(page([], true)), []);
    assert.equal(await listed(page([27], false)), 'page 1 was asked for');
  });

  it('stops at an empty page, not at a short one, when the bank names no last page', async () => {
    assert.deepEqual(await listed(page([27, 26]), page([25]), page([])), ['p27', 'p26', 'p25']);
    assert.equal(await listed(page([27, 26]), page([25])), 'page 2 was asked for');
  });

  it('returns nothing of a list that was not read to its end', async () => {
    assert.equal(await listed(page([27], false), { unavailable: 'HTTP 500' }), 'HTTP 500');
    assert.equal(typeof (await listed(page([27], false), page([], false))), 'string');
  });

  it('refuses a list that repeats a page or has no end', async () => {
    const same = await readPages(async () => page([27, 26], false), SINCE);
    assert.equal(same.kind, 'unavailable');
    const endless = await readPages(async (number) => page([number + 1], false), SINCE);
    assert.deepEqual(
      [endless.kind, 'reason' in endless && /\b1000\b/.test(endless.reason)],
      ['unavailable', true],
    );
  });

  it('returns a payment twice, and loses none, when the list shifts while it is read', async () => {
    const shifted = await listed(page([27, 26], false), page([26, 25], true));
    assert.deepEqual(new Set(shifted), new Set(['p27', 'p26', 'p25']));
  });

  it('reads a list beyond old payments unless it is sorted newest first', async () => {
    assert.deepEqual(await listed(page([27, 22], false), page([20, 19], false)), [
      'p27',
      'p22',
      'p20',
      'p19',
    ]);
    assert.equal(await listed(page([20, 19], false)), 'page 1 was asked for', 'one page shows no order');
    for (const [first, second] of [
      [
        [17, 18],
        [19, 20],
      ],
      [
        [18, 19],
        [17, 16],
      ],
      [
        [19, 18],
        [20, 17],
      ],
    ] as const) {
      const newest = page([28], true);
      const references = await listed(page(first, false), page(second, false), newest);
      assert.ok(references.includes('p28'), JSON.stringify([first, second]));
    }
    const timeless = { ...page([20], false), times: undefined };
    assert.equal(await listed(page([27], false), timeless), 'page 2 was asked for');
  });
});

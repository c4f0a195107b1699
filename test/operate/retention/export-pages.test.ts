/** Each page of the data about a person continues where the previous one ended, at any row. */
import assert from 'node:assert/strict';
import { after, before, it, mock } from 'node:test';
import { type Admin, startAdmin } from '../../backoffice/admin/harness.ts';

let admin: Admin;
let token: string;

before(async () => {
  admin = await startAdmin();
  token = await admin.tokenFor('admin');
});
after(() => admin[Symbol.asyncDispose]());

const page = (cursor: string | null) =>
  admin.call('POST', '/persons/export', {
    token,
    body: { person: 'ada@example.com', ...(cursor !== null && { cursor }) },
  });

it('continues after every part, if each takes the whole time of a page', async () => {
  let nowMs = 0;
  const clock = mock.method(performance, 'now', () => {
    nowMs += 3_600_000;
    return nowMs;
  });
  const parts: string[] = [];
  try {
    let cursor: string | null = null;
    do {
      const answer = await page(cursor);
      assert.equal(answer.status, 200, `${cursor}: ${JSON.stringify(answer.body)}`);
      ({ cursor } = answer.body);
      if (cursor !== null) parts.push(cursor.split('.')[0] ?? '');
    } while (cursor !== null);
  } finally {
    clock.mock.restore();
  }
  assert.deepEqual(parts, ['lines', 'purchases', 'contacts', 'deliveries', 'batches', 'saved', 'found']);
});

it('refuses a place that it did not return', async () => {
  const id = '00000000-0000-0000-0000-000000000000';
  assert.equal((await page(`found.-1.live.${id}`)).status, 200);
  for (const cursor of [
    `nowhere.-1.live.${id}`,
    `found|lines.-1.live.${id}`,
    `found.-1.live.${id}0`,
    'found',
  ]) {
    const answer = await page(cursor);
    assert.deepEqual([answer.status, answer.body.reason], [400, 'no_such_cursor'], cursor);
  }
});

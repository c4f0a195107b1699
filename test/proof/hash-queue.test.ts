/** Password guesses at one audience use no turns of the other, nor those of its known users. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { password, startConsole } from '../backoffice/console/harness.ts';

const test = await startConsole();
after(() => test[Symbol.asyncDispose]());
await test.admin.run('merchant.create', { code: 'SHOP', name: 'Shop' });
const operator = await test.person('operator@console.example', ['support']);
const owner = await test.person('owner@shop.example', ['owner'], 'SHOP');

/** Guesses from separate addresses at separate accounts; `first` separates floods. */
function guess(face: 'console' | 'portal', count: number, first: number) {
  return Array.from({ length: count }, (_, at) => {
    const address = `192.168.${first}.${at}`;
    const given = { email: `guess-${first}-${at}@nowhere.example`, password: 'a wrong password' };
    return test.browser(face, { address }).post('/api/sign-in', given);
  });
}

async function triesTaken(): Promise<number> {
  const [row] = await test.admin.database.query<{ taken: number }>(
    'select count(*)::integer as taken from sign_in_buckets where tokens in (29, 9)',
  );
  return row?.taken ?? 0;
}

describe('a flood of guesses at the portal', () => {
  it('leaves sign-ins to the console, and to known browsers of the portal', async () => {
    const before = await triesTaken();
    const guesses = guess('portal', 200, 1);
    const signedIn = await test.browser('console').post('/api/sign-in', { email: operator.email, password });
    assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body));
    const steppedUp = await operator.browser.post('/api/step-up', { password });
    assert.equal(steppedUp.status, 200, JSON.stringify(steppedUp.body));
    const known = owner.browser.copy();
    const again = await known.post('/api/sign-in', { email: owner.email, password });
    assert.equal(again.status, 200, JSON.stringify(again.body));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    assert.ok(statuses.includes(429) && statuses.includes(401), [...new Set(statuses)].join());
    // Only the guesses that were compared count, for their address and for their account.
    const compared = statuses.filter((status) => status === 401).length;
    assert.equal((await triesTaken()) - before, 2 * compared);
  });

  it('refuses a flood at the console too', async () => {
    const statuses = (await Promise.all(guess('console', 150, 2))).map(({ status }) => status);
    assert.ok(statuses.includes(429));
    const signedIn = await test.browser('portal').post('/api/sign-in', { email: owner.email, password });
    assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body));
  });
});

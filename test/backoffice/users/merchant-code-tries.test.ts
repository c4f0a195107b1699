/** How many merchant codes of others a caller may send: by key, by merchant and by network. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMerchantCodeTries } from '../../../src/backoffice/users/merchant-code-tries.ts';
import type { Principal } from '../../../src/merchants/merchant.ts';
import { openFileDatabase } from '../../support/file-database.ts';

const database = await openFileDatabase();

function caller(merchantId: number, key: string): Principal {
  return {
    credentialId: key,
    environment: 'live',
    rateLimitPerS: undefined,
    merchant: {
      id: merchantId,
      code: `M${merchantId}`,
      name: 'A merchant',
      suspended: false,
      products: new Set(),
      prices: [],
      wallets: new Map(),
    },
  };
}

function aProcess() {
  const clock = { ms: 0, elapsedMs: () => clock.ms };
  return { clock, tries: createMerchantCodeTries(database, clock) };
}

/** How many attempts out of `count` the caller has left. */
async function left(
  { tries }: Pick<ReturnType<typeof aProcess>, 'tries'>,
  principal: Principal,
  address: string,
  count = 100,
): Promise<number> {
  for (let taken = 0; taken < count; taken += 1) {
    if ((await tries.take(principal, address)) !== undefined) return taken;
  }
  return count;
}

describe('merchant codes of other merchants', () => {
  it('limits a key, in all processes, and not the other keys of its merchant', async () => {
    const [one, two] = [aProcess(), aProcess()];
    assert.equal(await left(one, caller(1, 'key-1'), '10.0.0.1'), 20);
    assert.equal(await left(two, caller(1, 'key-1'), '10.0.0.2'), 0);
    assert.equal(await two.tries.take(caller(1, 'key-2'), '10.0.0.1'), undefined);
  });

  it('limits all keys of a merchant together, and no other merchant', async () => {
    const one = aProcess();
    const counts: number[] = [];
    for (const key of ['a', 'b', 'c', 'd']) counts.push(await left(one, caller(2, key), `10.0.1.${key}`));
    assert.deepEqual(counts, [20, 20, 0, 0]);
    assert.equal(await one.tries.take(caller(3, 'e'), '10.0.1.a'), undefined);
  });

  it('limits a network of several merchants, and no other network', async () => {
    const one = aProcess();
    const counts: number[] = [];
    for (const id of [10, 11, 12, 13]) {
      counts.push(await left(one, caller(id, `key-${id}`), `2001:db8::${id}`));
    }
    assert.deepEqual(counts, [20, 20, 20, 0]);
    assert.equal(await one.tries.take(caller(14, 'key-14'), '2001:db8:0:1::14'), undefined);
  });

  it('reports only the first refusal until an attempt is available', async () => {
    const one = aProcess();
    const principal = caller(20, 'key-20');
    const address = '10.0.2.1';
    for (let sent = 0; sent < 20; sent += 1) await one.tries.take(principal, address);
    const together = await Promise.all([1, 2, 3].map(() => one.tries.take(principal, address)));
    assert.deepEqual(together.map((limited) => limited?.isFirst).sort(), [false, false, true]);
    const seconds = together[0]?.retryAfterS ?? 0;
    assert.ok(seconds >= 1 && seconds <= 30, `${seconds}`);
    // No query is made: the database is not read again before an attempt can be available.
    await database.query("update sign_in_buckets set counted_at = counted_at - interval '1 hour'");
    one.clock.ms += 500;
    assert.equal((await one.tries.take(principal, address))?.isFirst, false);
    one.clock.ms += seconds * 1_000;
    assert.equal(await one.tries.take(principal, address), undefined);
    assert.equal(await left(one, principal, address), 19);
    one.clock.ms += 60_000;
    assert.equal((await one.tries.take(principal, address))?.isFirst, true);
  });
});

/** The limit of active credentials of a merchant, and ways to make room for another. */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { Environment } from '../../src/core/environment.ts';
import { ACTIVE_MAX, issueCredential } from '../../src/merchants/operations/issue-credential.ts';
import { revokeCredential } from '../../src/merchants/operations/revoke-credential.ts';
import { rotateCredential } from '../../src/merchants/operations/rotate-credential.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusedAct } from '../support/refusals.ts';

const pepper = createSecretKey(randomBytes(32));
const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
for (const code of ['SHOP', 'OTHER']) {
  await database.transaction((tx) => createMerchant(tx, { code, name: code }, 'ada'));
}

async function issue(merchantCode = 'SHOP', environment: Environment = 'live', expiresAt?: Date) {
  const { credential } = await database.transaction((tx) =>
    issueCredential(tx, pepper, { merchantCode, environment, expiresAt }, 'ada'),
  );
  return credential.key_id;
}

function rotate(keyId: string, overlapMs: number) {
  const now = new Date();
  const order = { keyId, now, oldEndsAt: new Date(now.getTime() + overlapMs) };
  return database.transaction((tx) => rotateCredential(tx, pepper, order, 'ada'));
}

const full = refusedAct('too_many_credentials');

describe('the active credentials of a merchant', () => {
  it('refuses credentials beyond the limit, in that environment and of that merchant only', async () => {
    const tries = await Promise.allSettled(Array.from({ length: ACTIVE_MAX + 5 }, () => issue()));
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, ACTIVE_MAX);
    for (const one of tries) if (one.status === 'rejected') assert.ok(full(one.reason));
    await assert.rejects(issue(), full);
    await issue('SHOP', 'test');
    await issue('OTHER');
  });

  it('frees room when one is revoked or has expired', async () => {
    const [first, second] = await database.query<{ key_id: string }>(
      "select key_id from credentials where environment = 'live' order by created_at limit 2",
    );
    assert.ok(first !== undefined && second !== undefined);
    await database.transaction((tx) => revokeCredential(tx, first.key_id, 'ada'));
    await issue();
    await assert.rejects(issue(), full);
    await database.query('update credentials set expires_at = now() where key_id = $1', [second.key_id]);
    const third = await issue();
    await assert.rejects(issue(), full);
    // An additional credential next to a valid old one is refused; a replacement is accepted.
    await assert.rejects(rotate(third, 60_000), full);
    await rotate(third, 0);
    await assert.rejects(issue(), full);
  });
});

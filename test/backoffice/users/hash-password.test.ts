/** Hashes of passwords: callers of one application do not keep out those of another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, shareOfNetwork, shareOfUser } from '../../../src/backoffice/users/hash-password.ts';

test('serves each pool in turn, however many callers of another wait', async () => {
  const order: string[] = [];
  const hash = async (name: string, sharer: ReturnType<typeof shareOfUser>): Promise<void> => {
    await hashPassword('nine yellow boats upstream', sharer);
    order.push(name);
  };
  await Promise.all([
    ...Array.from({ length: 6 }, (_, user) => hash('portal', shareOfUser('portal', `user ${user}`))),
    ...Array.from({ length: 6 }, (_, user) => hash('console', shareOfUser('console', `user ${user}`))),
    hash('unknown at the console', shareOfNetwork('console', '192.0.2.1')),
    hash('unknown at the portal', shareOfNetwork('portal', '192.0.2.1')),
  ]);
  for (const name of ['unknown at the console', 'unknown at the portal']) {
    assert.ok(order.indexOf(name) < 8, `${name}: ${order.indexOf(name)} of ${order.length}`);
  }
});

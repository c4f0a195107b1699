/** A provider whose connector is replaced: each call ends with the one it began with. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connector, ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import { openSwappableProvider } from '../../src/providers/swappable-provider.ts';
import { aPurchase, isBought } from '../support/a-purchase.ts';

const facts = {
  name: 'one',
  products: new Set(['airtime']),
  environment: 'live',
  sellsWithoutCodes: new Set<string>(),
  wholeNairaOnly: new Set<string>(),
} as const;
const order = {} as ProviderOrder;

function connector(name: string) {
  const state = { disposed: 0, answer: Promise.withResolvers<ProviderAnswer>() };
  const made: Connector = {
    notFoundGraceMs: 1,
    deadlineMs: 1,
    mintReference: () => name,
    purchase: () => state.answer.promise,
    query: () => Promise.reject(new Error('a fault')),
    balance: () => Promise.resolve(undefined),
    [Symbol.asyncDispose]: async () => {
      state.disposed += 1;
    },
  };
  return { made, state };
}

test('a running call ends with the earlier connector, which is then disposed of once', async () => {
  const [old, next] = [connector('old'), connector('next')];
  const standing = openSwappableProvider(facts, old.made);
  const { provider } = standing;
  const [first, second] = [provider.purchase(order), provider.purchase(order)];
  standing.replace({ ...next.made, takesBack: true });
  assert.equal(standing.provider, provider);
  assert.deepEqual(
    [provider.mintReference(new Date(), aPurchase, isBought), provider.takesBack, provider.name],
    ['next', true, 'one'],
  );
  assert.equal(old.state.disposed, 0);
  old.state.answer.resolve({ kind: 'accepted', code: 'old', message: '' });
  assert.deepEqual([(await first).code, (await second).code], ['old', 'old']);
  await new Promise(setImmediate);
  assert.deepEqual([old.state.disposed, next.state.disposed], [1, 0]);
  next.state.answer.resolve({ kind: 'accepted', code: 'next', message: '' });
  assert.equal((await provider.purchase(order)).code, 'next');
  await standing[Symbol.asyncDispose]();
  assert.deepEqual([old.state.disposed, next.state.disposed], [1, 1]);
});

test('an idle connector is disposed of at once, with its optional functions', async () => {
  const [old, next] = [connector('old'), connector('next')];
  const standing = openSwappableProvider(facts, { ...old.made, listPlans: async () => [] });
  await assert.rejects(standing.provider.query(order), /a fault/);
  assert.ok(standing.provider.listPlans);
  standing.replace(next.made);
  await new Promise(setImmediate);
  assert.deepEqual([old.state.disposed, standing.provider.listPlans], [1, undefined]);
  await standing[Symbol.asyncDispose]();
});

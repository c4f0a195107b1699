/** Whose places at a provider these are, and that they follow the provider. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Provider } from '../../../src/providers/provider.ts';
import { sandbox as definition } from '../../../src/providers/sandbox/index.ts';
import { ProviderGates } from '../../../src/vending/path/provider-gates.ts';

const sandbox = await definition.configure({ notFoundGraceMs: 1_000 }).open();
const merchant = (group: number) => ({ pool: 'live', group, member: 'key' }) as const;

function shop(readsAtOnce: number): Provider {
  return {
    ...sandbox,
    name: 'shop',
    capacity: { callsAtOnce: 99, readsAtOnce, perSecond: 0, pacesQuestions: false },
  };
}

function open() {
  const providers = new Map<string, Provider>();
  const gates = new ProviderGates(providers, {
    placesAt: ({ capacity }) => capacity?.readsAtOnce ?? 1,
    waiting: 0,
  });
  /** How many of ten have a place at once; they give it back. */
  const placesOf = async (merchants: readonly number[]): Promise<number> => {
    const tries = merchants.map((id) => gates.of('shop')?.enter(merchant(id)));
    const places = (await Promise.all(tries)).filter((place) => place !== undefined);
    for (const leave of places) leave();
    return places.length;
  };
  return { providers, gates, placesOf };
}

const one = Array.from({ length: 10 }, () => 1);
const many = Array.from({ length: 10 }, (_, index) => index);

describe('the gates of providers', () => {
  it('are there for a provider that comes while the process runs, and for no other', async () => {
    const { providers, gates, placesOf } = open();
    assert.equal(gates.of('shop'), undefined);
    providers.set('shop', shop(4));
    assert.equal(await placesOf(many), 4);
    assert.equal(gates.of('another'), undefined);
  });

  it('give one merchant a share, and one place at least', async () => {
    const { providers, placesOf } = open();
    providers.set('shop', shop(4));
    assert.equal(await placesOf(one), 3);
    providers.set('shop', shop(1));
    assert.equal(await placesOf(one), 1);
  });

  it('follow what the provider takes, with those who are in counted on', async () => {
    const { providers, gates, placesOf } = open();
    providers.set('shop', shop(2));
    const leave = await gates.of('shop')?.enter(merchant(99));
    assert.ok(leave);
    assert.equal(await placesOf(many), 1);
    providers.set('shop', shop(6));
    assert.equal(await placesOf(many), 5);
    providers.set('shop', shop(1));
    assert.equal(await placesOf(many), 0);
    leave();
    assert.equal(await placesOf(many), 1);
  });
});

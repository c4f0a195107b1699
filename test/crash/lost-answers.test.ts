/**
 * The connection to the database breaks at a statement that commits, and the gateway cannot know
 * whether it was executed. In both cases the purchase is stored once, delivered once and answered
 * truthfully.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readLivePurchases } from '../support/books.ts';
import { until } from '../support/until.ts';
import { type Cut, type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts';
import { type Fixture, type FixtureGateway, openFixture } from './fixture.ts';

type Place = {
  /** The statements at that point, for a merchant's reference. */
  readonly at: (reference: string) => Cut['at'];
  readonly modes: readonly ('sync' | 'async')[];
};

const places: Readonly<Record<string, Place>> = {
  'the accept': { at: (reference) => [reference], modes: ['sync', 'async'] },
  'the claim by a worker': { at: () => ['insert_attempts', 'commit\0'], modes: ['async'] },
  'the resolve': { at: () => ['succeed'], modes: ['sync', 'async'] },
};

describe('the connection to the database breaks', () => {
  const stack = new AsyncDisposableStack();
  let fixture: Fixture;
  let proxy: DatabaseProxy;
  let gateway: FixtureGateway;
  let count = 0;

  before(async () => {
    fixture = stack.use(await openFixture());
    proxy = stack.use(await openDatabaseProxy(fixture.connectionString));
    gateway = await fixture.start({ DATABASE_URL: proxy.connectionString });
  });
  after(() => stack.disposeAsync());

  for (const [place, { at, modes }] of Object.entries(places)) {
    for (const lost of ['question', 'answer'] as const) {
      for (const mode of modes) {
        it(`at ${place} (${mode}), its ${lost} lost`, async () => {
          const reference = `lost-${++count}`;
          const cut = proxy.cut({ at: at(reference), lost });
          const answer = await buy(reference, mode);
          await cut;
          assert.deepEqual(answer, { status: 200, outcome: mode === 'sync' ? 'success' : 'pending' });
          await until('it is delivered', async () => {
            const purchases = await readLivePurchases(fixture.database);
            return purchases.some(
              (purchase) => purchase.reference === reference && purchase.status === 'success',
            );
          });
          const { purchases, wrong } = await fixture.settle();
          assert.deepEqual(wrong, []);
          assert.equal(purchases.find((purchase) => purchase.reference === reference)?.attempts.length, 1);
        });
      }
    }
  }

  async function buy(reference: string, mode: string): Promise<{ status: number; outcome: string }> {
    const { key, secret } = await fixture.live();
    const answer = await fetch(`${gateway.url}/v1/transactions/airtime/${mode}`, {
      method: 'POST',
      headers: { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' },
      body: JSON.stringify({
        merchant: 'DEMO',
        msisdn: '08031234567',
        network: 'mtn',
        amount: '100',
        request_ref: reference,
      }),
    });
    return { status: answer.status, outcome: ((await answer.json()) as { status: string }).status };
  }
});

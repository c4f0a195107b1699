/**
 * The books against a false list of a panel without our references. Each order is found by the id
 * in the panel's answer, or as the only match. Each difference is listed with the panel's text and
 * id.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { runReconciliation } from '../../../src/finance/reconciliation/run-reconciliation.ts';
import { type Operator, operator } from '../../cli/harness.ts';
import { openPanelBench } from '../../conformance/panel-bench.ts';
import type { ConnectorBench } from '../../conformance/simulator-bench.ts';
import { type Bought, openShop, type Shop } from './shop.ts';

type Difference = {
  readonly kind: string;
  readonly purchase: string | null;
  readonly reference: string | null;
  readonly there: string;
};

let op: Operator;
let bench: ConnectorBench;
let shop: Shop;

before(async () => {
  op = await operator();
  bench = await openPanelBench('msorg', { settings: { provisional: 'final' } });
  shop = await openShop(op, bench.provider);
});
after(async () => {
  await bench[Symbol.asyncDispose]();
  await op[Symbol.asyncDispose]();
});

const unneeded = (): Promise<never> => Promise.reject(new Error('it is not needed'));

async function reconcile(): Promise<readonly Difference[]> {
  const providers = new Map([['panel', bench.provider]]);
  const id = await runReconciliation(
    {
      database: op.database,
      clock: systemClock,
      actor: { name: 'test', principal: 'user:test', edge: 'cli' },
      approvalLimits: { correction: undefined },
      sealer: unneeded,
      openBanks: unneeded,
      openProviders: async () => ({ providers, [Symbol.asyncDispose]: async () => undefined }),
    },
    {
      party: { name: 'panel', kind: 'provider', environment: 'live', currencies: [], mapping: undefined },
      file: undefined,
      mapping: undefined,
      period: { from: new Date(Date.now() - 7_200_000), to: new Date(Date.now() + 7_200_000) },
      apply: false,
    },
    () => undefined,
  );
  return await op.database.query<Difference>(
    `select d.kind, v.reference as purchase, d.reference, d.there
     from reconciliation_differences d
     left join purchases v
       on v.merchant_id = d.merchant_id
       and v.id = d.purchase_id
     where d.run_id = $1
     order by d.kind`,
    [id],
  );
}

/** Stores that the panel answered a query with an id. */
async function answered({ id, order }: Bought): Promise<void> {
  const { providerId } = await bench.provider.query(order);
  assert.ok(providerId);
  await op.database.query(
    `insert into further_answers (merchant_id, purchase_id, attempt, source, kind, code, message, provider_id)
     select merchant_id, id, 1, 'query', 'accepted', 'processing', 'it works on it', $2
     from purchases
     where id = $1`,
    [id, providerId],
  );
}

describe('the books against the list of a panel', () => {
  it('agrees if each order exists once', async () => {
    await shop.buy('fits', await bench.arrange('success'));
    await answered(await shop.buy('known', await bench.arrange('success')));
    await shop.buy('refused', await bench.arrange('lost_before_delivery'), 'failed');
    assert.deepEqual(await reconcile(), []);
  });

  it('differs in each order that the panel recorded otherwise, with its evidence', async () => {
    const lost = await shop.buy('lost', await bench.arrange('lost_after_delivery'), 'pending');
    assert.ok(lost.id);
    const lied = await bench.arrangeFault({ fault: 'refused', settle_ms: 600_000 });
    await shop.buy('lied', lied);
    await bench.release(lied);
    await shop.buy('absent', await bench.arrange('lost_before_delivery'), 'pending');
    // Two equal orders, one of them listed: it is the one whose id the panel returned.
    const twin = await bench.arrange('success');
    await answered(await shop.buy('twin 1', twin));
    await shop.pretend('twin 2', 'pending');
    // A person bought it on the panel's own page.
    const stranger = await bench.arrange('success');
    await bench.provider.purchase({ ...lost.order, reference: 'by-hand', recipient: stranger });
    const found = await reconcile();
    assert.deepEqual(
      found.map(({ kind, purchase }) => [kind, purchase]).toSorted(),
      [
        ['delivered_there_pending_here', 'lost'],
        ['failed_there_success_here', 'lied'],
        ['unknown_here', null],
        ['unknown_there_pending_here', 'absent'],
        ['unknown_there_pending_here', 'twin 2'],
      ].toSorted(),
    );
    const of = (kind: string): Difference | undefined => found.find((one) => one.kind === kind);
    assert.match(of('unknown_here')?.reference ?? '', /^airtime \d+$/);
    assert.match(of('delivered_there_pending_here')?.there ?? '', /^successful, charged 97/);
  });
});

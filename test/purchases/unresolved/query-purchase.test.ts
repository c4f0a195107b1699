/**
 * A pending purchase that is queried now, from here or by a running gateway: its answer takes
 * effect, and a purchase that cannot be queried is refused.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Sealer } from '../../../src/core/sealing.ts';
import type { Provider, ProviderAnswer } from '../../../src/providers/provider.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import { touchGateway } from '../../../src/purchases/engine/gateway-store.ts';
import { queryPurchaseOperation } from '../../../src/purchases/unresolved/operations/query-purchase.ts';
import { settlePurchaseOperation } from '../../../src/purchases/unresolved/operations/settle-purchase.ts';
import { type Asker, queryPurchase } from '../../../src/purchases/unresolved/query-purchase.ts';
import { refusedAct } from '../../support/refusals.ts';
import {
  accept,
  answer,
  gatewayId,
  moneyOf,
  openAuditedDatabase,
  openBuyer,
  purchase,
  resolveWords,
} from '../fixture.ts';

const database = await openAuditedDatabase();

const CHARGE = 1_000n;
const buyer = await openBuyer(database, 100_000n);

/** Asks a provider that gives this answer. Without one, none is configured. */
function askerOf(said?: ProviderAnswer) {
  const asked: string[] = [];
  const query = async ({ reference }: { reference: string }) => {
    asked.push(reference);
    return said;
  };
  const sandbox = { name: 'sandbox', notFoundGraceMs: 0, query } as unknown as Provider;
  const asker: Asker = {
    database,
    actor: 'ada' as never,
    clock: systemClock,
    sealer: async () => ({ seal: () => 'k:' }) as unknown as Sealer,
    openProviders: async () => ({
      providers: new Map(said === undefined ? [] : [['sandbox', sandbox]]),
      [Symbol.asyncDispose]: async () => undefined,
    }),
  };
  return { asker, asked };
}

const success: ProviderAnswer = { kind: 'success', code: '000', message: 'delivered', cost: 970n };
const failed: ProviderAnswer = { kind: 'failed', fault: 'order', code: '016', message: 'refused' };
const accepted: ProviderAnswer = { kind: 'accepted', code: '099', message: 'in hand' };

async function buyPending(fields: Partial<AcceptItem> = {}): Promise<AcceptItem> {
  const item = purchase(buyer, CHARGE, fields);
  await accept(database, item);
  if (item.attempt !== undefined) await resolveWords(database, answer(buyer, item, 'unknown'));
  return item;
}

const keyOf = ({ merchantId, environment, id: purchaseId }: AcceptItem) => ({
  merchantId,
  environment,
  purchaseId,
});

const query = ({ reference }: AcceptItem, asker: Asker) =>
  queryPurchaseOperation.run(asker as never, { reference });

const settle = ({ reference }: AcceptItem, asker: Asker, outcome: 'success' | 'failed', cost?: string) => {
  const input = { reference, outcome, evidence: 'ticket 4411', key: newId(), ...(cost && { cost }) };
  return {
    askFirst: async () => await settlePurchaseOperation.before?.(asker as never, input),
    act: () => database.transaction((tx) => settlePurchaseOperation.run({ ...asker, tx } as never, input)),
  };
};

describe('a query from here', () => {
  for (const [said, charged] of [
    [success, CHARGE],
    [failed, 0n],
  ] as const) {
    it(`ends the purchase if the provider says "${said.kind}", and a second one is refused`, async () => {
      const item = await buyPending();
      const before = await moneyOf(database, buyer);
      const { asker, asked } = askerOf(said);
      const { said: heard, status, next_at: nextAt, provider } = await query(item, asker);
      assert.deepEqual([heard?.kind, heard?.code, status, nextAt], [said.kind, said.code, said.kind, null]);
      assert.equal(provider, 'sandbox');
      assert.deepEqual(asked, [item.attempt?.reference]);
      const money = await moneyOf(database, buyer);
      assert.deepEqual([before.posted - money.posted, before.held - money.held], [charged, CHARGE]);
      await assert.rejects(query(item, asker), refusedAct('purchase_final', { status: said.kind }));
      assert.equal(asked.length, 1);
    });
  }

  it('leaves the purchase pending if the answer decides nothing', async () => {
    const item = await buyPending();
    const { said, status, next_at: nextAt } = await query(item, askerOf(accepted).asker);
    assert.deepEqual([said?.kind, status], ['accepted', 'pending']);
    assert.ok(nextAt !== null);
  });

  it('is refused without the provider, before an order was sent, and for an unknown purchase', async () => {
    const [item, unsent] = [await buyPending(), await buyPending({ mode: 'async' })];
    await assert.rejects(query(item, askerOf().asker), refusedAct('nobody_can_ask', { provider: 'sandbox' }));
    const { asker, asked } = askerOf(success);
    await assert.rejects(query(unsent, asker), refusedAct('order_not_sent'));
    const unknown = { ...keyOf(item), purchaseId: newId() };
    await assert.rejects(queryPurchase(asker, unknown, 0), refusedAct('no_purchase'));
    assert.deepEqual(asked, []);
  });
});

describe('a settlement', () => {
  it('is refused if the provider decides when it is queried first', async () => {
    const item = await buyPending();
    const { askFirst } = settle(item, askerOf(success).asker, 'failed');
    await assert.rejects(askFirst(), refusedAct('provider_decided', { status: 'success' }));
  });

  it('takes effect with its cost if the provider decides nothing or cannot be queried', async () => {
    for (const said of [accepted, undefined]) {
      const item = await buyPending();
      const { askFirst, act } = settle(item, askerOf(said).asker, 'success', '9.50');
      await askFirst();
      const { outcome, charge, provider, token_owed: isOwed } = await act();
      assert.deepEqual([outcome, charge, provider, isOwed], ['success', '10.00', 'sandbox', false]);
      const [row] = await database.query<{ cost: bigint }>(
        'select cost from purchase_outcomes where purchase_id = $1',
        [item.id],
      );
      assert.equal(row?.cost, 950n);
    }
  });

  it('of a failure has no cost', async () => {
    const item = await buyPending();
    const { askFirst, act } = settle(item, askerOf(accepted).asker, 'failed', '9.50');
    await assert.rejects(askFirst(), refusedAct('cost_of_nothing'));
    await assert.rejects(act(), refusedAct('cost_of_nothing'));
    assert.equal((await settle(item, askerOf(accepted).asker, 'failed').act()).outcome, 'failed');
  });
});

it('a running gateway queries instead, and without its answer the purchase is due and unchanged', async () => {
  const item = await buyPending();
  await touchGateway(database, { id: gatewayId, role: 'all', host: 'h', pid: 1, providers: ['sandbox'] });
  const { asker, asked } = askerOf(success);
  const { said, status, dueAt } = await queryPurchase(asker, keyOf(item), 0);
  assert.deepEqual([said, status, asked], [undefined, 'pending', []]);
  const [row] = await database.query<{ due: boolean }>('select $1::timestamptz <= now() as due', [dueAt]);
  assert.equal(row?.due, true);
});

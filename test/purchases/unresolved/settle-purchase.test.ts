/**
 * A pending purchase settled by hand, on a database: which can be settled, which contradict the
 * provider, and an answer that arrives at the same moment.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import { touchGateway } from '../../../src/purchases/engine/gateway-store.ts';
import {
  type Settlement,
  settlePurchase,
} from '../../../src/purchases/unresolved/operations/settle-purchase.ts';
import { refusedAct } from '../../support/refusals.ts';
import {
  accept,
  answer,
  type Buyer,
  claimPurchases,
  gatewayId,
  moneyOf,
  openAuditedDatabase,
  openBuyer,
  purchase,
  resolveWords,
} from '../fixture.ts';

const database = await openAuditedDatabase();

const sealer = { seal: () => 'k:' };
const CHARGE = 1_000n;

async function buy(buyer: Buyer, fields: Partial<AcceptItem> = {}): Promise<AcceptItem> {
  const item = purchase(buyer, CHARGE, fields);
  await accept(database, item);
  return item;
}

function settle(
  { merchantId, environment, id: purchaseId }: AcceptItem,
  status: Settlement['status'],
  override = false,
) {
  const settlement = { status, evidence: 'ticket 4411', override };
  return database.transaction((tx) =>
    settlePurchase(tx, sealer, { merchantId, environment, purchaseId }, settlement, 'ada'),
  );
}

async function outcomeOf({ id }: AcceptItem): Promise<string> {
  const [row] = await database.query<{ outcome: string }>(
    "select status || ' ' || reason as outcome from purchase_outcomes where purchase_id = $1",
    [id],
  );
  return row?.outcome ?? 'pending';
}

async function lastAnswer({ id }: AcceptItem): Promise<unknown> {
  const [row] = await database.query(
    'select source, kind, code, message from provider_answers where purchase_id = $1 order by at desc limit 1',
    [id],
  );
  return row;
}

describe('a pending purchase', () => {
  it('settles either way, at any age, with its evidence', async () => {
    const buyer = await openBuyer(database, 10_000n);
    const [delivered, refused] = [await buy(buyer), await buy(buyer)];
    for (const item of [delivered, refused]) await resolveWords(database, answer(buyer, item, 'unknown'));
    await settle(delivered, 'success');
    await settle(refused, 'failed');
    assert.equal(await outcomeOf(delivered), 'success delivered');
    assert.equal(await outcomeOf(refused), 'failed refused');
    assert.deepEqual(await lastAnswer(refused), {
      source: 'operator',
      kind: 'failed',
      code: 'operator',
      message: 'ticket 4411',
    });
    assert.deepEqual(await moneyOf(database, buyer), { posted: 9_000n, held: 0n });
    await assert.rejects(settle(refused, 'success'), refusedAct('purchase_final', { status: 'failed' }));
  });

  it('a purchase that was never sent can fail, and is then not sent; it cannot succeed', async () => {
    const buyer = await openBuyer(database, 10_000n);
    const item = await buy(buyer, { mode: 'async' });
    await assert.rejects(settle(item, 'success'), refusedAct('order_not_sent'));
    await settle(item, 'failed');
    assert.equal(await outcomeOf(item), 'failed not_sent');
    assert.deepEqual(await moneyOf(database, buyer), { posted: 10_000n, held: 0n });
    const claimed = await database.transaction((tx) =>
      claimPurchases(tx, gatewayId, { limit: 50, leaseMs: 60_000 }),
    );
    assert.ok(!claimed.some(({ purchaseId }) => purchaseId === item.id));
  });

  it('owes the token of its product after a success, and not after a failure', async () => {
    const buyer = await openBuyer(database, 10_000n);
    const details = { goodsOwed: 'token' } as const;
    for (const end of ['success', 'failed'] as const) {
      const item = await buy(buyer, { details });
      await resolveWords(database, answer(buyer, item, 'unknown'));
      assert.equal((await settle(item, end)).tokenOwed, end === 'success');
    }
    const unknown = purchase(buyer, CHARGE);
    await assert.rejects(settle(unknown, 'failed'), refusedAct('no_purchase', { purchase: unknown.id }));
  });

  it('refuses while a live gateway may be sending, until it has answered or is dead', async () => {
    const buyer = await openBuyer(database, 10_000n);
    const [told, orphan] = [await buy(buyer), await buy(buyer)];
    await touchGateway(database, { id: gatewayId, role: 'all', host: 'h', pid: 1, providers: ['sandbox'] });
    for (const item of [told, orphan]) {
      await assert.rejects(settle(item, 'failed'), refusedAct('purchase_being_sent'));
    }
    await resolveWords(database, answer(buyer, told, 'unknown'));
    // A running query does not prevent settling it.
    await database.query(
      "update pending_purchases set owner = $1, due_at = now() + interval '1 minute' where purchase_id = $2",
      [gatewayId, told.id],
    );
    await settle(told, 'failed');
    await database.query("update gateways set seen_at = now() - interval '6 seconds'");
    await settle(orphan, 'failed');
    assert.deepEqual(await moneyOf(database, buyer), { posted: 10_000n, held: 0n });
  });
});

describe("the provider's own word", () => {
  it('a delivery contradicts a failure, unless it is overridden', async () => {
    const buyer = await openBuyer(database, 10_000n);
    const item = await buy(buyer);
    // Delivered, but not as ordered: the answer is a success that still waits.
    const effect = { kind: 'wait', dueMs: 60_000, flag: true } as const;
    await resolveWords(database, answer(buyer, item, 'success', { effect }));
    await assert.rejects(
      settle(item, 'failed'),
      refusedAct('provider_says_otherwise', { provider: 'sandbox', said: 'success' }),
    );
    assert.deepEqual(await moneyOf(database, buyer), { posted: 10_000n, held: CHARGE });
    await settle(item, 'failed', true);
    assert.equal(await outcomeOf(item), 'failed refused');
    assert.deepEqual(await moneyOf(database, buyer), { posted: 10_000n, held: 0n });
    assert.deepEqual(await lastAnswer(item), {
      source: 'operator',
      kind: 'failed',
      code: 'operator_override',
      message: 'ticket 4411',
    });
  });

  for (const said of ['failed', 'not_found'] as const) {
    it(`"${said}" contradicts a success, unless it is overridden`, async () => {
      const buyer = await openBuyer(database, 10_000n);
      const item = await buy(buyer);
      const effect = { kind: 'wait', dueMs: 60_000, flag: true } as const;
      await resolveWords(database, answer(buyer, item, 'accepted'));
      await resolveWords(database, answer(buyer, item, said, { source: 'query', effect }));
      await assert.rejects(settle(item, 'success'), refusedAct('provider_says_otherwise', { said }));
      await settle(item, 'success', true);
      assert.equal(await outcomeOf(item), 'success delivered');
    });
  }

  it('an unknown or accepted order contradicts nothing', async () => {
    const buyer = await openBuyer(database, 10_000n);
    for (const said of ['accepted', 'unknown'] as const) {
      for (const end of ['success', 'failed'] as const) {
        const item = await buy(buyer);
        await resolveWords(database, answer(buyer, item, said));
        await settle(item, end);
        assert.equal((await outcomeOf(item)).split(' ')[0], end);
      }
    }
  });
});

it('the first of an answer and a settlement ends the purchase', async () => {
  const buyer = await openBuyer(database, 1_000_000n);
  const before = await moneyOf(database, buyer);
  let successes = 0n;
  for (let round = 0; round < 12; round += 1) {
    const item = await buy(buyer);
    await resolveWords(database, answer(buyer, item, 'unknown'));
    const kinds = ['success', 'failed'] as const;
    const [settled, [word]] = await Promise.all([
      settle(item, round % 4 < 2 ? 'success' : 'failed').then(
        () => 'settled',
        (error: unknown) => {
          const isLate = refusedAct('purchase_final')(error);
          return isLate ? 'late' : '';
        },
      ),
      resolveWords(database, answer(buyer, item, kinds[round % 2] ?? 'success', { source: 'query' })),
    ]);
    const end = (await outcomeOf(item)).split(' ')[0];
    if (settled === 'late') assert.equal(word, `done ${end}`);
    else assert.match(String(word), /^(?:repeat|contradiction) /);
    if (end === 'success') successes += 1n;
    await database.query('update alarms set acknowledged_at = now() where purchase_id = $1', [item.id]);
  }
  const { posted, held } = await moneyOf(database, buyer);
  assert.deepEqual([before.posted - posted, held], [successes * CHARGE, 0n]);
});

it('one of two concurrent settlements takes effect', async () => {
  const buyer = await openBuyer(database, 10_000n);
  const item = await buy(buyer, { reference: newId() });
  await resolveWords(database, answer(buyer, item, 'unknown'));
  const ends = await Promise.allSettled([settle(item, 'success'), settle(item, 'failed')]);
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal((await moneyOf(database, buyer)).held, 0n);
});

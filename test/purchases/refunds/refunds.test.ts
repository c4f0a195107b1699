/**
 * Refunds of successful purchases: their amounts, wallets and accounts, and that concurrent refunds
 * never exceed the charge.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import { findPurchaseById } from '../../../src/purchases/history/purchase-store.ts';
import { postRefund, type RefundOrder } from '../../../src/purchases/refunds/post-refund.ts';
import { refusedAct } from '../../support/refusals.ts';
import {
  accept,
  answer,
  type Buyer,
  moneyOf,
  openAuditedDatabase,
  openBuyer,
  purchase,
  resolveWords,
} from '../fixture.ts';

const database = await openAuditedDatabase();

const CHARGE = 1_000n;
const COST = 970n;

async function buy(buyer: Buyer, end: 'success' | 'failed' | 'unknown'): Promise<AcceptItem> {
  const item = purchase(buyer, CHARGE);
  await accept(database, item);
  await resolveWords(database, answer(buyer, item, end, { cost: COST }));
  return item;
}

function giveBack(item: AcceptItem, kind: RefundOrder['kind'], amount: bigint | undefined) {
  const { merchantId, environment, id: purchaseId, reference } = item;
  const purchase = { merchantId, environment, purchaseId, reference };
  return database.transaction((tx) => postRefund(tx, { purchase, kind, amount, reason: 'a test' }, 'ada'));
}

/** The transfers of the purchase's refunds. */
async function movesOf({ id }: AcceptItem): Promise<string[]> {
  const rows = await database.query<{ move: string }>(
    `select t.code || ' ' || t.amount || ' ' || d.kind || '>' || c.kind as move
     from purchase_refunds r
     join transfers t
       on t.merchant_id = r.merchant_id
       and t.subject_id = r.refund_id
     join accounts d on d.id = t.debit_account_id
     join accounts c on c.id = t.credit_account_id
     where r.purchase_id = $1
     order by t.id`,
    [id],
  );
  return rows.map(({ move }) => move);
}

async function balanceOf(accountId: bigint): Promise<bigint> {
  const [row] = await database.query<{ balance: bigint }>(
    `select coalesce(sum(case credit_account_id when $1 then amount else -amount end), 0)::bigint as balance
     from transfers
     where $1 in (debit_account_id, credit_account_id)`,
    [accountId],
  );
  return row?.balance ?? 0n;
}

describe('a refund', () => {
  it('refunds to the wallet in parts up to the charge, and the purchase shows the total', async () => {
    const buyer = await openBuyer(database, 10_000n);
    const item = await buy(buyer, 'success');
    const { merchantId, environment, id } = item;
    const shown = () => findPurchaseById(database, merchantId, environment, id);
    assert.equal((await shown())?.refunded, undefined);
    assert.equal((await giveBack(item, 'merchant', 400n)).refunded, 400n);
    await assert.rejects(
      giveBack(item, 'merchant', 601n),
      refusedAct('refund_too_large', { amount: 601n, left: 600n, paid: CHARGE }),
    );
    assert.equal((await giveBack(item, 'merchant', undefined)).amount, 600n);
    await assert.rejects(
      giveBack(item, 'merchant', undefined),
      refusedAct('nothing_to_refund', { refunded: CHARGE }),
    );
    assert.deepEqual(await moneyOf(database, buyer), { posted: 10_000n, held: 0n });
    assert.deepEqual(await movesOf(item), ['refund 400 revenue>wallet', 'refund 600 revenue>wallet']);
    assert.deepEqual([(await shown())?.refunded, (await shown())?.status], [CHARGE, 'success']);
  });

  it('books a provider’s refund on the float up to the cost, and the merchant gets none of it', async () => {
    const buyer = await openBuyer(database, 10_000n);
    const before = [await balanceOf(buyer.floatId), await balanceOf(buyer.revenueId)];
    const item = await buy(buyer, 'success');
    await assert.rejects(
      giveBack(item, 'provider', COST + 1n),
      refusedAct('refund_too_large', { left: COST }),
    );
    await giveBack(item, 'provider', undefined);
    assert.equal((await moneyOf(database, buyer)).posted, 9_000n);
    assert.deepEqual(await movesOf(item), [`provider_refund ${COST} float>revenue`]);
    await giveBack(item, 'merchant', undefined);
    const now = [await balanceOf(buyer.floatId), await balanceOf(buyer.revenueId)];
    assert.deepEqual(now, before, 'all of it was undone');
  });

  for (const [end, status] of [
    ['failed', 'failed'],
    ['unknown', 'pending'],
  ] as const) {
    it(`refuses a refund of a purchase that is ${status}`, async () => {
      const buyer = await openBuyer(database, 10_000n);
      const item = await buy(buyer, end);
      const money = await moneyOf(database, buyer);
      for (const kind of ['merchant', 'provider'] as const) {
        await assert.rejects(giveBack(item, kind, 1n), refusedAct('refund_of_unsuccessful', { status }));
      }
      assert.deepEqual(await moneyOf(database, buyer), money);
      assert.deepEqual(await movesOf(item), []);
    });
  }

  it('never exceeds the charge, however many refunds run at once', async () => {
    const buyer = await openBuyer(database, 10_000n);
    const item = await buy(buyer, 'success');
    const each = Array.from({ length: 8 }, () => giveBack(item, 'merchant', 300n));
    const all = Array.from({ length: 3 }, () => giveBack(item, 'provider', undefined));
    const given = await Promise.allSettled([...each, ...all]);
    const done = (from: number, to: number): number =>
      given.slice(from, to).filter(({ status }) => status === 'fulfilled').length;
    assert.deepEqual([done(0, 8), done(8, 11)], [3, 1]);
    assert.equal((await moneyOf(database, buyer)).posted, 9_900n);
  });
});

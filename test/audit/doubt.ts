/**
 * Purchases that people settled, refunds of both kinds, and movements at a provider without a
 * purchase: data for tests of the audit.
 */
import type { Database } from '../../src/db/database.ts';
import { bookMovement } from '../../src/finance/floats/operations/book-float.ts';
import { postRefund } from '../../src/purchases/refunds/post-refund.ts';
import { settlePurchase } from '../../src/purchases/unresolved/operations/settle-purchase.ts';
import { answer, buy, delivered, type Shop } from './fixture.ts';

/** The ids of the purchases, by the name of their state. */
export async function makeDoubt(database: Database, shop: Shop): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  const make = async (name: string, mode: 'sync' | 'async' = 'sync'): Promise<string> => {
    const id = await buy(database, shop, name, { mode });
    made.set(name, id);
    return id;
  };
  const settle = (purchaseId: string, status: 'success' | 'failed', override = false) =>
    database.transaction((tx) =>
      settlePurchase(
        tx,
        { seal: () => 'k:' },
        { merchantId: shop.merchantId, environment: 'live', purchaseId },
        { status, evidence: 'ticket 4411', override },
        'obi',
      ),
    );
  await settle(await make('settled'), 'success');
  await settle(await make('settled_unsent', 'async'), 'failed');
  const overridden = await make('overridden');
  await answer(database, shop, overridden, 'success', { kind: 'wait', dueMs: 60_000, flag: false });
  await settle(overridden, 'failed', true);
  const refunded = await make('refunded');
  await answer(database, shop, refunded, 'success', delivered(shop, 9_700n));
  const purchase = {
    merchantId: shop.merchantId,
    environment: 'live',
    purchaseId: refunded,
    reference: 'r-refunded',
  } as const;
  // One that a voucher paid: the wallet gets it.
  const [order] = await database.query<{ id: string }>(
    "select id from purchases where reference = 'esim-redeemed'",
  );
  for (const [kind, amount] of [
    ['merchant', 5_000n],
    ['merchant', 1_000n],
    ['provider', 9_700n],
  ] as const) {
    await database.transaction((tx) => postRefund(tx, { purchase, kind, amount, reason: 'a test' }, 'obi'));
  }
  if (order !== undefined) {
    const voucherPaid = { ...purchase, purchaseId: order.id, reference: 'esim-redeemed' };
    await database.transaction((tx) =>
      postRefund(tx, { purchase: voucherPaid, kind: 'merchant', amount: undefined, reason: 'a test' }, 'obi'),
    );
  }
  const movement = {
    provider: 'sandbox',
    environment: 'live',
    foreign: undefined,
    bank: undefined,
    reason: 'a test',
    movedAt: new Date(),
  } as const;
  await database.transaction(async (tx) => {
    const topUp = { ...movement, kind: 'top_up', amount: 50_000n, reference: 'f1' } as const;
    await bookMovement(tx, topUp, 'obi');
    await bookMovement(tx, { ...topUp, reference: 'f2', bank: 'sandbox' }, 'obi');
    await bookMovement(tx, { ...movement, kind: 'charge', amount: 100n, reference: undefined }, 'obi');
  });
  return made;
}

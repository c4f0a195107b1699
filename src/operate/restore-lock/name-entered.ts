/**
 * Gives a purchase that was entered from a provider's list the reference of its merchant, once the
 * merchant has said it. From then on it is found as any other, and its reference is not sold again.
 */

import type { Database } from '../../db/database.ts';
import { type EnteredKey, lockNameless, renamePurchase } from '../../finance/reconciliation/entered-store.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { lockWalletOfPurchase } from '../../wallet/wallet-store.ts';

/** Any number of processes may do it at once. */
export async function nameEntered(database: Database, key: EnteredKey, reference: string): Promise<void> {
  await database.transaction(async (tx) => {
    const { merchantId, environment } = key;
    const purchaseId = await lockNameless(tx, key);
    if (purchaseId === undefined) return;
    const purchase = { merchantId, environment, purchaseId, reference };
    // Purchases of the merchant pass this lock: meanwhile none is stored under the reference.
    await lockWalletOfPurchase(tx, purchase);
    const before = await renamePurchase(tx, purchase);
    if (before === undefined) return;
    await recordOperation(tx, {
      actor: 'oja',
      action: 'finding.name',
      subject: `purchase:${purchaseId}`,
      before: { reference: before },
      after: { reference },
    });
  });
}

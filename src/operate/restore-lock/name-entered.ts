/**
 * Gives a purchase that was entered from a provider's list the reference of its merchant, once the
 * merchant has said it. From then on it is found as any other, and its reference is not sold again.
 */
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { Database } from '../../db/database.ts';
import { type EnteredKey, lockNameless, renameVend } from '../../finance/reconciliation/entered-store.ts';
import { lockWalletOfVend } from '../../wallet/wallet-store.ts';

/** Any number of processes may do it at once. */
export async function nameEntered(database: Database, key: EnteredKey, reference: string): Promise<void> {
  await database.transaction(async (tx) => {
    const { merchantId, environment } = key;
    const vendId = await lockNameless(tx, key);
    if (vendId === undefined) return;
    const vend = { merchantId, environment, vendId, reference };
    // Purchases of the merchant pass this lock: meanwhile none is stored under the reference.
    await lockWalletOfVend(tx, vend);
    const before = await renameVend(tx, vend);
    if (before === undefined) return;
    await recordOperation(tx, {
      actor: 'oja',
      action: 'finding.name',
      subject: `vend:${vendId}`,
      before: { reference: before },
      after: { reference },
    });
  });
}

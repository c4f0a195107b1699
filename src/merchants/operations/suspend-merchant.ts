/**
 * Suspends a merchant at once, whatever credential it uses, or lets it in again. Pending vends are
 * finished in any case.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import { updateDisabled } from '../merchant-store.ts';
import { requireMerchant } from '../require-merchant.ts';

/** Throws OperationError `no_merchant`. `changed` is false when it was so already. */
export async function setSuspended(
  tx: Tx,
  change: { readonly merchantCode: string; readonly suspended: boolean },
  actor: ActorOrName,
): Promise<{ readonly changed: boolean }> {
  const { suspended } = change;
  const merchant = await requireMerchant(tx, change.merchantCode);
  const changed = (merchant.disabled_at !== null) !== suspended;
  if (changed) {
    await updateDisabled(tx, merchant.id, suspended);
    await recordOperation(tx, {
      actor,
      action: suspended ? 'merchant.suspend' : 'merchant.resume',
      subject: `merchant:${merchant.code}`,
      before: { suspended: !suspended },
      after: { suspended },
    });
    await announceChange(tx, 'merchants');
  }
  return { changed };
}

/**
 * Suspends a merchant with all its credentials, or resumes it. Pending purchases are finished in
 * any case.
 */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { defineOperation, supportersAndTreasurers } from '../../core/operation.ts';
import { inputOf, merchantField, oneOf } from '../../core/operation-fields.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { updateDisabled } from '../merchant-store.ts';
import { requireMerchant } from '../require-merchant.ts';

/** Throws OperationError `no_merchant`. `changed` is false if it already was in that state. */
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

function suspension(suspended: boolean) {
  const state = suspended ? ('suspended' as const) : ('active' as const);
  return defineOperation({
    name: suspended ? 'merchant.suspend' : 'merchant.resume',
    kind: 'act',
    summary: suspended
      ? 'suspend a merchant immediately: new purchases are refused, lookups work, and pending purchases are finished'
      : 'resume a suspended merchant',
    roles: supportersAndTreasurers,
    route: suspended ? 'POST /merchants/{merchant}/suspend' : 'POST /merchants/{merchant}/resume',
    document: 'operators/merchants.md',
    input: inputOf({ merchant: merchantField }),
    output: Type.Object({
      merchant: Type.String(),
      state: oneOf(['active', 'suspended']),
      changed: Type.Boolean(),
    }),
    run: async ({ tx, actor }: Acting, { merchant }) => {
      const { changed } = await setSuspended(tx, { merchantCode: merchant, suspended }, actor);
      return { merchant, state, changed };
    },
  });
}

export const suspensionOperations = [suspension(true), suspension(false)] as const;

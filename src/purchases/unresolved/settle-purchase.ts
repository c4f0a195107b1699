/**
 * Ends a pending purchase by the report of its provider's support: success, and its money is taken,
 * or failed, and the money is returned. Guarantees: it takes effect like any answer, through
 * resolve, and so once, whatever the provider answers at the same moment. The provider's own answer
 * prevails over a person, unless two people override it. The evidence is stored with it. A purchase
 * that a gateway may be sending is not changed. A purchase that was never sent can only fail.
 */

import type { ActorOrName } from '../../core/actor.ts';
import { OperationError } from '../../core/errors.ts';
import { isSealed } from '../../core/products/registry.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { deliveredEffect, settleVoucher } from '../engine/resolve-purchase.ts';
import type { ResolveEffect } from '../engine/resolve-store.ts';
import { deliveredOf, resolveByHand, settlerOf } from '../goods/resolve-by-hand.ts';
import { lockPurchaseToSettle, type PurchaseToSettle } from '../goods/settle-store.ts';
import { operatorCode, overrideCode } from '../state/operator-word.ts';
import { overrideEvidence, type PurchaseKey, readProvidersWord } from './unresolved-store.ts';

export type Settlement = {
  readonly status: 'success' | 'failed';
  /** The source of the report, and where it can be looked up. */
  readonly evidence: string;
  /** For a success: the provider's charge, if known. */
  readonly cost?: bigint | undefined;
  /** Also against the provider's own word. */
  readonly override: boolean;
};

/** The attempt that the report is about: the last one. */
type Spoken = { readonly attempt: number; readonly provider: string; readonly isUnsent: boolean };

/** A missing token is queried automatically, and can be added. */
const ASK_AFTER_MS = 5_000;

/** `tokenOwed`: the product brings a token, which is still missing. */
export async function settlePurchase(
  tx: Tx,
  sealer: Pick<Sealer, 'seal'>,
  purchase: PurchaseKey,
  settlement: Settlement,
  actor: ActorOrName,
): Promise<{ readonly tokenOwed: boolean; readonly provider: string }> {
  const { status, evidence, cost, override } = settlement;
  const found = await lockPurchaseToSettle(tx, purchase);
  if (found === undefined) throw new OperationError({ code: 'no_purchase', purchase: purchase.purchaseId });
  const spoken = judge(found, status);
  const { attempt, provider, isUnsent } = spoken;
  const isOverridden = await isAgainstProvider(tx, purchase, spoken, settlement);
  if (isOverridden) await overrideEvidence(tx, purchase);
  const settler = await settlerOf(tx, sealer, purchase, provider);
  const delivered = deliveredOf(purchase, found, provider);
  const tokenOwed = status === 'success' && found.details?.goodsOwed === 'token';
  const success = (): ResolveEffect => ({
    ...deliveredEffect(settler, delivered, { cost, goods: undefined }),
    ...(tokenOwed && { goodsDueMs: ASK_AFTER_MS }),
  });
  const failure = (): ResolveEffect => ({
    kind: 'fail',
    reason: isUnsent ? 'not_sent' : 'refused',
    telcoMessage: undefined,
    voucher: settleVoucher(settler, delivered, 'failed'),
  });
  await resolveByHand(tx, purchase, found, {
    attempt,
    provider,
    kind: status === 'success' ? 'success' : isUnsent ? 'not_sent' : 'failed',
    code: isOverridden ? overrideCode : operatorCode,
    message: evidence,
    effect: status === 'success' ? success() : failure(),
  });
  await recordOperation(tx, {
    actor,
    action: 'purchase.settle',
    subject: `purchase:${purchase.purchaseId}`,
    before: { status: 'pending' },
    after: { status, provider, evidence, ...(override && { overridden: isOverridden }) },
  });
  return { tokenOwed, provider };
}

function judge(found: PurchaseToSettle, status: Settlement['status']): Spoken {
  const { attempt, provider, step, product, route } = found;
  if (found.status !== null) throw new OperationError({ code: 'purchase_final', status: found.status });
  if (found.being_sent) throw new OperationError({ code: 'purchase_being_sent' });
  const isSent = attempt !== null && provider !== null;
  if (status === 'success') {
    if (!isSent || step === 'send') throw new OperationError({ code: 'order_not_sent' });
    if (isSealed(product)) throw new OperationError({ code: 'goods_are_sealed' });
  }
  return isSent
    ? { attempt, provider, isUnsent: false }
    : { attempt: 0, provider: route.split(',')[0] ?? '', isUnsent: true };
}

/**
 * Throws OperationError `provider_says_otherwise` if it contradicts the provider and may not
 * override it.
 */
async function isAgainstProvider(
  tx: Tx,
  purchase: PurchaseKey,
  { attempt, provider }: Spoken,
  { status, override }: Settlement,
): Promise<boolean> {
  const { delivered, refused } = await readProvidersWord(tx, purchase, attempt);
  if (status === 'failed' && delivered !== null) {
    if (override) return true;
    throw new OperationError({ code: 'provider_says_otherwise', provider: delivered, said: 'success' });
  }
  if (status === 'success' && delivered === null && refused !== null) {
    if (override) return true;
    throw new OperationError({ code: 'provider_says_otherwise', provider, said: refused });
  }
  return false;
}

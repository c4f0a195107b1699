/**
 * Ends a pending purchase that was flagged for a person, by what its provider's support told the
 * operator: delivered, and its money is taken, or refused, and the money goes back.
 *
 * It takes effect as any answer does, through resolve. So it happens once, and money never goes
 * back where a provider said that it delivered: such a purchase is settled as delivered, and what
 * the customer did not get is given back by a correction of the wallet.
 */

import { recordOperation } from '../../../audit-log/audit-log-store.ts';
import type { Tx } from '../../../db/database.ts';
import type { ActorOrName } from '../../../kernel/actor.ts';
import { OperationError } from '../../../kernel/errors.ts';
import type { Sealer } from '../../../kernel/sealing.ts';
import { isSealed } from '../../../products/registry.ts';
import { deliveredEffect, settleVoucher } from '../../path/resolve-vend.ts';
import { deliveredOf, resolveByHand, settlerOf } from '../resolve-by-hand.ts';
import { lockVendToSettle, type VendKey, type VendToSettle } from '../settle-store.ts';

/** `force`: also where nobody was told of the purchase yet. */
export type Settlement = { readonly force: boolean } & (
  | { readonly as: 'refused' }
  /** `cost`: what the provider took, where the operator knows it. */
  | { readonly as: 'delivered'; readonly cost: bigint | undefined }
);

/** A token that it owes is asked for by itself, and can be added. */
const ASK_AFTER_MS = 5_000;

/**
 * `tokenOwed`: it brings a token, which is not there yet. Throws OperationError where it is not a
 * person's to decide.
 */
export async function settleVend(
  tx: Tx,
  sealer: Pick<Sealer, 'seal'>,
  vend: VendKey,
  settlement: Settlement,
  actor: ActorOrName,
): Promise<{ readonly tokenOwed: boolean }> {
  const found = await lockVendToSettle(tx, vend);
  if (found === undefined) throw new OperationError({ code: 'no_purchase', purchase: vend.vendId });
  const { attempt, provider } = judge(found, settlement.force);
  if (settlement.as === 'delivered' && isSealed(found.product)) {
    throw new OperationError({ code: 'goods_are_sealed' });
  }
  const settler = await settlerOf(tx, sealer, vend, provider);
  const delivered = deliveredOf(vend, found, provider);
  const tokenOwed = settlement.as === 'delivered' && found.details?.goodsOwed === 'token';
  const message = `settled as ${settlement.as}, as its support said`;
  if (settlement.as === 'delivered') {
    const effect = deliveredEffect(settler, delivered, { cost: settlement.cost, goods: undefined });
    await resolveByHand(tx, vend, found, {
      attempt,
      provider,
      kind: 'success',
      message,
      effect: tokenOwed ? { ...effect, goodsDueMs: ASK_AFTER_MS } : effect,
    });
  } else {
    const voucher = settleVoucher(settler, delivered, 'failed');
    await resolveByHand(tx, vend, found, {
      attempt,
      provider,
      kind: 'failed',
      message,
      effect: { kind: 'fail', reason: 'refused', telcoMessage: undefined, voucher },
    });
  }
  await recordOperation(tx, {
    actor,
    action: 'vend.settle',
    subject: `vend:${vend.vendId}`,
    before: { status: 'pending' },
    after: { status: settlement.as === 'delivered' ? 'success' : 'failed', provider },
  });
  return { tokenOwed };
}

/** The attempt that the provider's support spoke of: the last. */
function judge(
  { status, flagged, step, attempt, provider }: VendToSettle,
  force: boolean,
): { readonly attempt: number; readonly provider: string } {
  if (status !== null) throw new OperationError({ code: 'purchase_final', status });
  if (!flagged && !force) throw new OperationError({ code: 'purchase_not_flagged' });
  if (attempt === null || provider === null || step === 'send') {
    throw new OperationError({ code: 'order_not_sent' });
  }
  return { attempt, provider };
}

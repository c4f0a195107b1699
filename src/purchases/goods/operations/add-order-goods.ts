/**
 * Settles an order, or another purchase with sealed goods, with goods from the provider's support:
 * seals them, shows them to the merchant, and sends them to the customer if the order requests it.
 * A pending purchase becomes a success, and its money is posted. It takes effect through resolve,
 * like any answer. So it happens once, whatever the provider answers at the same moment, and goods
 * that are already stored stay.
 */

import { Type } from 'typebox';
import type { ActorOrName } from '../../../core/actor.ts';
import { invariant, OperationError } from '../../../core/errors.ts';
import { defineOperation, supporters } from '../../../core/operation.ts';
import { inputOf } from '../../../core/operation-fields.ts';
import { isSealed } from '../../../core/products/registry.ts';
import type { Sealer } from '../../../core/sealing.ts';
import type { Tx } from '../../../db/database.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { deliveredEffect } from '../../engine/resolve-purchase.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import { readGoods } from '../read-goods.ts';
import { deliveredOf, resolveByHand, settlerOf } from '../resolve-by-hand.ts';
import { lockPurchaseToSettle, type PurchaseKey, type PurchaseToSettle } from '../settle-store.ts';

/**
 * `typed` is what the operator entered. Returns the names of the goods, and whether the purchase
 * was pending until now. Throws OperationError if the purchase takes no goods, or not these.
 */
async function addOrderGoods(
  tx: Tx,
  sealer: Pick<Sealer, 'seal'>,
  purchase: PurchaseKey,
  typed: unknown,
  actor: ActorOrName,
): Promise<{ readonly brought: readonly string[]; readonly wasPending: boolean }> {
  const found = await lockPurchaseToSettle(tx, purchase);
  if (found === undefined) throw new OperationError({ code: 'no_purchase', purchase: purchase.purchaseId });
  const { attempt, provider } = judge(found);
  const details = found.details ?? undefined;
  const wanted = details?.goodsOwed;
  invariant(wanted !== undefined && wanted !== 'token', 'what is sealed is owed by its own name');
  const quantity = details?.item?.quantity ?? 1;
  const goods = readGoods(typed, wanted, quantity);
  if (goods === undefined) throw new OperationError({ code: 'goods_malformed', wanted, quantity });
  const said = { goods };
  const effect = deliveredEffect(
    await settlerOf(tx, sealer, purchase, provider),
    deliveredOf(purchase, found, provider),
    said,
  );
  await resolveByHand(tx, purchase, found, {
    attempt,
    provider,
    kind: 'success',
    message: 'with the goods that its support named',
    effect,
  });
  const wasPending = found.status === null;
  const brought = Object.keys(goods);
  await recordOperation(tx, {
    actor,
    action: 'order.goods',
    subject: `purchase:${purchase.purchaseId}`,
    before: { status: found.status ?? 'pending' },
    // The values belong to the customer, so only the names are returned.
    after: { status: 'success', brought },
  });
  return { brought, wasPending };
}

/** The attempt that is assumed to have delivered. */
function judge(found: PurchaseToSettle): { readonly attempt: number; readonly provider: string } {
  if (!isSealed(found.product)) throw new OperationError({ code: 'goods_not_sealed' });
  if (found.status === 'failed') throw new OperationError({ code: 'order_failed_finally' });
  if (found.status === 'success' && !found.owes) throw new OperationError({ code: 'goods_there' });
  const { attempt, provider, step } = found;
  if (attempt === null || provider === null || step === 'send') {
    throw new OperationError({ code: 'order_not_sent' });
  }
  return { attempt, provider };
}

type Needs = Acting & { readonly sealer: () => Promise<Pick<Sealer, 'seal'>> };

/** It takes no key, because goods can be added once only. */
export const addOrderGoodsOperation = defineOperation({
  name: 'order.goods',
  kind: 'act',
  summary:
    "add the cards, PINs or eSIM that the provider's support sent for an order: encrypted, shown to the " +
    'merchant, sent to the customer; a pending order becomes a success; goods cannot be changed later',
  roles: supporters,
  route: 'POST /orders/{reference}/goods',
  document: 'operators/unresolved.md',
  input: inputOf({
    ...purchaseFields,
    goods: Type.Object(
      {},
      {
        description:
          'JSON such as {"cards":[{"card_number":"…","pin":"…"}]}, {"pins":[{"serial":"…","pin":"…"}]} or {"iccid":"…","lpa":"LPA:1$…$…"}',
        additionalProperties: true,
      },
    ),
  }),
  output: Type.Object({
    id: Type.String(),
    reference: Type.String(),
    brought: Type.Array(Type.String()),
    was_pending: Type.Boolean(),
  }),
  run: async ({ tx, actor, sealer }: Needs, { goods, ...named }) => {
    const { id, reference, environment, merchant_id: merchantId } = await requirePurchase(tx, named);
    const purchase = { merchantId, environment, purchaseId: id };
    const { brought, wasPending } = await addOrderGoods(tx, await sealer(), purchase, goods, actor);
    return { id, reference, brought: [...brought], was_pending: wasPending };
  },
});

/**
 * Adds the token that a provider owed and the operator learnt from its support: they appear in the
 * vend's status like any that came late.
 *
 * Only what is missing is added, once, and it never changes afterwards. No money moves.
 */

import { recordOperation } from '../../../audit-log/audit-log-store.ts';
import type { Tx } from '../../../db/database.ts';
import type { ActorOrName } from '../../../kernel/actor.ts';
import { OperationError } from '../../../kernel/errors.ts';
import { isSealed } from '../../../products/registry.ts';
import type { Goods } from '../../../providers/provider.ts';
import { findGoodsState, insertLateGoods } from '../late-goods-store.ts';

/** Throws OperationError: `no_purchase`, or where the vend owes nothing. */
export async function addGoods(
  tx: Tx,
  vend: { readonly merchantId: number; readonly vendId: string },
  goods: Goods,
  actor: ActorOrName,
): Promise<void> {
  const state = await findGoodsState(tx, vend);
  if (state === undefined) throw new OperationError({ code: 'no_purchase', purchase: vend.vendId });
  if (state.status !== 'success') {
    throw new OperationError({ code: 'purchase_not_delivered', status: state.status ?? 'pending' });
  }
  if (isSealed(state.product)) throw new OperationError({ code: 'goods_are_sealed' });
  if (!state.owed) throw new OperationError({ code: 'no_token_owed' });
  const isAdded = !state.has_goods && (await insertLateGoods(tx, vend, goods));
  if (!isAdded) throw new OperationError({ code: 'token_there' });
  await recordOperation(tx, {
    actor,
    action: 'vend.goods',
    subject: `vend:${vend.vendId}`,
    // What they are belongs to the customer: which ones came is enough here.
    after: { brought: Object.keys(goods) },
  });
}

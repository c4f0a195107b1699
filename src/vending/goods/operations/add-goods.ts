/**
 * Adds goods that a provider owed and the operator learnt from its support: they appear in the
 * vend's status like any that came late.
 *
 * Only what is missing is added, once, and it never changes afterwards. No money moves.
 */

import { recordOperation } from '../../../audit-log/audit-log-store.ts';
import type { Tx } from '../../../db/database.ts';
import { GatewayError } from '../../../kernel/errors.ts';
import type { Goods } from '../../../providers/provider.ts';
import { findGoodsState, insertLateGoods } from '../late-goods-store.ts';

/** Throws GatewayError `not_found`, or `invalid` when the vend owes nothing. */
export async function addGoods(
  tx: Tx,
  vend: { readonly merchantId: number; readonly vendId: string },
  goods: Goods,
  actor: string,
): Promise<void> {
  const state = await findGoodsState(tx, vend);
  if (state === undefined) throw new GatewayError('not_found', `there is no purchase ${vend.vendId}`);
  if (state.status !== 'success') {
    throw new GatewayError(
      'invalid',
      `the purchase is ${state.status ?? 'pending'}: only a success has goods`,
    );
  }
  if (!state.owed) throw new GatewayError('invalid', 'the purchase owes no token');
  const isAdded = !state.has_goods && (await insertLateGoods(tx, vend, goods));
  if (!isAdded) throw new GatewayError('invalid', 'the purchase has its token already: it is not changed');
  await recordOperation(tx, {
    actor,
    action: 'vend.goods',
    subject: `vend:${vend.vendId}`,
    // What they are belongs to the customer: which ones came is enough here.
    after: { brought: Object.keys(goods) },
  });
}

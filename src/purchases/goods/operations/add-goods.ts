/**
 * Adds a missing token that the operator got from the provider's support. It appears in the
 * purchase like any token that comes late. Only missing goods are added, once, and they do not
 * change afterwards. No money moves.
 */

import { Type } from 'typebox';
import type { ActorOrName } from '../../../core/actor.ts';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, supporters } from '../../../core/operation.ts';
import { inputOf } from '../../../core/operation-fields.ts';
import { isSealed } from '../../../core/products/registry.ts';
import type { Tx } from '../../../db/database.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import type { Goods } from '../../../providers/provider.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import { findGoodsState, insertPendingFulfilment } from '../pending-fulfilment-store.ts';

/** Throws OperationError: `no_purchase`, or an error that reports that no goods are missing. */
async function addGoods(
  tx: Tx,
  purchase: { readonly merchantId: number; readonly purchaseId: string },
  goods: Goods,
  actor: ActorOrName,
): Promise<void> {
  const state = await findGoodsState(tx, purchase);
  if (state === undefined) throw new OperationError({ code: 'no_purchase', purchase: purchase.purchaseId });
  if (state.status !== 'success') {
    throw new OperationError({ code: 'purchase_not_delivered', status: state.status ?? 'pending' });
  }
  if (isSealed(state.product)) throw new OperationError({ code: 'goods_are_sealed' });
  if (!state.owed) throw new OperationError({ code: 'no_token_owed' });
  const isAdded = !state.has_goods && (await insertPendingFulfilment(tx, purchase, goods));
  if (!isAdded) throw new OperationError({ code: 'token_there' });
  await recordOperation(tx, {
    actor,
    action: 'purchase.goods',
    subject: `purchase:${purchase.purchaseId}`,
    // The values belong to the customer, so only the names are returned.
    after: { brought: Object.keys(goods) },
  });
}

function tokenField(what: string) {
  return Type.String({
    description: `20 digits, in groups or not: ${what}`,
    pattern: '^[ -]*(?:[0-9][ -]*){20}$',
    maxLength: 60,
  });
}

export const addGoodsOperation = defineOperation({
  name: 'purchase.goods',
  kind: 'act',
  summary: "add the token from the provider's support to a success that lacks it; it cannot be changed later",
  roles: supporters,
  route: 'POST /purchases/{reference}/goods',
  document: 'operators/unresolved.md',
  input: inputOf({
    ...purchaseFields,
    token: tokenField('the recharge token'),
    units: Type.Optional(
      Type.String({
        description: 'the units of the token in kWh, such as 23.8',
        pattern: '^[0-9]{1,7}(?:\\.[0-9]{1,4})?$',
      }),
    ),
    bonus_token: Type.Optional(tokenField('the bonus token of the company, if there is one')),
    kct1: Type.Optional(tokenField('the first key change token, if there is one')),
    kct2: Type.Optional(tokenField('the second key change token')),
  }),
  output: Type.Object({ id: Type.String(), reference: Type.String(), brought: Type.Array(Type.String()) }),
  run: async ({ tx, actor }: Acting, input) => {
    const { id, reference, merchant_id: merchantId } = await requirePurchase(tx, input);
    const { token, units, bonus_token: bonusToken, kct1, kct2 } = input;
    const goods = {
      token: digitsOf(token),
      ...(units && { units }),
      ...(bonusToken && { bonus_token: digitsOf(bonusToken) }),
      ...(kct1 && { kct1: digitsOf(kct1) }),
      ...(kct2 && { kct2: digitsOf(kct2) }),
    };
    await addGoods(tx, { merchantId, purchaseId: id }, goods, actor);
    return { id, reference, brought: Object.keys(goods) };
  },
});

function digitsOf(token: string): string {
  return token.replaceAll(/[ -]/g, '');
}

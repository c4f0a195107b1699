/** Opens the goods of a purchase for an operator, and records it in the audit log. */
import { Type } from 'typebox';
import { OperationError } from '../../../core/errors.ts';
import { nullable } from '../../../core/nullable.ts';
import { defineOperation, supporters } from '../../../core/operation.ts';
import { inputOf } from '../../../core/operation-fields.ts';
import { isSealed } from '../../../core/products/registry.ts';
import type { Sealer } from '../../../core/sealing.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { openGoods } from '../../engine/sealed-goods.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';

type Needs = Acting & { readonly sealer: () => Promise<Pick<Sealer, 'open'>> };

export const revealGoodsOperation = defineOperation({
  name: 'purchase.reveal_goods',
  kind: 'act',
  summary: 'show the cards, PINs or eSIM of a purchase; recorded in the audit log',
  roles: supporters,
  route: 'POST /purchases/{reference}/reveal',
  document: 'operators/unresolved.md',
  showsSecret: true,
  input: inputOf(purchaseFields),
  output: Type.Object({
    id: Type.String(),
    reference: Type.String(),
    /** Null if there are none, or no key opens them. */
    goods: nullable(Type.Record(Type.String(), Type.Unknown())),
  }),
  run: async ({ tx, actor, sealer }: Needs, named) => {
    const { id, reference, product, merchant_id: merchantId } = await requirePurchase(tx, named);
    if (!isSealed(product)) throw new OperationError({ code: 'goods_not_sealed' });
    const keys = await sealer();
    await recordOperation(tx, { actor, action: 'purchase.reveal_goods', subject: `purchase:${id}` });
    const purchase = { merchantId, purchaseId: id };
    const goods = await openGoods(tx, (place, sealed) => keys.open(place, sealed), purchase);
    return { id, reference, goods: goods === undefined ? null : { ...goods } };
  },
});

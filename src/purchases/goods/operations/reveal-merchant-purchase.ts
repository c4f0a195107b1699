/**
 * Shows the goods of a purchase (a token, cards, PINs or an eSIM) to a user of its merchant, and
 * records it in the audit log.
 */
import { Type } from 'typebox';
import { invariant } from '../../../core/errors.ts';
import { nullable } from '../../../core/nullable.ts';
import { defineOperation, supporters } from '../../../core/operation.ts';
import { inputOf, merchantField } from '../../../core/operation-fields.ts';
import type { Sealer } from '../../../core/sealing.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import { findPurchaseById } from '../../history/purchase-store.ts';
import { visibleGoods } from '../../state/visible-goods.ts';
import { openPurchase } from '../open-purchase.ts';

type Needs = Acting & { readonly sealer: () => Promise<Pick<Sealer, 'open'>> };

export const revealMerchantPurchaseOperation = defineOperation({
  name: 'merchant_purchase.reveal',
  kind: 'act',
  summary: "show the goods of a merchant's purchase, such as its token; recorded in the audit log",
  roles: supporters,
  portal: { roles: ['finance', 'developer'] },
  route: 'POST /merchants/{merchant}/purchases/{reference}/reveal',
  document: 'operators/merchants.md',
  showsSecret: true,
  input: inputOf({ ...purchaseFields, merchant: merchantField }),
  output: Type.Object({
    id: Type.String(),
    reference: Type.String(),
    /** Null if it has no goods, or none yet. */
    goods: nullable(Type.Record(Type.String(), Type.Unknown())),
  }),
  run: async ({ tx, actor, sealer: openSealer }: Needs, named) => {
    const sealer = await openSealer();
    const { id, reference, merchant_id: merchantId, environment } = await requirePurchase(tx, named);
    const purchase = await findPurchaseById(tx, merchantId, environment, id);
    invariant(purchase !== undefined, 'a purchase that was found is there');
    await recordOperation(tx, { actor, action: 'merchant_purchase.reveal', subject: `purchase:${id}` });
    const goods = visibleGoods((await openPurchase({ sql: tx, sealer }, purchase)).goods);
    return { id, reference, goods: Object.keys(goods).length === 0 ? null : goods };
  },
});

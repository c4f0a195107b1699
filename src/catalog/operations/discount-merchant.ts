/** Sets and removes discounts of networks, by any name of one, which needs the catalog. */
import { Type } from 'typebox';
import { invariant } from '../../core/errors.ts';
import { parsePercent, percentText } from '../../core/money.ts';
import { defineOperation, treasurers } from '../../core/operation.ts';
import {
  forcedOutput,
  forceField,
  giftOfForced,
  inputOf,
  merchantField,
  oneOf,
  percentField,
  text,
} from '../../core/operation-fields.ts';
import { planKinds } from '../../core/products/plan-kind.ts';
import { products } from '../../core/products/product.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { findKind, requireKind } from '../find-kind.ts';
import { findNetwork } from '../find-network.ts';
import { removeDiscount, setDiscount } from './set-discount.ts';

const setDiscountOperation = defineOperation({
  name: 'merchant.set_discount',
  kind: 'act',
  summary: "set a merchant's discount on the face value, in test and live",
  roles: treasurers,
  route: 'PUT /merchants/{merchant}/discounts/{product}/{network}',
  document: 'operators/merchants.md',
  input: inputOf({
    merchant: merchantField,
    product: oneOf(products),
    network: text('MTN, GLO, AIRTEL, 9MOBILE or a biller'),
    kind: Type.Optional(
      oneOf(planKinds, {
        description: 'a kind of data plans or of airtime, whose discount replaces that of the network',
      }),
    ),
    discount: percentField('of the face value: 0 ends the discount'),
    force: forceField,
  }),
  output: Type.Object({
    merchant: Type.String(),
    product: Type.String(),
    network: Type.String(),
    /** `*`: every kind without a specific discount. */
    kind: Type.String(),
    /** In percent, such as `2.5`. */
    discount: Type.String(),
    discount_before: Type.String(),
    forced: forcedOutput,
  }),
  gives: (_, output) => giftOfForced(output),
  run: async ({ tx, actor }: Acting, { merchant, product, discount, force = false, ...named }) => {
    const network = await findNetwork(tx, product, named.network);
    const kind = findKind(product, named.kind);
    const basisPoints = parsePercent(discount);
    invariant(basisPoints !== undefined, 'the schema accepts percentages only');
    const change = { merchantCode: merchant, product, network, kind, basisPoints };
    const { before, forced } = await setDiscount(tx, change, actor, { force });
    return { merchant, product, network, kind, ...inPercent(basisPoints, before), forced };
  },
});

const removeDiscountOperation = defineOperation({
  name: 'merchant.remove_discount',
  kind: 'act',
  summary: "remove a merchant's discount of a kind; the discount of the network applies then",
  roles: treasurers,
  route: 'DELETE /merchants/{merchant}/discounts/{product}/{network}/{kind}',
  document: 'operators/merchants.md',
  input: inputOf({
    merchant: merchantField,
    product: oneOf(products),
    network: text('MTN, GLO, AIRTEL, 9MOBILE or a biller'),
    kind: oneOf(planKinds),
    force: forceField,
  }),
  output: setDiscountOperation.output,
  gives: (_, output) => giftOfForced(output),
  run: async ({ tx, actor }: Acting, { merchant, product, force = false, ...named }) => {
    const network = await findNetwork(tx, product, named.network);
    const kind = requireKind(product, named.kind);
    const place = { merchantCode: merchant, product, network, kind };
    const { before, after, forced } = await removeDiscount(tx, place, actor, { force });
    return { merchant, product, network, kind, ...inPercent(after, before), forced };
  },
});

function inPercent(discount: number, before: number) {
  return { discount: percentText(discount), discount_before: percentText(before) };
}

export const discountOperations = [setDiscountOperation, removeDiscountOperation] as const;

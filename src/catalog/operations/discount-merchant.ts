/** Sets a discount for a network by any of its names. It is here because it needs the catalog. */
import { Type } from 'typebox';
import { defineOperation, treasurers } from '../../core/operation.ts';
import {
  forcedOutput,
  forceField,
  giftOfForced,
  inputOf,
  merchantField,
  oneOf,
  text,
} from '../../core/operation-fields.ts';
import { products } from '../../core/products/product.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { findNetwork } from '../find-network.ts';
import { setDiscount } from './set-discount.ts';

export const setDiscountOperation = defineOperation({
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
    basis_points: Type.Integer({
      description:
        'basis points of the face value, from 0 to 10000 (100 %): 250 is 2.50 %; 0 ends the discount',
      minimum: 0,
      maximum: 10_000,
    }),
    force: forceField,
  }),
  output: Type.Object({
    merchant: Type.String(),
    product: Type.String(),
    network: Type.String(),
    basis_points: Type.Integer(),
    basis_points_before: Type.Integer(),
    forced: forcedOutput,
  }),
  gives: (_, output) => giftOfForced(output),
  run: async ({ tx, actor }: Acting, { merchant, product, network: name, basis_points, force = false }) => {
    const network = await findNetwork(tx, product, name);
    const change = { merchantCode: merchant, product, network, basisPoints: basis_points };
    const { before, forced } = await setDiscount(tx, change, actor, { force });
    return { merchant, product, network, basis_points, basis_points_before: before, forced };
  },
});

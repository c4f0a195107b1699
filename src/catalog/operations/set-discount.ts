/** Sets a merchant's discount from the face value for a product of a network. */

import type { ActorOrName } from '../../core/actor.ts';
import { OperationError } from '../../core/errors.ts';
import type { PlanKind } from '../../core/products/plan-kind.ts';
import type { Product } from '../../core/products/product.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { discountOf, toDiscounts } from '../../merchants/merchant.ts';
import { deleteDiscount, listDiscounts, upsertDiscount } from '../../merchants/merchant-store.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { PricedDiscount } from '../margins/find-losses.ts';
import { refuseLosses, unlessForced } from '../margins/refuse-losses.ts';

const BASIS_POINTS_MAX = 10_000;
/** The largest discount without `force`: one fifth. */
const LARGE_CHANGE_BASIS_POINTS = 2_000;

/**
 * Sets the discount in both environments. `forced` tells whether it would have been refused. Throws
 * OperationError: `no_merchant`, `discount_malformed` for basis points that are not an integer from
 * 0 to 10,000; unless forced, `sells_below_cost` when a provider is known to cost more, and
 * `discount_change_large`.
 */
export async function setDiscount(
  tx: Tx,
  change: {
    readonly merchantCode: string;
    readonly product: Product;
    readonly network: string;
    /** A kind of the product. Absent: `*`, every kind without a discount of its own. */
    readonly kind?: PlanKind | '*';
    readonly basisPoints: number;
  },
  actor: ActorOrName,
  { force = false }: { readonly force?: boolean } = {},
): Promise<{ readonly before: number; readonly forced: boolean }> {
  const { product, network, kind = '*', basisPoints } = change;
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > BASIS_POINTS_MAX) {
    throw new OperationError({ code: 'discount_malformed', basisPointsMax: BASIS_POINTS_MAX });
  }
  const merchant = await requireMerchant(tx, change.merchantCode);
  const present = await listDiscounts(tx, merchant.id);
  const before = discountOf(toDiscounts(present), { product, network, planKind: kind });
  const forced =
    basisPoints > before &&
    (await unlessForced(force, () =>
      refuseDiscount(tx, { product, network, kind, basisPoints, merchant: merchant.code }),
    ));
  await upsertDiscount(tx, merchant.id, { product, network, kind, basis_points: basisPoints });
  await recordOperation(tx, {
    actor,
    action: 'merchant.set_discount',
    subject: `merchant:${merchant.code}`,
    before: { product, network, kind, basis_points: before },
    after: { product, network, kind, basis_points: basisPoints, ...(force && { force }) },
  });
  await announceChange(tx, 'merchants');
  return { before, forced };
}

/**
 * Removes the discount of a kind, so that the discount of the network applies to it. Returns both
 * discounts. Throws OperationError: `no_merchant`, `no_such_discount`; unless forced, the same as
 * `setDiscount` when the discount of the network is larger.
 */
export async function removeDiscount(
  tx: Tx,
  {
    merchantCode,
    ...place
  }: {
    readonly merchantCode: string;
    readonly product: Product;
    readonly network: string;
    readonly kind: PlanKind;
  },
  actor: ActorOrName,
  { force = false }: { readonly force?: boolean } = {},
): Promise<{ readonly before: number; readonly after: number; readonly forced: boolean }> {
  const merchant = await requireMerchant(tx, merchantCode);
  const present = toDiscounts(await listDiscounts(tx, merchant.id));
  const before = discountOf(present, { ...place, planKind: place.kind });
  const after = discountOf(present, { ...place, planKind: undefined });
  const forced =
    after > before &&
    (await unlessForced(force, () =>
      refuseDiscount(tx, { ...place, merchant: merchant.code, basisPoints: after }),
    ));
  if (!(await deleteDiscount(tx, merchant.id, place))) {
    throw new OperationError({ code: 'no_such_discount', ...place });
  }
  await recordOperation(tx, {
    actor,
    action: 'merchant.remove_discount',
    subject: `merchant:${merchant.code}`,
    before: { ...place, basis_points: before },
    after: { ...place, basis_points: after, ...(force && { force }) },
  });
  await announceChange(tx, 'merchants');
  return { before, after, forced };
}

/** Refuses a larger discount that sells below cost or is unusual. */
async function refuseDiscount(
  tx: Tx,
  { merchant, product, network, kind, basisPoints }: PricedDiscount,
): Promise<void> {
  await refuseLosses(tx, (present) => ({
    ...present,
    discounts: [
      ...present.discounts.filter(
        (one) =>
          one.merchant !== merchant ||
          one.product !== product ||
          one.network !== network ||
          one.kind !== kind,
      ),
      { merchant, product, network, kind, basisPoints },
    ],
  }));
  if (basisPoints > LARGE_CHANGE_BASIS_POINTS) {
    throw new OperationError({
      code: 'discount_change_large',
      basisPoints,
      basisPointsMax: LARGE_CHANGE_BASIS_POINTS,
    });
  }
}

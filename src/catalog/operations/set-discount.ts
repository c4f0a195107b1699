/** Sets a merchant's discount from the face value for a product of a network. */

import type { ActorOrName } from '../../core/actor.ts';
import { OperationError } from '../../core/errors.ts';
import type { Product } from '../../core/products/product.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { listDiscounts, upsertDiscount } from '../../merchants/merchant-store.ts';
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
    readonly basisPoints: number;
  },
  actor: ActorOrName,
  { force = false }: { readonly force?: boolean } = {},
): Promise<{ readonly before: number; readonly forced: boolean }> {
  const { product, network, basisPoints } = change;
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > BASIS_POINTS_MAX) {
    throw new OperationError({ code: 'discount_malformed', basisPointsMax: BASIS_POINTS_MAX });
  }
  const merchant = await requireMerchant(tx, change.merchantCode);
  const present = await listDiscounts(tx, merchant.id);
  const before = present.find((row) => row.product === product && row.network === network)?.basis_points ?? 0;
  const forced =
    basisPoints > before &&
    (await unlessForced(force, () => refuseDiscount(tx, { ...change, merchant: merchant.code })));
  await upsertDiscount(tx, merchant.id, { product, network, basis_points: basisPoints });
  await recordOperation(tx, {
    actor,
    action: 'merchant.set_discount',
    subject: `merchant:${merchant.code}`,
    before: { product, network, basis_points: before },
    after: { product, network, basis_points: basisPoints, ...(force && { force }) },
  });
  await announceChange(tx, 'merchants');
  return { before, forced };
}

/** Refuses a larger discount that sells below cost or is unusual. */
async function refuseDiscount(
  tx: Tx,
  { merchant, product, network, basisPoints }: PricedDiscount,
): Promise<void> {
  await refuseLosses(tx, (present) => ({
    ...present,
    discounts: [
      ...present.discounts.filter(
        (one) => one.merchant !== merchant || one.product !== product || one.network !== network,
      ),
      { merchant, product, network, basisPoints },
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

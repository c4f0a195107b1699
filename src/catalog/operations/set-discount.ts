/**
 * Sets a merchant's own discounts from the face value. They are a price list of the merchant, and
 * each change is a version that holds at once.
 */

import { type ActorOrName, actorOf } from '../../core/actor.ts';
import { invariant, OperationError } from '../../core/errors.ts';
import type { PlanKind } from '../../core/products/plan-kind.ts';
import type { Product } from '../../core/products/product.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { MerchantRow } from '../../merchants/merchant-store.ts';
import {
  beginVersion,
  insertPriceList,
  insertVersion,
  listHeldRules,
  lockPriceList,
  ownList,
} from '../../merchants/prices/price-list-store.ts';
import {
  indexRules,
  type PriceRule,
  type PriceRules,
  placesOf,
  ruleAt,
} from '../../merchants/prices/price-rule.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { refuseRules, unlessForced } from '../margins/refuse-losses.ts';

const BASIS_POINTS_MAX = 10_000;

type DiscountPlace = { readonly product: string; readonly network: string; readonly kind: string };

/**
 * Sets the discount in both environments. `forced` tells whether it would have been refused. Throws
 * OperationError: `no_merchant`, `merchant_has_price_list` for a merchant that was assigned to one,
 * `discount_malformed` for basis points that are not an integer from 0 to 10,000; unless forced,
 * `sells_below_cost` when a provider is known to cost more, and `discount_change_large`.
 */
export async function setDiscount(
  tx: Tx,
  change: {
    readonly merchantCode: string;
    readonly product: Product;
    readonly network: string;
    /** A kind of the product. Absent: `*`, every kind without a specific discount. */
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
  const place = { product, network, kind };
  const { merchant, rules } = await lockDiscounts(tx, change.merchantCode);
  const after = [
    ...rules.filter((rule) => !isAt(rule, place)),
    { ...place, plan: '*', pricing: { by: 'off', off: basisPoints }, roundTo: 1n } as const,
  ];
  const before = discountAt(indexRules(rules), place);
  const forced = await changeDiscounts(tx, { merchant, rules, after }, actor, force);
  await recordOperation(tx, {
    actor,
    action: 'merchant.set_discount',
    subject: `merchant:${merchant.code}`,
    before: { ...place, basis_points: before },
    after: { ...place, basis_points: basisPoints, ...(force && { force }) },
  });
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
  const { merchant, rules } = await lockDiscounts(tx, merchantCode);
  const left = rules.filter((rule) => !isAt(rule, place));
  if (left.length === rules.length) throw new OperationError({ code: 'no_such_discount', ...place });
  const before = discountAt(indexRules(rules), place);
  const after = discountAt(indexRules(left), place);
  const forced = await changeDiscounts(tx, { merchant, rules, after: left }, actor, force);
  await recordOperation(tx, {
    actor,
    action: 'merchant.remove_discount',
    subject: `merchant:${merchant.code}`,
    before: { ...place, basis_points: before },
    after: { ...place, basis_points: after, ...(force && { force }) },
  });
  return { before, after, forced };
}

/** Returns the discount of the rules on the face value of a place, in basis points. */
function discountAt(rules: PriceRules, { product, network, kind }: DiscountPlace): number {
  const rule = ruleAt(rules, placesOf({ product, network, planKind: kind }));
  return rule?.pricing.by === 'off' ? rule.pricing.off : 0;
}

type Discounts = { readonly merchant: MerchantRow; readonly rules: readonly PriceRule[] };

/** Locks a merchant and its own list, which is created with its first discount. */
async function lockDiscounts(tx: Tx, merchantCode: string): Promise<Discounts> {
  const merchant = await requireMerchant(tx, merchantCode);
  if (merchant.price_list !== null) {
    const { code, price_list: list } = merchant;
    throw new OperationError({ code: 'merchant_has_price_list', merchant: code, list });
  }
  const list = ownList(merchant.code);
  await insertPriceList(tx, list);
  await lockPriceList(tx, list);
  return { merchant, rules: await listHeldRules(tx, list) };
}

/** Returns whether the change was forced. */
async function changeDiscounts(
  tx: Tx,
  { merchant, rules, after }: Discounts & { readonly after: readonly PriceRule[] },
  actor: ActorOrName,
  force: boolean,
): Promise<boolean> {
  const change = { buyer: merchant.code, before: indexRules(rules), after: indexRules(after) };
  const forced = await unlessForced(force, () => refuseRules(tx, [change]));
  const list = ownList(merchant.code);
  const version = await insertVersion(tx, list, after, actorOf(actor).name);
  const begun = await beginVersion(tx, list, version, undefined);
  invariant(begun !== undefined, 'no other version of a locked list begins now');
  await announceChange(tx, 'merchants');
  return forced;
}

function isAt(rule: PriceRule, { product, network, kind }: DiscountPlace): boolean {
  return rule.product === product && rule.network === network && rule.kind === kind;
}

/**
 * Sets the charge of a purchase by the current version of the merchant's price list. Everything is
 * in memory: without a list the merchant pays the face value, without a lookup.
 */
import type { Guards } from '../../catalog/margins/guards.ts';
import { dearestFirst } from '../../catalog/margins/reference-cost.ts';
import type { Router } from '../../catalog/routes/require-route.ts';
import type { Clock } from '../../core/clock.ts';
import { chargeByRule, placeName, placesOf } from '../../merchants/prices/price-rule.ts';
import { type HeldRule, heldRule } from '../../merchants/prices/price-schedule.ts';
import { saleOf } from '../engine/guarded-route.ts';
import type { PurchaseRequest } from '../state/purchase.ts';
import type { PurchaseDetails, StoredPriceList } from '../state/purchase-details.ts';

type Pricer = Pick<Router, 'routes'> & { readonly guards: Guards; readonly clock: Pick<Clock, 'now'> };

type Terms = {
  readonly planKind: string | undefined;
  readonly planCode?: string | undefined;
  readonly details?: PurchaseDetails | undefined;
  readonly route: readonly string[];
  /** The provider has its own price for the plan. */
  readonly isFixed: boolean;
};

type Priced = { readonly charge: bigint; readonly details: PurchaseDetails | undefined };

/** Returns the charge in kobo, and the details with the list and version that set it. */
export function priceByList(pricer: Pricer, request: PurchaseRequest, terms: Terms): Priced {
  const { product, network, faceValue, principal } = request;
  const { prices } = principal.merchant;
  if (prices.length === 0) return { charge: faceValue, details: terms.details };
  const places = placesOf({ product, network, ...terms });
  const held = heldRule(prices, places, pricer.clock.now().getTime());
  if (held === undefined) return { charge: faceValue, details: terms.details };
  const cost = held.rule.pricing.by === 'margin' ? expectedCost(pricer, request, terms) : undefined;
  return {
    charge: chargeByRule(held.rule, faceValue, cost),
    details: { ...terms.details, priceList: storedList(held, cost) },
  };
}

/** Returns the part of the pricing rule that is stored with the purchase. */
export function storedList({ list, version, rule }: HeldRule, cost: bigint | undefined): StoredPriceList {
  return { list, version, rule: placeName(rule), ...(cost !== undefined && { cost: String(cost) }) };
}

/** Estimates the cost at the provider that the purchase may go to first, as loss guards do. */
function expectedCost(
  { guards, routes }: Pricer,
  { principal, product, network, faceValue }: PurchaseRequest,
  { planKind, planCode, details, route, isFixed }: Terms,
): bigint | undefined {
  const { environment } = principal;
  const purchase = {
    environment,
    product,
    network,
    faceValue,
    charge: faceValue,
    details,
    planCode,
    isFixed,
  };
  const sale = saleOf(purchase);
  const { shares, strategy } = routes.find(environment, product, network, planKind);
  const mayBeFirst = (name: string): boolean => strategy !== 'order' || shares?.get(name) !== undefined;
  const first = route.filter((name, index) => (index === 0 && shares === undefined) || mayBeFirst(name));
  const expect = (names: readonly string[]) => names.flatMap((name) => guards.expects(sale, name) ?? []);
  return dearestFirst(expect(first), expect(route))?.cost;
}

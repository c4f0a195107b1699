/** Lists a merchant's prices, with its discounts, for everything that it may buy. */

import { Type } from 'typebox';
import { environments } from '../../core/environment.ts';
import { percentText } from '../../core/money.ts';
import { nullableText } from '../../core/nullable.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import {
  inputOf,
  merchantField,
  nullableAmount,
  oneOf,
  pageFields,
  pageOf,
} from '../../core/operation-fields.ts';
import { pageOfWhole } from '../../core/page.ts';
import { mobileNetworks } from '../../core/products/network.ts';
import { type PlanKind, planKinds } from '../../core/products/plan-kind.ts';
import { isBillProduct, type ProductName, productNames } from '../../core/products/product.ts';
import { kindsOf, recordOf } from '../../core/products/registry.ts';
import { listMerchantProducts } from '../../merchants/merchant-store.ts';
import { listHeldRules, ownList } from '../../merchants/prices/price-list-store.ts';
import {
  chargeByRule,
  indexRules,
  type PriceRules,
  placesOf,
  ruleAt,
} from '../../merchants/prices/price-rule.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { billPlanCode } from '../bill-plan.ts';
import { type Catalog, loadCatalog } from '../catalog.ts';
import { cardValueLimits } from '../gift-card-plan.ts';
import { readLivePrices } from '../margins/live-prices-store.ts';
import { type CostOf, costReader } from '../margins/reference-cost-of.ts';
import { listRoutes, type Route } from '../routes/route-store.ts';

const priceOutput = Type.Object({
  product: Type.String(),
  network: Type.String(),
  /** For data plans and airtime. */
  kind: nullableText,
  plan_code: nullableText,
  name: Type.String(),
  /** In basis points of the face value. */
  currency: Type.String(),
  /** The lowest and the highest face value; null without limits. */
  min: nullableAmount,
  max: nullableAmount,
  /** In percent off the face value, such as `2.5`. Null if it has a price of its own. */
  discount: nullableText,
  /**
   * The price for the wallet in naira, for the lowest face value. Null if there is no lowest one,
   * the currency currently has no rate, or the price follows an unknown cost.
   */
  price: nullableAmount,
});

export const listPricesOperation = defineOperation({
  name: 'price.list',
  kind: 'question',
  summary: "list a merchant's prices, with its discounts, for everything that it can buy",
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  route: 'GET /merchants/{merchant}/prices',
  document: 'operators/merchants.md',
  input: inputOf({
    merchant: merchantField,
    product: Type.Optional(oneOf(productNames)),
    kind: Type.Optional(oneOf(planKinds, { description: 'a kind of data plans or of airtime' })),
    environment: oneOf(environments, { default: 'live' }),
    ...pageFields,
  }),
  output: pageOf(priceOutput),
  run: async (
    { sql }: Asking,
    { merchant: code, product: wanted, kind, environment, limit = 50, cursor },
  ) => {
    const merchant = await findByCode(sql, code);
    const { id } = merchant;
    const enabled = (await listMerchantProducts(sql, id))
      .filter((row) => row.environment === environment)
      .map(({ product }) => product);
    const rules = indexRules(await listHeldRules(sql, merchant.price_list ?? ownList(merchant.code)));
    const routes = (await listRoutes(sql)).filter((route) => route.environment === environment);
    const needsCosts = rules.values().some(({ pricing }) => pricing.by === 'margin');
    const costOf = needsCosts ? costReader(await readLivePrices(sql)) : () => undefined;
    const terms = { catalog: await loadCatalog(sql), environment, rules, routes, costOf };
    const rows = productNames
      .filter((product) => enabled.includes(product) && (wanted === undefined || product === wanted))
      .flatMap((product) => pricesOf(terms, product))
      .filter(({ planKind }) => kind === undefined || planKind === kind);
    const page = pageOfWhole(rows, { limit, cursor }, placeOf);
    return { ...page, data: page.data.map(priceAnswer) };
  },
});

function priceAnswer({ limits, discount, ...row }: PriceRow) {
  return {
    ...row,
    kind: row.planKind,
    plan_code: row.planCode,
    min: limits?.min,
    max: limits?.max,
    discount: discount === undefined ? null : percentText(discount),
  };
}

function placeOf({ product, network, planKind, planCode }: PriceRow): string {
  return `${product}/${network}/${planCode ?? planKind ?? ''}`;
}

type PriceRow = {
  readonly product: ProductName;
  /** The network; for orders the product. */
  readonly network: string;
  readonly planKind?: PlanKind | undefined;
  /** Undefined when an amount is bought instead of a plan. */
  readonly planCode: string | undefined;
  readonly name: string;
  /** In basis points of the face value. */
  readonly currency: string;
  /** The lowest and the highest face value; undefined if any is sold. */
  readonly limits: { readonly min: bigint; readonly max: bigint } | undefined;
  /** In basis points. Undefined if the rule is another price. */
  readonly discount: number | undefined;
  /**
   * The price for the wallet in kobo, for the lowest face value. Undefined if there is no lowest
   * one, or no exchange rate.
   */
  readonly price: bigint | undefined;
};

type Listed = Pick<Catalog, 'listDataPlans' | 'listBillPlans' | 'searchGiftCards' | 'searchEsims'>;

type PriceTerms = {
  readonly catalog: Listed;
  readonly environment: Parameters<Listed['searchGiftCards']>[0];
  readonly rules: PriceRules;
  readonly costOf: CostOf;
  /** The products of the environment. */
  readonly routes: readonly Route[];
};

/** Lists a merchant's prices of a product, in catalog order. */
function pricesOf(terms: PriceTerms, product: ProductName): PriceRow[] {
  const { catalog, environment } = terms;
  switch (recordOf(product).plans) {
    case 'none':
      return mobileNetworks.flatMap((network) =>
        soldKinds(terms, product, network).map((planKind) =>
          inNaira(terms, product, network, { name: network, planKind }),
        ),
      );
    case 'data':
      return mobileNetworks.flatMap((network) =>
        catalog.listDataPlans(network).map(({ planCode, planKind, name, price }) => {
          const limits = { min: price, max: price };
          return inNaira(terms, product, network, { planKind, planCode, name, limits });
        }),
      );
    case 'bill':
      return isBillProduct(product) ? billPrices(terms, product) : [];
    case 'giftcard':
      return catalog.searchGiftCards(environment, {}).map(({ plan, ngnPrice }) => {
        const { planId, title, currency } = plan;
        return ofGoods(
          product,
          { planCode: String(planId), name: title, currency },
          cardValueLimits(plan),
          ngnPrice,
        );
      });
    case 'esim':
      return catalog.searchEsims(environment, {}).map(({ plan, ngnPrice }) => {
        const { planId: planCode, title: name, currency, price } = plan;
        return ofGoods(product, { planCode, name, currency }, { min: price, max: price }, ngnPrice);
      });
  }
}

/** Returns the usual kind of airtime, and the kinds that have a route. */
function soldKinds({ routes }: PriceTerms, product: string, network: string): readonly PlanKind[] {
  return kindsOf(product).filter(
    (kind, index) =>
      index === 0 ||
      routes.some(
        (route) => route.product === product && route.kind === kind && [network, '*'].includes(route.network),
      ),
  );
}

function billPrices(terms: PriceTerms, product: Parameters<Listed['listBillPlans']>[0]): PriceRow[] {
  return terms.catalog.listBillPlans(product).map((plan) => {
    const limits =
      plan.amountType === 'fixed'
        ? { min: plan.price, max: plan.price }
        : { min: plan.minAmount, max: plan.maxAmount };
    return inNaira(terms, product, plan.network, { planCode: billPlanCode(plan), name: plan.name, limits });
  });
}

function inNaira(
  { rules, costOf }: PriceTerms,
  product: ProductName,
  network: string,
  {
    planKind,
    planCode,
    name,
    limits,
  }: Pick<PriceRow, 'name'> & Partial<Pick<PriceRow, 'planKind' | 'planCode' | 'limits'>>,
): PriceRow {
  const place = { product, network, planKind, planCode };
  const sold = { ...place, name, currency: 'NGN', limits };
  const rule = ruleAt(rules, placesOf(place));
  if (rule === undefined) return { ...sold, discount: 0, price: limits?.min };
  const price = limits && chargeByRule(rule, limits.min, costOf(place, limits.min));
  const isRounded = rule.roundTo > 1n;
  return {
    ...sold,
    discount: rule.pricing.by === 'off' && !isRounded ? rule.pricing.off : undefined,
    price,
  };
}

/** Returns the price of an order, which has no discount. */
function ofGoods(
  product: ProductName,
  named: Pick<PriceRow, 'planCode' | 'name' | 'currency'>,
  limits: PriceRow['limits'],
  price: bigint | undefined,
): PriceRow {
  return { product, network: product, ...named, limits, discount: 0, price };
}

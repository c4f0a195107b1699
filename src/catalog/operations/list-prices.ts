/** Lists what a merchant pays, with its discounts, for everything that it may buy. */

import { type Static, Type } from 'typebox';
import { environments } from '../../core/environment.ts';
import { applyDiscount, formatAmount } from '../../core/money.ts';
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
import { isBillProduct, type ProductName, productNames } from '../../core/products/product.ts';
import { recordOf } from '../../core/products/registry.ts';
import { discountKey } from '../../merchants/merchant.ts';
import { listDiscounts, listMerchantProducts } from '../../merchants/merchant-store.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { billPlanCode } from '../bill-plan.ts';
import { type Catalog, loadCatalog } from '../catalog.ts';
import { cardValueLimits } from '../gift-card-plan.ts';

const priceOutput = Type.Object({
  product: Type.String(),
  network: Type.String(),
  plan_code: nullableText,
  name: Type.String(),
  /** Of the face value. */
  currency: Type.String(),
  /** The lowest and the highest face value; null without limits. */
  min: nullableAmount,
  max: nullableAmount,
  /** The discount from the face value. */
  basis_points: Type.Integer(),
  /**
   * What the wallet pays in naira, for the lowest face value; null where that has no limit, or
   * where the currency has no rate at present.
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
    environment: oneOf(environments, { default: 'live' }),
    ...pageFields,
  }),
  output: pageOf(priceOutput),
  run: async ({ sql }: Asking, { merchant: code, product: wanted, environment, limit = 50, cursor }) => {
    const { id } = await findByCode(sql, code);
    const enabled = (await listMerchantProducts(sql, id))
      .filter((row) => row.environment === environment)
      .map(({ product }) => product);
    const discounts = new Map(
      (await listDiscounts(sql, id)).map((row) => [discountKey(row.product, row.network), row.basis_points]),
    );
    const discountOf = (product: string, network: string): number =>
      discounts.get(discountKey(product, network)) ?? 0;
    const terms = { catalog: await loadCatalog(sql), environment, discountOf };
    const rows = productNames
      .filter((product) => enabled.includes(product) && (wanted === undefined || product === wanted))
      .flatMap((product) => pricesOf(terms, product));
    return pageOfWhole(rows.map(answerOf), { limit, cursor }, placeOf);
  },
});

function answerOf({ limits, price, planCode, basisPoints, ...row }: PriceRow): Static<typeof priceOutput> {
  return {
    ...row,
    plan_code: planCode ?? null,
    min: limits === undefined ? null : formatAmount(limits.min),
    max: limits === undefined ? null : formatAmount(limits.max),
    basis_points: basisPoints,
    price: price === undefined ? null : formatAmount(price),
  };
}

function placeOf({ product, network, plan_code: planCode }: Static<typeof priceOutput>): string {
  return `${product}/${network}/${planCode ?? ''}`;
}

type PriceRow = {
  readonly product: ProductName;
  /** The network; for orders the product. */
  readonly network: string;
  /** Undefined when an amount is bought instead of a plan. */
  readonly planCode: string | undefined;
  readonly name: string;
  /** Of the face value. */
  readonly currency: string;
  /** The lowest and the highest face value; undefined where any is sold. */
  readonly limits: { readonly min: bigint; readonly max: bigint } | undefined;
  readonly basisPoints: number;
  /**
   * What the wallet pays in kobo, for the lowest face value. Undefined where that has no limit, or
   * where there is no exchange rate.
   */
  readonly price: bigint | undefined;
};

type Listed = Pick<Catalog, 'listDataPlans' | 'listBillPlans' | 'searchGiftCards' | 'searchEsims'>;

type PriceTerms = {
  readonly catalog: Listed;
  readonly environment: Parameters<Listed['searchGiftCards']>[0];
  /** In basis points of the face value. */
  readonly discountOf: (product: string, network: string) => number;
};

/** Lists what a merchant pays for a product, in catalog order. */
function pricesOf(terms: PriceTerms, product: ProductName): PriceRow[] {
  const { catalog, environment } = terms;
  switch (recordOf(product).plans) {
    case 'none':
      return mobileNetworks.map((network) => inNaira(terms, product, network, { name: network }));
    case 'data':
      return mobileNetworks.flatMap((network) =>
        catalog.listDataPlans(network).map(({ planCode, name, price }) => {
          const limits = { min: price, max: price };
          return inNaira(terms, product, network, { planCode, name, limits });
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
  { discountOf }: PriceTerms,
  product: ProductName,
  network: string,
  { planCode, name, limits }: Pick<PriceRow, 'name'> & Partial<Pick<PriceRow, 'planCode' | 'limits'>>,
): PriceRow {
  const basisPoints = discountOf(product, network);
  const price = limits && applyDiscount(limits.min, basisPoints);
  return { product, network, planCode, name, currency: 'NGN', limits, basisPoints, price };
}

/** Returns the price of an order, which has no discount. */
function ofGoods(
  product: ProductName,
  named: Pick<PriceRow, 'planCode' | 'name' | 'currency'>,
  limits: PriceRow['limits'],
  price: bigint | undefined,
): PriceRow {
  return { product, network: product, ...named, limits, basisPoints: 0, price };
}

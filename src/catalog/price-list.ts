/** What a merchant pays for everything that it may buy, in catalog order. Pure. */
import { applyDiscount } from '../kernel/money.ts';
import { mobileNetworks } from '../products/network.ts';
import { isBillProduct, type VendProduct } from '../products/product.ts';
import { recordOf } from '../products/registry.ts';
import { billPlanCode } from './bill-plan.ts';
import type { Catalog } from './catalog.ts';
import { cardValueLimits } from './gift-card-plan.ts';

export type PriceRow = {
  readonly product: VendProduct;
  /** Of an order its product. */
  readonly network: string;
  /** Undefined where an amount is bought and no plan. */
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

export function pricesOf(terms: PriceTerms, product: VendProduct): PriceRow[] {
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
  product: VendProduct,
  network: string,
  { planCode, name, limits }: Pick<PriceRow, 'name'> & Partial<Pick<PriceRow, 'planCode' | 'limits'>>,
): PriceRow {
  const basisPoints = discountOf(product, network);
  const price = limits && applyDiscount(limits.min, basisPoints);
  return { product, network, planCode, name, currency: 'NGN', limits, basisPoints, price };
}

/** No discount applies to orders. */
function ofGoods(
  product: VendProduct,
  named: Pick<PriceRow, 'planCode' | 'name' | 'currency'>,
  limits: PriceRow['limits'],
  price: bigint | undefined,
): PriceRow {
  return { product, network: product, ...named, limits, basisPoints: 0, price };
}

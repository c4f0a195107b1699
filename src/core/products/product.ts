/**
 * The names of the products, by kind, in the spelling of the interface; and a reader of the
 * spellings that merchants and operators write.
 */
import { type NameOf, productRecords, recordOf } from './registry.ts';

/** The transactions of the interface. */
export type Product = NameOf<{ readonly kind: 'direct' | 'bill' }>;

/** Products that are bought for a mobile number. */
export type DirectProduct = NameOf<{ readonly kind: 'direct' }>;

/** Products that are paid to a biller for one of its customers, who is verified first. */
export type BillProduct = NameOf<{ readonly kind: 'bill' }>;

/**
 * Products that are ordered by plan. In the interface they are no transactions, but they are
 * purchases too.
 */
export type OrderProduct = NameOf<{ readonly kind: 'order' }>;

/** Products with plans in the catalog. */
export type PlanProduct = Exclude<ProductName, NameOf<{ readonly plans: 'none' }>>;

/** Every product that can be bought, enabled for a merchant and routed. */
export type ProductName = Product | OrderProduct;

export const productNames: readonly ProductName[] = productRecords.map(({ name }) => name);
export const products: readonly Product[] = productNames.filter(
  (product): product is Product => !isOrderProduct(product),
);
export const directProducts: readonly DirectProduct[] = productNames.filter(isDirectProduct);
export const billProducts: readonly BillProduct[] = productNames.filter(isBillProduct);
export const orderProducts: readonly OrderProduct[] = productNames.filter(isOrderProduct);
/** Products that a new merchant may buy at once. */
export const productsAtFirst: readonly ProductName[] = productNames.filter(
  (product) => recordOf(product).isEnabledAtFirst,
);
export const planProducts: readonly PlanProduct[] = productNames.filter(isPlanProduct);

const bySpelling: ReadonlyMap<string, ProductName> = new Map(
  productNames.map((product) => [product.toLowerCase(), product]),
);

/** The transaction product that `text` names in any letter case, or undefined. */
export function parseProduct(text: string): Product | undefined {
  const product = parseProductName(text);
  return product === undefined || isOrderProduct(product) ? undefined : product;
}

/** Like `parseProduct`, for all products. */
export function parseProductName(text: string): ProductName | undefined {
  return bySpelling.get(text.toLowerCase());
}

/** Whether `product`, in its canonical spelling, is bought for a mobile number. */
function isDirectProduct(product: string): product is DirectProduct {
  return recordOf(product)?.kind === 'direct';
}

/** Whether `product`, in its canonical spelling, is a bill. */
export function isBillProduct(product: string): product is BillProduct {
  return recordOf(product)?.kind === 'bill';
}

/** Whether `product`, in its canonical spelling, is ordered by plan. */
export function isOrderProduct(product: string): product is OrderProduct {
  return recordOf(product)?.kind === 'order';
}

/** Whether `product`, in its canonical spelling, has plans in the catalog. */
export function isPlanProduct(product: string): product is PlanProduct {
  const plans = recordOf(product)?.plans;
  return plans !== undefined && plans !== 'none';
}

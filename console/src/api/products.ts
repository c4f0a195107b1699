/** The products, from their records in the gateway. */
import { products } from 'virtual:products';
import type { Input } from './operations.ts';

/** The parts of a product's record that the screens show. */
export type DescribedProduct = {
  readonly name: string;
  readonly kind: 'direct' | 'bill' | 'order';
  readonly hasPlans: boolean;
  /** The label of the number that it is bought for. */
  readonly numberLabel: string;
};

type PlanProduct = Input<'catalog.list'>['product'];
export type CounterProduct = Input<'merchant_purchase.quote'>['product'];

/** The products that have plans. */
export const planProducts = products
  .filter(({ hasPlans }) => hasPlans)
  .map(({ name }) => name) as PlanProduct[];

/** The products that the portal can buy. */
export const counterProducts = products
  .filter(({ kind }) => kind !== 'order')
  .map(({ name }) => name) as CounterProduct[];

export function isCounterProduct(product: string): product is CounterProduct {
  return counterProducts.some((one) => one === product);
}

/** Returns the labels of a product's fields. Bills also take the mobile number of the customer. */
export function fieldsOf(product: CounterProduct): {
  readonly numberLabel: string;
  readonly networkLabel: string;
  readonly isBill: boolean;
} {
  const record = products.find(({ name }) => name === product);
  const isBill = record?.kind === 'bill';
  return {
    numberLabel: record?.numberLabel ?? 'Number',
    networkLabel: isBill ? 'Biller' : 'Network',
    isBill,
  };
}

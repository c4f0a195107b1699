/**
 * The catalog of the simulated Reloadly: the demo catalog's gift cards under their Reloadly codes,
 * and cards for faults.
 */
import { readDemoGiftCards } from '../catalog.ts';

export type Product = {
  readonly productId: number;
  readonly name: string;
  readonly brand: string;
  readonly category: string;
  /** ISO 3166-1 alpha-2. Undefined if it is valid everywhere. */
  readonly country: string | undefined;
  readonly currency: string;
  /** Face values in minor units; `undefined` where any between `min` and `max` is sold. */
  readonly values: readonly bigint[] | undefined;
  readonly min: bigint;
  readonly max: bigint;
};

export type Catalog = {
  find(productId: number): Product | undefined;
  /** Those of the demo catalog. */
  readonly listed: readonly Product[];
};

/** Naira for one unit of a card's currency, as the account is charged. */
const NAIRA_PER_UNIT: Readonly<Record<string, bigint>> = {
  USD: 1_500n,
  EUR: 1_620n,
  GBP: 1_900n,
  CAD: 1_080n,
  AED: 405n,
  NGN: 1n,
};

/** Not listed: so many that each order of a run can have its own, with its own faults. */
const UNLISTED = { first: 9_000_000, last: 9_999_999 };

export async function loadCatalog(): Promise<Catalog> {
  const products = new Map<number, Product>();
  for (const card of await readDemoGiftCards()) {
    const productId = Number(card.codes.reloadly?.product_id);
    if (!Number.isInteger(productId)) continue;
    const known = products.get(productId);
    const values = card.value === undefined ? undefined : [...(known?.values ?? []), card.value];
    products.set(productId, {
      productId,
      name: card.country === undefined ? card.brand : `${card.brand} ${card.country}`,
      brand: card.brand,
      category: card.category,
      country: card.country,
      currency: card.currency,
      values,
      min: card.min,
      max: card.max,
    });
  }
  const listed = [...products.values()];
  return { find: (productId) => products.get(productId) ?? unlisted(productId), listed };
}

function unlisted(productId: number): Product | undefined {
  if (productId < UNLISTED.first || productId > UNLISTED.last) return undefined;
  return {
    productId,
    name: `Simulated card ${productId} US`,
    brand: 'Simulated card',
    category: 'Other',
    country: 'US',
    currency: 'USD',
    values: undefined,
    min: 1_00n,
    max: 500_00n,
  };
}

export function sells(product: Product, value: bigint): boolean {
  return product.values === undefined
    ? value >= product.min && value <= product.max
    : product.values.includes(value);
}

const DISCOUNT_PERCENT = 3n;

/** The account's charge in kobo for `value` minor units of a currency. */
export function costOf(value: bigint, currency: string): bigint {
  return (value * (NAIRA_PER_UNIT[currency] ?? 1_500n) * (100n - DISCOUNT_PERCENT)) / 100n;
}

export function nairaPerUnit(currency: string): number {
  return Number(NAIRA_PER_UNIT[currency] ?? 1_500n);
}

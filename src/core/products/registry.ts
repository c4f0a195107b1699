/**
 * All products, one record each. A new product is a file beside this one and a line here. Lists of
 * products, in code, in texts and in SQL, are made from this list, in this order.
 */
import { airtime } from './airtime.ts';
import { betting } from './betting.ts';
import { cable } from './cable.ts';
import { data } from './data.ts';
import { education } from './education.ts';
import { electricity } from './electricity.ts';
import { esim } from './esim.ts';
import { giftCard } from './gift-card.ts';
import type { PlanKind } from './plan-kind.ts';
import type { OwedGoods, ProductRecord } from './product-record.ts';

const known = [airtime, data, electricity, cable, betting, education, giftCard, esim] as const;

type Known = (typeof known)[number];

/** The names of the products that a record like `Like` speaks of. */
export type NameOf<Like> = Extract<Known, Like>['name'];

/** The type of a product's record, with the two fields by which code distinguishes products. */
type RecordOf<Name> = Name extends Known['name']
  ? Extract<ProductRecord, Pick<Extract<Known, { readonly name: Name }>, 'kind'>> &
      Pick<Extract<Known, { readonly name: Name }>, 'name' | 'plans'>
  : never;

type NamedRecord = ProductRecord & { readonly name: Known['name'] };

export const productRecords: readonly NamedRecord[] = known;

const byName: ReadonlyMap<string, NamedRecord> = new Map(
  productRecords.map((record) => [record.name, record]),
);

/** The record of a product; undefined if the text is not a product's canonical name. */
export function recordOf<Name extends Known['name']>(name: Name): RecordOf<Name>;
export function recordOf(text: string): NamedRecord | undefined;
export function recordOf(text: string): NamedRecord | undefined {
  return byName.get(text);
}

/** Returns the kinds of a product. Empty when it has none. */
export function kindsOf(product: string): readonly PlanKind[] {
  const record = recordOf(product);
  return record?.kind === 'direct' ? record.planKinds : [];
}

/** Whether the product's goods are stored sealed. */
export function isSealed(product: string): boolean {
  return recordOf(product)?.isSealed === true;
}

/** Returns the goods that a success must contain. Undefined if a receipt is enough. */
export function owedGoods(
  record: ProductRecord,
  plan: { readonly meterKind?: 'prepaid' | 'postpaid' | undefined },
): OwedGoods | undefined {
  if (record.kind === 'direct' || record.owes === undefined) return undefined;
  const { goods, plans } = record.owes;
  return plans === 'all' || plans === plan.meterKind ? goods : undefined;
}

/**
 * The items of the catalog of all products. Each has a record: a flat object with the fields of the
 * import format. Imports read records, exports write them, comparisons use them, and the history
 * stores them.
 */
import type { BillPlan } from './bill-plan.ts';
import type { Biller } from './biller-index.ts';
import type { DataPlan } from './data-plan-index.ts';
import type { EsimPlan } from './esim-plan.ts';
import type { GiftCardPlan } from './gift-card-plan.ts';

/** The items of the catalog, by kind. */
export type CatalogThings = {
  readonly biller: Biller;
  readonly bill: BillPlan;
  readonly data: DataPlan;
  readonly giftcard: GiftCardPlan;
  readonly esim: EsimPlan;
};

export type CatalogKind = keyof CatalogThings;

/** An item with its record. `key` identifies it within its kind. */
export type CatalogItem<Kind extends CatalogKind = CatalogKind> = {
  readonly [Each in Kind]: {
    readonly kind: Each;
    readonly key: string;
    readonly item: CatalogThings[Each];
    readonly record: CatalogRecord;
  };
}[Kind];

export type CatalogRecord = Readonly<Record<string, unknown>>;

/** Returns a unique name, such as `giftcard 300001`. */
export function nameOf({ kind, key }: Pick<CatalogItem, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

type OfKind<Kind extends CatalogKind> = Extract<CatalogItem, { readonly kind: Kind }>;

/** Returns the items of one kind, in their order. */
export function pickKind<Kind extends CatalogKind>(
  items: readonly CatalogItem[],
  kind: Kind,
): OfKind<Kind>[] {
  return items.filter((item): item is OfKind<Kind> => item.kind === kind);
}

/** Returns the items without their records. */
export function thingsOf<Thing>(items: readonly { readonly item: Thing }[]): Thing[] {
  return items.map(({ item }) => item);
}

/** Takes an item off sale. */
export function withdrawn(item: CatalogItem): CatalogItem {
  const record = { ...item.record, active: false };
  return { ...item, item: { ...item.item, active: false }, record } as CatalogItem;
}

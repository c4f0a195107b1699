/**
 * The things of the catalog, whatever their product. Each comes with its record: one flat object
 * with the fields of the import format. Imports read records, exports write them, differences
 * compare them, and the history stores them.
 */
import type { BillPlan } from './bill-plan.ts';
import type { Biller } from './biller-index.ts';
import type { DataPlan } from './data-plan-index.ts';
import type { EsimPlan } from './esim-plan.ts';
import type { GiftCardPlan } from './gift-card-plan.ts';

/** The things of the catalog, by kind. */
export type CatalogThings = {
  readonly biller: Biller;
  readonly bill: BillPlan;
  readonly data: DataPlan;
  readonly giftcard: GiftCardPlan;
  readonly esim: EsimPlan;
};

export type CatalogKind = keyof CatalogThings;

/** One thing with its record. `key` names it within its kind. */
export type CatalogItem<Kind extends CatalogKind = CatalogKind> = {
  readonly [Each in Kind]: {
    readonly kind: Each;
    readonly key: string;
    readonly item: CatalogThings[Each];
    readonly record: CatalogRecord;
  };
}[Kind];

export type CatalogRecord = Readonly<Record<string, unknown>>;

/** Such as `giftcard 300001`: no two things of the catalog have the same. */
export function nameOf({ kind, key }: Pick<CatalogItem, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

type OfKind<Kind extends CatalogKind> = Extract<CatalogItem, { readonly kind: Kind }>;

/** Those of one kind, in their order. */
export function pickKind<Kind extends CatalogKind>(
  items: readonly CatalogItem[],
  kind: Kind,
): OfKind<Kind>[] {
  return items.filter((item): item is OfKind<Kind> => item.kind === kind);
}

/** The things by themselves. */
export function thingsOf<Thing>(items: readonly { readonly item: Thing }[]): Thing[] {
  return items.map(({ item }) => item);
}

/** Takes a thing off sale. */
export function withdrawn(item: CatalogItem): CatalogItem {
  const record = { ...item.record, active: false };
  return { ...item, item: { ...item.item, active: false }, record } as CatalogItem;
}

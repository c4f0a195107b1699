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

type Things = {
  readonly biller: Biller;
  readonly bill: BillPlan;
  readonly data: DataPlan;
  readonly giftcard: GiftCardPlan;
  readonly esim: EsimPlan;
};

export type CatalogKind = keyof Things;

/** One thing with its record. `key` names it within its kind. */
export type CatalogItem<Kind extends CatalogKind = CatalogKind> = {
  readonly [Each in Kind]: {
    readonly kind: Each;
    readonly key: string;
    readonly item: Things[Each];
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

/** The same thing, off sale. */
export function withdrawn(item: CatalogItem): CatalogItem {
  const record = { ...item.record, active: false };
  // Written out by kind, since a spread of the union would lose which record belongs to which item.
  switch (item.kind) {
    case 'biller':
      return { ...item, item: { ...item.item, active: false }, record };
    case 'bill':
      return { ...item, item: { ...item.item, active: false }, record };
    case 'data':
      return { ...item, item: { ...item.item, active: false }, record };
    case 'giftcard':
      return { ...item, item: { ...item.item, active: false }, record };
    case 'esim':
      return { ...item, item: { ...item.item, active: false }, record };
  }
}

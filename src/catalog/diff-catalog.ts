/**
 * Computes what a change would make of the catalog. Pure, so that what is shown is also what is
 * done. Guarantees that a catalog which a gateway could not load is never proposed without its
 * faults.
 */
import { isRecord } from '../core/json.ts';
import { parseAmount } from '../core/money.ts';
import { type CatalogItem, type CatalogKind, type CatalogRecord, nameOf, withdrawn } from './catalog-item.ts';
import { type CatalogFault, checkCatalog, findRepeatedItems } from './check-catalog.ts';
import { isLargeChange } from './fx-rate.ts';

type FieldChange = { readonly field: string; readonly before: unknown; readonly after: unknown };

export type CatalogChange = {
  readonly change: 'added' | 'changed' | 'withdrawn';
  readonly kind: CatalogKind;
  readonly key: string;
  readonly item: CatalogItem;
  readonly before: CatalogRecord | undefined;
  readonly fields: readonly FieldChange[];
  /** A price changes by more than a fifth. */
  readonly steep: boolean;
};

export type CatalogDiff = {
  readonly changes: readonly CatalogChange[];
  /** The catalog as it would be, in order, with everything that did not change. */
  readonly result: readonly CatalogItem[];
  /**
   * Items on sale, of the products of the incoming ones, that are not among these. They stay as
   * they are.
   */
  readonly missing: readonly CatalogItem[];
  readonly faults: readonly CatalogFault[];
};

const prices = new Set(['price', 'face_value', 'min_price', 'max_price', 'min_amount', 'max_amount']);
/** Those that a plan of any amount may leave open. */
const bounds = new Set(['min_amount', 'max_amount']);

/** `withdrawMissing` takes off sale what is not among `incoming`, of its products. */
export function diffCatalog(
  present: readonly CatalogItem[],
  incoming: readonly CatalogItem[],
  { withdrawMissing = false }: { readonly withdrawMissing?: boolean } = {},
): CatalogDiff {
  const known = new Map(present.map((item) => [nameOf(item), item]));
  const wanted = new Map(incoming.map((item) => [nameOf(item), item]));
  const products = new Set(incoming.map(groupOf));
  const missing = present.filter(
    (item) => item.record.active === true && products.has(groupOf(item)) && !wanted.has(nameOf(item)),
  );
  const changes = [...wanted.values()].flatMap((item) => compare(known.get(nameOf(item)), item) ?? []);
  if (withdrawMissing) changes.push(...missing.flatMap((item) => compare(item, withdrawn(item)) ?? []));
  const changed = new Map(changes.map((change) => [nameOf(change.item), change.item]));
  const result = [
    ...present.map((item) => changed.get(nameOf(item)) ?? item),
    ...changes.filter(({ before }) => before === undefined).map(({ item }) => item),
  ];
  const faults = [...findRepeatedItems(incoming), ...checkCatalog(result)];
  return { changes, result, missing: withdrawMissing ? [] : missing, faults };
}

function groupOf({ kind, record }: CatalogItem): string {
  return `${kind} ${record.product}`;
}

function compare(before: CatalogItem | undefined, item: CatalogItem): CatalogChange | undefined {
  const base = { kind: item.kind, key: item.key, item, before: before?.record };
  if (before === undefined) return { ...base, change: 'added', fields: [], steep: false };
  const names = new Set([...Object.keys(before.record), ...Object.keys(item.record)]);
  const fields = [...names]
    .filter((field) => !isSame(before.record[field], item.record[field]))
    .map((field) => ({ field, before: before.record[field], after: item.record[field] }));
  if (fields.length === 0) return undefined;
  const off = before.record.active === true && item.record.active === false;
  return { ...base, change: off ? 'withdrawn' : 'changed', fields, steep: fields.some(isLargePriceChange) };
}

/** Whether a steep change gives more for the price, as far as that can be told. */
export function isSteeplyCheaper({ fields, before, item }: CatalogChange): boolean {
  // Without a price of its own, a thing costs what its face value is worth, whatever that is.
  const follows = item.record.price === undefined && before?.price === undefined;
  const steep = fields.filter(isLargePriceChange).filter(({ field }) => !(follows && field === 'face_value'));
  return steep.some((change) => !isRise(change));
}

/** Only what is paid: a higher face value is worth more for the same price. */
function isRise({ field, before, after }: FieldChange): boolean {
  const [old, next] = [parseAmount(String(before)), parseAmount(String(after))];
  return field === 'price' && old !== undefined && next !== undefined && next > old;
}

/** A price in another currency, or in place of a range, is another price. */
function isLargePriceChange({ field, before, after }: FieldChange): boolean {
  if (field === 'currency') return true;
  if (!prices.has(field)) return false;
  if (before === undefined || after === undefined) return !bounds.has(field);
  const old = parseAmount(String(before));
  const next = parseAmount(String(after));
  if (old === undefined || next === undefined) return false;
  return isLargeChange(old, next);
}

/** Most fields are texts: those need no canonical form. */
function isSame(before: unknown, after: unknown): boolean {
  return before === after || canonical(before) === canonical(after);
}

/** The same text whatever the order of the members. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      isRecord(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ''
  );
}

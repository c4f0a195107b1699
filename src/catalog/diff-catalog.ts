/**
 * Computes the effect of a change of the catalog. Pure, so the preview equals the change.
 * Guarantees that the faults of an unusable catalog are always returned.
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
  /** The whole catalog after the change, in order. */
  readonly result: readonly CatalogItem[];
  /** Items on sale of the incoming products that the input lacks. They stay as they are. */
  readonly missing: readonly CatalogItem[];
  readonly faults: readonly CatalogFault[];
};

const prices = new Set(['price', 'face_value', 'min_price', 'max_price', 'min_amount', 'max_amount']);
/** The fields that a plan of any amount may omit. */
const bounds = new Set(['min_amount', 'max_amount']);

/** Compares. `withdrawMissing` withdraws items of the incoming products that the input lacks. */
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

/** Returns whether a large change makes something cheaper, as far as known. */
export function isSteeplyCheaper({ fields, before, item }: CatalogChange): boolean {
  // Without a price, the cost follows the face value.
  const follows = item.record.price === undefined && before?.price === undefined;
  const steep = fields.filter(isLargePriceChange).filter(({ field }) => !(follows && field === 'face_value'));
  return steep.some((change) => !isRise(change));
}

/** Tells whether a price rises. A higher face value is not a rise. */
function isRise({ field, before, after }: FieldChange): boolean {
  const [old, next] = [parseAmount(String(before)), parseAmount(String(after))];
  return field === 'price' && old !== undefined && next !== undefined && next > old;
}

/** Tells whether a price changes by more than a fifth, or in currency or kind. */
function isLargePriceChange({ field, before, after }: FieldChange): boolean {
  if (field === 'currency') return true;
  if (!prices.has(field)) return false;
  if (before === undefined || after === undefined) return !bounds.has(field);
  const old = parseAmount(String(before));
  const next = parseAmount(String(after));
  if (old === undefined || next === undefined) return false;
  return isLargeChange(old, next);
}

/** Compares two values. Most fields are texts, which need no canonical form. */
function isSame(before: unknown, after: unknown): boolean {
  return before === after || canonical(before) === canonical(after);
}

/** Writes a value as text that does not depend on the order of members. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      isRecord(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ''
  );
}

/** The faults of a catalog and of its records, with their messages for the operator. */
import { planProducts } from '../../core/products/product.ts';
import { type CatalogItem, nameOf } from '../catalog-item.ts';
import type { CatalogFault } from '../check-catalog.ts';
import { describeClash } from '../clash.ts';

const pricingRules = {
  fixed_plan: 'a fixed plan has a price above zero and nothing else of amounts',
  variable_plan: 'a variable plan has a min_amount above zero, a max_amount not below it and no price',
  fixed_card: 'a fixed card has a face_value above zero and neither min_price nor max_price',
  card: 'a card has a face_value, or a min_price above zero and a max_price not below it',
} as const satisfies Record<Extract<RecordFault, { code: 'pricing' }>['of'], string>;

const allProducts = planProducts.join(', ');

/** Describes a fault of one record. The caller adds the line. */
export function describeRecordFault(fault: RecordFault): string {
  switch (fault.code) {
    case 'no_record':
      return 'must be a record';
    case 'cell_count':
      return 'the row has more or fewer cells than the header line';
    case 'product':
      return `product must be one of ${allProducts}${fault.value === undefined ? ', or say --product' : ''}`;
    case 'missing':
      return `${fault.field} is missing`;
    case 'unknown_field':
      return `${fault.field} is not a known field`;
    case 'choice':
      return `${fault.field} must be one of ${fault.allowed.join(', ')}`;
    case 'form':
      return `${fault.field} ${fault.rule}`;
    case 'amount':
      return `${fault.field} is not an amount above zero: ${fault.value}`;
    case 'rate':
      return `${fault.field} is not a number of naira above zero: ${fault.value}`;
    case 'margin':
      return `${fault.field} is not 0 to 100: ${fault.value}`;
    case 'other':
      return `${fault.field} is not ${fault.wanted}: ${fault.value}`;
    case 'mobile_network':
      return `${fault.field} is not a mobile network: ${fault.value}`;
    case 'meter_kind':
      return 'meter_kind is required for electricity and not allowed otherwise';
    case 'pricing':
      return pricingRules[fault.of];
    case 'day':
      return `${fault.alias} has an invalid day: ${fault.value}`;
    case 'repeated':
      return `${fault.name} is repeated: also on line ${fault.firstLine}`;
  }
}

/** Describes a fault between items of a catalog. */
export function describeCatalogFault(fault: CatalogFault): string {
  switch (fault.code) {
    case 'clash':
      return describeClash(fault.clash, shortName);
    case 'same_id':
      return describeClash(fault.clash, (plan) =>
        plan.kind === 'bill' ? `bill plan ${plan.key}` : plan.key,
      );
    case 'no_biller': {
      const { about, product, network } = fault;
      return `plan ${about.map(shortName).join(', ')}: there is no ${product} biller ${network}: import it first`;
    }
    case 'repeated':
      return `${fault.about.map(nameOf).join(', ')} is repeated`;
  }
}

/** Returns the short name of an item: a biller's network, or a key. */
function shortName(item: CatalogItem): string {
  return item.kind === 'biller' ? item.item.network : item.key;
}

export type RecordFault =
  | { readonly code: 'no_record' }
  /** A row of CSV that is longer or shorter than its head line. */
  | { readonly code: 'cell_count' }
  /** Undefined: neither the record nor the import names the product. */
  | { readonly code: 'product'; readonly value: string | undefined }
  | { readonly code: 'missing' | 'unknown_field'; readonly field: string }
  | { readonly code: 'choice'; readonly field: string; readonly allowed: readonly string[] }
  /** `rule` is the schema's message, such as `must be >= 2001`. */
  | { readonly code: 'form'; readonly field: string; readonly rule: string }
  | { readonly code: 'amount' | 'rate' | 'margin'; readonly field: string; readonly value: string }
  /** `value` is not `wanted`. */
  | {
      readonly code: 'other';
      readonly field: string;
      readonly wanted: string;
      readonly value: string;
    }
  | { readonly code: 'mobile_network'; readonly field: 'network'; readonly value: string }
  | { readonly code: 'meter_kind'; readonly field: 'meter_kind' }
  /** The fields of the price contradict each other. */
  | { readonly code: 'pricing'; readonly of: 'fixed_plan' | 'variable_plan' | 'fixed_card' | 'card' }
  /** The first day of the name `alias` is invalid. */
  | { readonly code: 'day'; readonly field: 'since'; readonly alias: string; readonly value: string }
  /** A name such as `giftcard 3`, which `firstLine` has too. */
  | { readonly code: 'repeated'; readonly name: string; readonly firstLine: number };

export type RecordRead<Item> = { readonly item: Item } | { readonly faults: readonly RecordFault[] };

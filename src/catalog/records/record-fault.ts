/** What is wrong with one record of a catalog file, as data; `fault-words.ts` words it. */

export type RecordFault =
  | { readonly code: 'no_record' }
  /** A row of CSV that is longer or shorter than its head line. */
  | { readonly code: 'cell_count' }
  /** Undefined: neither the record nor who imports it says the product. */
  | { readonly code: 'product'; readonly value: string | undefined }
  | { readonly code: 'missing' | 'unknown_field'; readonly field: string }
  | { readonly code: 'choice'; readonly field: string; readonly allowed: readonly string[] }
  /** `rule` is what the schema wants, such as `must be >= 2001`. */
  | { readonly code: 'form'; readonly field: string; readonly rule: string }
  | { readonly code: 'amount' | 'rate' | 'margin'; readonly field: string; readonly value: string }
  /** `value` is not the `wanted` one. */
  | {
      readonly code: 'other';
      readonly field: string;
      readonly wanted: string;
      readonly value: string;
    }
  | { readonly code: 'mobile_network'; readonly field: 'network'; readonly value: string }
  | { readonly code: 'meter_kind'; readonly field: 'meter_kind' }
  /** The fields that say what it costs do not go together. */
  | { readonly code: 'pricing'; readonly of: 'fixed_plan' | 'variable_plan' | 'fixed_card' | 'card' }
  /** The day since when a biller is called `alias`. */
  | { readonly code: 'day'; readonly field: 'since'; readonly alias: string; readonly value: string }
  /** Such as `giftcard 3`, which `firstLine` has too. */
  | { readonly code: 'repeated'; readonly name: string; readonly firstLine: number };

export type RecordRead<Item> = { readonly item: Item } | { readonly faults: readonly RecordFault[] };

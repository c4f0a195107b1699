/** Checks the records of files against their schemas. Files are edited by hand and not trusted. */

import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { Value } from 'typebox/value';
import { formatAmount } from '../../core/money.ts';
import type { RecordFault, RecordRead } from './fault-messages.ts';

export const Text = Type.String({ minLength: 1, maxLength: 200 });
export const Code = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$' });
export const Country = Type.String({ pattern: '^[A-Z]{2}$' });
export const ProviderCodes = Type.Record(Type.String(), Type.Record(Type.String(), Text));

/** A record of a file, before it is checked. */
export type RawRecord = {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether all values are texts, as in CSV, that must be converted to the schema's types. */
  readonly isText: boolean;
};

/** Checks `raw` against `schema`, and runs `read` for the other checks. */
export function readBySchema<Fields extends TProperties, Item>(
  schema: TObject<Fields>,
  raw: RawRecord,
  read: (record: Static<TObject<Fields>>) => RecordRead<Item>,
): RecordRead<Item> {
  const record = raw.isText ? fromText(schema, raw.fields) : raw.fields;
  if (Value.Check(schema, record)) return read(record);
  return { faults: Value.Errors(schema, record).flatMap(toFaults) };
}

/** Converts texts to the schema's types. Leaves others for the schema to refuse. */
function fromText(schema: TObject, cells: RawRecord['fields']): Record<string, unknown> {
  const typed = Object.entries(cells).map(([field, cell]) => {
    const wanted: unknown = Reflect.get(schema.properties[field] ?? {}, 'type');
    return [field, typeof cell === 'string' ? readCell(wanted, cell) : cell];
  });
  return Object.fromEntries(typed);
}

function readCell(wanted: unknown, cell: string): unknown {
  if (wanted === 'integer' && /^[0-9]{1,10}$/.test(cell)) return Number(cell);
  if (wanted === 'boolean' && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  return wanted === 'array' ? parseJson(cell) : cell;
}

function parseJson(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

function toFaults(fault: ReturnType<typeof Value.Errors>[number]): RecordFault[] {
  const place = fault.instancePath.slice(1).replaceAll('/', '.');
  const inside = place === '' ? '' : `${place}.`;
  switch (fault.keyword) {
    case 'required':
      return fault.params.requiredProperties.map((name) => ({
        code: 'missing',
        field: `${inside}${name}`,
      }));
    case 'additionalProperties':
      return fault.params.additionalProperties.map((name) => ({
        code: 'unknown_field',
        field: `${inside}${name}`,
      }));
    // Each unknown field has this fault besides the one above.
    case 'boolean':
      return [];
    case 'enum':
      return [{ code: 'choice', field: place, allowed: fault.params.allowedValues.map(String) }];
    default:
      return [{ code: 'form', field: place, rule: fault.message }];
  }
}

/** Removes absent fields. */
export function withoutAbsent(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Formats an optional amount. */
export function amountText(amount: bigint | undefined): string | undefined {
  return amount === undefined ? undefined : formatAmount(amount);
}

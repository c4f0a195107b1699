/**
 * Writes the answers of operations by their output schema: only its properties, amounts and times
 * as text, and null for absent values.
 */
import type { Static, TArray, TInteger, TNull, TObject, TProperties, TSchema, TUnion } from 'typebox';
import { formatRfc3339 } from './clock.ts';
import { formatAmount } from './money.ts';
import type { AmountOutput, TimeOutput } from './operation-fields.ts';

/** The value that a property is written from. Amounts are in minor units. */
export type AnswerValue<Schema extends TSchema> = Schema extends AmountOutput
  ? bigint | string
  : Schema extends TimeOutput
    ? Date | string
    : Schema extends TInteger
      ? number | bigint
      : Schema extends TArray<infer Item>
        ? readonly AnswerValue<Item>[]
        : Schema extends TUnion<[infer Present extends TSchema, TNull]>
          ? AnswerValue<Present> | null | undefined
          : Schema extends TObject<infer Properties>
            ? Values<Properties>
            : Static<Schema>;

/** The values that an object is written from. */
type Values<Properties extends TProperties> = {
  readonly [Name in keyof Static<TObject<Properties>>]: Name extends keyof Properties
    ? AnswerValue<Properties[Name]>
    : never;
};

/** Writes an answer from `values`, which may have further properties. */
export function answerOf<Schema extends TSchema>(
  output: Schema,
  values: AnswerValue<Schema>,
): Static<Schema> {
  return written(output, values) as Static<Schema>;
}

function written(schema: TSchema, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return formatRfc3339(value);
  if (Array.isArray(value)) {
    const items = partOf(schema, 'items') as TSchema | undefined;
    return items === undefined ? value : value.map((one) => written(items, one));
  }
  if (typeof value === 'bigint')
    return partOf(schema, 'type') === 'integer' ? Number(value) : formatAmount(value);
  if (typeof value !== 'object') return value;
  const properties = partOf(schema, 'properties') as Readonly<Record<string, TSchema>> | undefined;
  if (properties === undefined || partOf(schema, 'additionalProperties') === true) return value;
  return Object.fromEntries(
    Object.entries(properties)
      .map(([name, one]) => [name, one, Reflect.get(value, name)] as const)
      .filter(([, one, field]) => field !== undefined || Reflect.get(one, '~optional') !== true)
      .map(([name, one, field]) => [name, written(one, field)]),
  );
}

/** Looks in both parts of a union with null. */
function partOf(schema: TSchema, name: string): unknown {
  const parts = (Reflect.get(schema, 'anyOf') ?? [schema]) as readonly TSchema[];
  return parts
    .map((part) => Reflect.get(part, name))
    .find((found) => found !== undefined && found !== 'null');
}

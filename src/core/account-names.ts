/**
 * Fields of operations that name an account at a provider. An account can be renamed, so operations
 * work with its id, which never changes. People read and type its name: the caller of an operation
 * translates the fields that are marked here.
 */
import { type TSchema, Type } from 'typebox';
import { text } from './operation-fields.ts';

const mark = 'x-account';

/** The name of an account, or a former name of it, in an input. */
export function accountField(description = 'the name of a provider') {
  return Type.String({ ...text(description), [mark]: 'name' });
}

/** The name of an account in an output. */
export const accountOutput = Type.String({ [mark]: 'name' });

/** The names of accounts, separated by commas, in an output. */
export const accountsOutput = Type.String({ [mark]: 'list' });

/** The option of a record whose keys are names of accounts. */
export const byAccount = { [mark]: 'keys' } as const;

const known = new WeakMap<TSchema, boolean>();

/** Tells whether a value of the schema can name an account. */
export function namesAccounts(schema: TSchema): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const found = markOf(schema) !== undefined || partsOf(schema).some(namesAccounts);
  known.set(schema, found);
  return found;
}

/** Returns the value with each marked name replaced by what `map` returns for it. */
export function mapAccounts(schema: TSchema, value: unknown, map: (name: string) => string): unknown {
  if (!namesAccounts(schema)) return value;
  if (typeof value === 'string') {
    return markOf(schema) === 'list' ? value.split(',').map(map).join(',') : map(value);
  }
  if (Array.isArray(value)) {
    const items = partOf(schema, 'items');
    const each = items === undefined ? value : value.map((one) => mapAccounts(items, one, map));
    return mapAlternatives(schema, each, map);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (markOf(schema) === 'keys') return renameKeys(value, map);
  const properties: Readonly<Record<string, TSchema>> = Reflect.get(schema, 'properties') ?? {};
  const mapped = Object.entries(value).map(([name, field]) => {
    const of = properties[name];
    return [name, of === undefined ? field : mapAccounts(of, field, map)];
  });
  return mapAlternatives(schema, Object.fromEntries(mapped), map);
}

/** Returns the value with each marked name replaced by the result of `map`. */
export function renameKeys<Value>(
  value: Readonly<Record<string, Value>> | object,
  map: (name: string) => string,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(value).map(([name, one]: [string, Value]) => [map(name), one]));
}

/** Replaces each key by the result of `map`. */
function mapAlternatives(schema: TSchema, value: unknown, map: (name: string) => string): unknown {
  return [...listOf(schema, 'anyOf'), ...listOf(schema, 'allOf')].reduce<unknown>(
    (mapped, part) => mapAccounts(part, mapped, map),
    value,
  );
}

function markOf(schema: TSchema): unknown {
  return Reflect.get(schema, mark);
}

function partsOf(schema: TSchema): TSchema[] {
  const items = partOf(schema, 'items');
  return [
    ...Object.values((Reflect.get(schema, 'properties') ?? {}) as Record<string, TSchema>),
    ...(items === undefined ? [] : [items]),
    ...listOf(schema, 'anyOf'),
    ...listOf(schema, 'allOf'),
  ];
}

function partOf(schema: TSchema, name: string): TSchema | undefined {
  return Reflect.get(schema, name) as TSchema | undefined;
}

function listOf(schema: TSchema, name: string): readonly TSchema[] {
  return (Reflect.get(schema, name) ?? []) as readonly TSchema[];
}

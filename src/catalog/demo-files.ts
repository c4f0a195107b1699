// How the demo catalog's files are read: lists of entries in JSON, edited by hand and so read with distrust. Guarantees
// that every fault of every file is found before any is reported, each with its file and the number of its entry.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/** The folder that ships with Oja. */
export const demoFolder: string = fileURLToPath(new URL('../../catalog/demo', import.meta.url));

export const Text = Type.String({ minLength: 1, maxLength: 200 });
export const Code = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$' });
export const ProviderCodes = Type.Record(Type.String(), Type.Record(Type.String(), Text));

export type ListRead<Item> = { readonly items: readonly Item[]; readonly faults: readonly string[] };
export type EntryRead<Item> = { readonly item: Item } | { readonly faults: readonly string[] };

/** The entries of `name` in `folder`, a list of what `noun` says; what cannot be read is among the faults. */
export async function readList<Item>(
  folder: string,
  name: string,
  noun: string,
  readEntry: (entry: unknown) => EntryRead<Item>,
): Promise<ListRead<Item>> {
  let entries: unknown;
  try {
    entries = JSON.parse(await readFile(join(folder, name), 'utf8'));
  } catch (error) {
    return { items: [], faults: [`${name}: ${error instanceof Error ? error.message : String(error)}`] };
  }
  if (!Array.isArray(entries)) return { items: [], faults: [`${name}: must be a list of ${noun}s`] };
  const reads = entries.map((entry: unknown) => readEntry(entry));
  return {
    items: reads.flatMap((read) => ('item' in read ? [read.item] : [])),
    faults: reads.flatMap((read, position) =>
      'item' in read ? [] : read.faults.map((fault) => `${name}, ${noun} ${position + 1}: ${fault}`),
    ),
  };
}

/** Holds `entry` to `schema`; `read` judges what a schema cannot. */
export function readBySchema<Schema extends TSchema, Item>(
  schema: Schema,
  entry: unknown,
  read: (entry: Static<Schema>) => EntryRead<Item>,
): EntryRead<Item> {
  if (Value.Check(schema, entry)) return read(entry);
  return { faults: Value.Errors(schema, entry).flatMap(inWords) };
}

type SchemaFault = ReturnType<typeof Value.Errors>[number];

/** What is wrong, and where it can be said what would be right. */
function inWords(fault: SchemaFault): string[] {
  const place = fault.instancePath.slice(1).replaceAll('/', '.');
  const inside = place === '' ? '' : `${place}.`;
  switch (fault.keyword) {
    case 'required':
      return fault.params.requiredProperties.map((name) => `${inside}${name} is missing`);
    case 'additionalProperties':
      return fault.params.additionalProperties.map((name) => `${inside}${name} is no field of it`);
    // Said of each field that is too many, besides the line above.
    case 'boolean':
      return [];
    case 'enum':
      return [`${place} must be one of ${fault.params.allowedValues.join(', ')}`];
    default:
      return [`${place} ${fault.message}`.trimStart()];
  }
}

/** One line for each key that two holders have, such as `id 1 is both MTN-1 and MTN-2`. */
export function findRepeats(
  holders: Iterable<{ readonly holder: string; readonly keys: readonly string[] }>,
): string[] {
  const holderOf = new Map<string, string>();
  const faults: string[] = [];
  for (const { holder, keys } of holders) {
    for (const key of keys) {
      const first = holderOf.get(key);
      if (first === undefined) holderOf.set(key, holder);
      else faults.push(`${key} is both ${first} and ${holder}`);
    }
  }
  return faults;
}

/** Throws an Error that lists `faults`, if there are any. */
export function refuseFaulty(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`the demo catalog is faulty:\n  ${faults.join('\n  ')}`);
}

/**
 * Gives the schemas of an OpenAPI document their names: each that has a title moves to
 * `components.schemas` under it, and where it stood a reference remains. The document gets short,
 * and generated clients get one type for each. Pure.
 */
import { isRecord } from '../../../kernel/json.ts';
import type { Json } from './json.ts';

/**
 * `document` with its titled schemas named. Two different schemas of one title are a mistake:
 * throws an Error.
 */
export function nameSchemas(document: Json): { readonly value: Json; readonly schemas: Json } {
  const named = new Map<string, Json>();
  const value = visit(document, named);
  return { value: isRecord(value) ? value : {}, schemas: Object.fromEntries(named) };
}

function visit(value: unknown, named: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => visit(item, named));
  if (!isRecord(value)) return value;
  const visited = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isExample(key) ? item : visit(item, named)]),
  );
  return isTitled(visited) ? reference(visited, named) : visited;
}

function reference(schema: Json & { readonly title: string }, named: Map<string, Json>): Json {
  const known = named.get(schema.title);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two different schemas are titled ${schema.title}`);
  }
  named.set(schema.title, schema);
  return { $ref: `#/components/schemas/${schema.title}` };
}

function isTitled(value: Json): value is Json & { readonly title: string } {
  const isNameable = value.type === 'object' || value.oneOf !== undefined || value.enum !== undefined;
  return isNameable && typeof value.title === 'string';
}

/** Examples are data: what looks like a schema in them is none. */
function isExample(key: string): boolean {
  return key === 'example' || key === 'examples';
}

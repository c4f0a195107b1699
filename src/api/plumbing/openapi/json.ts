/** JSON Schemas and parts of the document, as plain objects. */
import { isRecord } from '../../../core/json.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Returns a member that is an object itself. Empty if it is absent. */
export function memberOf(value: unknown, name: string): Json {
  const member = isRecord(value) ? value[name] : undefined;
  return isRecord(member) ? member : {};
}

/** A list of texts, such as the required properties of a schema. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Returns the schema as plain JSON, without the library's own properties. */
export function plain(schema: unknown): Json {
  const copy: unknown = JSON.parse(JSON.stringify(schema ?? {}));
  return isRecord(copy) ? copy : {};
}

/** Returns `value` without `names`. */
export function without(value: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

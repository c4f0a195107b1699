/** JSON Schemas and parts of the document, as the plain objects that they are. */
import { isRecord } from '../../../core/json.ts';

export type Json = Readonly<Record<string, unknown>>;

/** An object's member that is an object; empty where there is none. */
export function memberOf(value: unknown, name: string): Json {
  const member = isRecord(value) ? value[name] : undefined;
  return isRecord(member) ? member : {};
}

/** A list of texts, such as the required properties of a schema. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** What a schema says as JSON, and nothing that a library keeps in it besides. */
export function plain(schema: unknown): Json {
  const copy: unknown = JSON.parse(JSON.stringify(schema ?? {}));
  return isRecord(copy) ? copy : {};
}

/** `value` without `names`. */
export function without(value: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

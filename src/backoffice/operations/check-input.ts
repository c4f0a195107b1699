/** Validates the input of an operation. An error names each wrong field and its rule. */
import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import { OperationError } from '../../core/errors.ts';
import type { InputError } from '../../core/operation-errors.ts';

/** The maximum number of fields that an error names. */
const ERRORS_MAX = 20;
const NAME_LENGTH_MAX = 60;

type ValueError = ReturnType<typeof Value.Errors>[number];

/** Returns the input with its defaults. Throws OperationError `input_malformed`. */
export function checkInput<Schema extends TObject>(schema: Schema, given: unknown): Static<Schema> {
  const present = withoutNulls(given);
  refuseUnknown(schema, present);
  const input: unknown = Value.Default(schema, present);
  if (Value.Check(schema, input)) {
    requireWellFormed(input);
    return input;
  }
  const errors = new Map<string, InputError>();
  for (const error of Value.Errors(schema, input).flatMap((found) => errorsOf(schema, found))) {
    // Only the first error of a field: the others repeat it.
    if (!errors.has(error.field)) errors.set(error.field, error);
  }
  if (errors.size === 0) errors.set('input', { field: 'input', kind: 'wrong', wanted: wantedOf(schema, '') });
  throw new OperationError({ code: 'input_malformed', errors: [...errors.values()].slice(0, ERRORS_MAX) });
}

/** Refuses unknown fields first, so that they cost no further work. */
function refuseUnknown(schema: TObject, given: unknown): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
  const wanted = Object.keys(schema.properties);
  const unknown = Object.keys(given).filter((field) => !wanted.includes(field));
  if (unknown.length === 0) return;
  const errors = unknown
    .slice(0, ERRORS_MAX)
    .map((field): InputError => ({ field: shortName(field), kind: 'unknown', wanted }));
  throw new OperationError({ code: 'input_malformed', errors });
}

/** Shortens an unknown name for the message. */
function shortName(name: string): string {
  return name.length <= NAME_LENGTH_MAX ? name : `${name.slice(0, NAME_LENGTH_MAX)}…`;
}

/** Refuses texts that PostgreSQL cannot store: NUL characters and lone surrogates. */
function requireWellFormed(input: Readonly<Record<string, unknown>>): void {
  const errors = Object.keys(input)
    .filter((field) => !isWellFormed(input[field]))
    .map(
      (field): InputError => ({ field, kind: 'wrong', wanted: 'well-formed text without NUL characters' }),
    );
  if (errors.length > 0) throw new OperationError({ code: 'input_malformed', errors });
}

function isWellFormed(value: unknown): boolean {
  // Without recursion, because the depth is not limited here.
  const left = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === 'string') {
      if (part.includes('\0') || !part.isWellFormed()) return false;
    } else if (typeof part === 'object' && part !== null) {
      for (const [name, item] of Object.entries(part)) left.push(name, item);
    }
  }
  return true;
}

/** Treats null properties as absent. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null && value !== undefined),
  );
}

function errorsOf(schema: TObject, found: ValueError): InputError[] {
  if (found.keyword === 'required') {
    const missing = found.params.requiredProperties as readonly string[];
    return missing.map((field) => ({ field, kind: 'missing', wanted: wantedOf(schema, field) }));
  }
  const field = found.instancePath.split('/')[1];
  if (field === undefined) return [{ field: 'input', kind: 'wrong', wanted: 'an object' }];
  return [{ field, kind: 'wrong', wanted: wantedOf(schema, field) }];
}

function wantedOf(schema: TObject, field: string): string {
  const description: unknown = Reflect.get(schema.properties[field] ?? {}, 'description');
  return typeof description === 'string' ? description : 'as the documentation says';
}

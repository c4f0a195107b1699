/** Validates the input of an operation. An error names each wrong field and what it must be. */
import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import { OperationError } from '../../core/errors.ts';
import type { InputFault } from '../../core/operation-fault.ts';

/** The most fields that an error names. */
const FAULTS_MAX = 20;
const NAME_LENGTH_MAX = 60;

type ValueFault = ReturnType<typeof Value.Errors>[number];

/** Returns the input with its defaults. Throws OperationError `input_malformed`. */
export function checkInput<Schema extends TObject>(schema: Schema, given: unknown): Static<Schema> {
  const present = withoutNulls(given);
  refuseUnknown(schema, present);
  const input: unknown = Value.Default(schema, present);
  if (Value.Check(schema, input)) {
    requireWellFormed(input);
    return input;
  }
  const faults = new Map<string, InputFault>();
  for (const fault of Value.Errors(schema, input).flatMap((found) => faultsOf(schema, found))) {
    // Only the first fault of a field: the others repeat it.
    if (!faults.has(fault.field)) faults.set(fault.field, fault);
  }
  if (faults.size === 0) faults.set('input', { field: 'input', kind: 'wrong', wanted: wantedOf(schema, '') });
  throw new OperationError({ code: 'input_malformed', faults: [...faults.values()].slice(0, FAULTS_MAX) });
}

/** Refuses unknown fields first, so that they cost no further work. */
function refuseUnknown(schema: TObject, given: unknown): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
  const wanted = Object.keys(schema.properties);
  const unknown = Object.keys(given).filter((field) => !wanted.includes(field));
  if (unknown.length === 0) return;
  const faults = unknown
    .slice(0, FAULTS_MAX)
    .map((field): InputFault => ({ field: shortName(field), kind: 'unknown', wanted }));
  throw new OperationError({ code: 'input_malformed', faults });
}

/** Shortens an unknown name for the message. */
function shortName(name: string): string {
  return name.length <= NAME_LENGTH_MAX ? name : `${name.slice(0, NAME_LENGTH_MAX)}…`;
}

/** Refuses texts that PostgreSQL cannot store: NUL characters and lone surrogates. */
function requireWellFormed(input: Readonly<Record<string, unknown>>): void {
  const faults = Object.keys(input)
    .filter((field) => !isWellFormed(input[field]))
    .map(
      (field): InputFault => ({ field, kind: 'wrong', wanted: 'well-formed text without NUL characters' }),
    );
  if (faults.length > 0) throw new OperationError({ code: 'input_malformed', faults });
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

function faultsOf(schema: TObject, fault: ValueFault): InputFault[] {
  if (fault.keyword === 'required') {
    const missing = fault.params.requiredProperties as readonly string[];
    return missing.map((field) => ({ field, kind: 'missing', wanted: wantedOf(schema, field) }));
  }
  const field = fault.instancePath.split('/')[1];
  if (field === undefined) return [{ field: 'input', kind: 'wrong', wanted: 'an object' }];
  return [{ field, kind: 'wrong', wanted: wantedOf(schema, field) }];
}

function wantedOf(schema: TObject, field: string): string {
  const description: unknown = Reflect.get(schema.properties[field] ?? {}, 'description');
  return typeof description === 'string' ? description : 'as the documentation says';
}

/** How the fields of an operation's input are asked for. Pure. */

import type { DescribedOperation, FieldSchema } from '../api/described-operation.ts';
import { readTyped, type TypedKind } from '../api/typed-number.ts';
import { moneyText, numberText, words } from '../design/format.ts';

/** What an operation is given. */
type Given = Readonly<Record<string, unknown>>;

/** What a person has typed, by the name of the field. */
export type Typed = Readonly<Record<string, string | boolean>>;

export type FieldKind =
  | 'choice'
  | 'choices'
  | 'yes_no'
  | 'number'
  | 'day'
  | 'amount'
  | 'long'
  | 'file'
  | 'list'
  | 'json'
  | 'secrets'
  | 'text';

/** Minted by the form, or of lists: never asked for. */
const unasked: readonly string[] = ['key', 'cursor', 'limit'];
/** Longer than this, it comes from a file. */
const FILE_LENGTH = 100_000;

export function askedFields(operation: DescribedOperation, given: readonly string[]): string[] {
  return Object.keys(operation.input.properties).filter(
    (name) => !unasked.includes(name) && !given.includes(name),
  );
}

export function isRequired({ input }: DescribedOperation, name: string): boolean {
  return (input.required ?? []).includes(name) && input.properties[name]?.default === undefined;
}

export function kindOf(schema: FieldSchema): FieldKind {
  if (schema.writeOnly === true) return 'secrets';
  if (schema.enum !== undefined) return 'choice';
  if (schema.type === 'boolean') return 'yes_no';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'array' && schema.items?.enum !== undefined) return 'choices';
  if (schema.type === 'array') return schema.items?.type === 'string' ? 'list' : 'json';
  if (schema.type === 'object') return 'json';
  if (schema.format === 'date') return 'day';
  if (schema['x-typed'] !== undefined) return 'amount';
  if ((schema.maxLength ?? 0) > FILE_LENGTH) return 'file';
  return (schema.maxLength ?? 0) >= 200 ? 'long' : 'text';
}

/** `expires_in` gives "Expires in". */
export function labelOf(name: string): string {
  return words(name);
}

/** The description is the end of "must be …": as a sentence of its own. */
export function hintOf(schema: FieldSchema): string | undefined {
  const { description, enum: choices, type } = schema;
  if (description === undefined || choices !== undefined) return undefined;
  const text = type === 'boolean' ? description.replace(/^true (?:to|for|if|where) /, '') : description;
  // How a program sends it is nothing to a person.
  const plain = schema.contentEncoding === undefined ? text : text.replace(/, in base 64$/, '');
  const told = plain.charAt(0).toUpperCase() + plain.slice(1);
  return type === 'object' && !told.startsWith('JSON') ? `${told}. One a line, as name: value` : told;
}

export function startOf(schema: FieldSchema): string | boolean {
  if (schema.type === 'boolean') return schema.default === true;
  return schema.default === undefined ? '' : String(schema.default);
}

/**
 * The input as the operation takes it. What was left empty is left out; what was something at the
 * `start`, and was emptied, goes as empty.
 */
export function inputOf(
  operation: DescribedOperation,
  typed: Typed,
  { start = {}, given = {} }: { readonly start?: Typed | undefined; readonly given?: Given } = {},
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(typed)) {
    const schema = operation.input.properties[name];
    if (schema === undefined) continue;
    const wasEmptied = (start[name] ?? '') !== '' && start[name] !== false;
    if (value === '' && !wasEmptied) continue;
    if (value === false && schema.default !== true && !wasEmptied) continue;
    input[name] = readValue(schema, value, currencyOf(operation, given, typed));
  }
  return input;
}

function readValue(schema: FieldSchema, value: string | boolean, currency: string): unknown {
  if (typeof value === 'boolean') return value;
  switch (kindOf(schema)) {
    case 'number':
      return /^-?[0-9]{1,15}$/.test(value.trim()) ? Number(value) : value;
    case 'list':
    case 'choices':
      return value.split(/[\s,]+/).filter((one) => one !== '');
    case 'json':
    case 'secrets':
      return readJson(value, schema);
    case 'amount': {
      const read = readTyped(schema['x-typed'] ?? 'amount', value, currency);
      return 'text' in read ? read.text : value;
    }
    case 'text':
    case 'long':
      return value.trim();
    default:
      return value;
  }
}

/** Why what was typed cannot be read, by the name of the field: the end of "… must be". */
export function typedFaults(
  operation: DescribedOperation,
  typed: Typed,
  given: Given = {},
): Readonly<Record<string, string>> {
  const currency = currencyOf(operation, given, typed);
  return Object.fromEntries(
    Object.entries(typed).flatMap(([name, value]) => {
      const kind = operation.input.properties[name]?.['x-typed'];
      if (kind === undefined || typeof value !== 'string' || value === '') return [];
      const read = readTyped(kind, value, currency);
      return 'fault' in read ? [[name, `This must be ${read.fault}.`]] : [];
    }),
  );
}

/** What the operation will be given, as people read it: an amount with its currency. */
export function reviewText(
  operation: DescribedOperation,
  name: string,
  value: unknown,
  input: Given,
): unknown {
  const schema = operation.input.properties[name];
  const kind = schema?.['x-typed'];
  if (name === 'basis_points' && typeof value === 'number') return `${(value / 100).toFixed(2)} %`;
  if (kind === undefined || typeof value !== 'string' || value === 'none') return value;
  return numberTexts[kind](value, currencyOf(operation, input, {}));
}

const numberTexts: Readonly<Record<TypedKind, (value: string, currency: string) => string>> = {
  amount: moneyText,
  naira: (value) => moneyText(value),
  account_amount: numberText,
  rate: (value) => `₦${numberText(value)}`,
  percent: (value) => `${value} %`,
};

function currencyOf({ input }: DescribedOperation, given: Given, typed: Typed): string {
  const said = given.currency ?? (typed.currency === '' ? undefined : typed.currency);
  return String(said ?? input.properties.currency?.default ?? 'NGN');
}

/** JSON, or lines of a name and a value. What is neither is refused in the words of the server. */
function readJson(value: string, schema: FieldSchema): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return readLines(value, schema);
  }
}

function readLines(value: string, { patternProperties = {} }: FieldSchema): unknown {
  const lines = value.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([\w.*-]+)\s*[:=]\s*(.*?)\s*$/.exec(line));
  const filled = pairs.filter((pair) => pair !== null).filter(([, , text]) => text !== '');
  if (pairs.includes(null)) return value;
  const areNumbers = Object.values(patternProperties).some(({ type }) => type === 'integer');
  return Object.fromEntries(
    filled.map(([, name, text = '']) => [name, areNumbers ? Number(text) : text] as const),
  );
}

/** Converts between an operation's schema and the fields of its form. Pure. */

import type { DescribedOperation, FieldSchema } from '../api/described-operation.ts';
import { readTyped, type TypedKind } from '../api/typed-number.ts';
import { moneyText, numberText, words } from '../design/format.ts';

/** Inputs that the form does not ask for. */
type Given = Readonly<Record<string, unknown>>;

/** The typed values by field. */
export type Typed = Readonly<Record<string, string | boolean>>;

export type FormShape = {
  /** Inputs that the form does not ask for. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** The initial values. */
  readonly start?: Typed;
  /** The fields to show, in this order. Default: all. */
  readonly fields?: readonly string[];
  /** Fields that are optional for the operation but required here. */
  readonly needed?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** The subject of the operation, shown in the review. */
  readonly about?: Readonly<Record<string, string>>;
  /**
   * Whether it shows a review before it submits. Default: if the operation moves money or needs a
   * confirmation.
   */
  readonly review?: boolean;
  /** The label of the button. */
  readonly verb: string;
  /** The message on success. Without it, the output is shown. */
  readonly done?: string | undefined;
};

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

/** Fields that forms never show. */
const hidden: readonly string[] = ['key', 'cursor', 'limit'];
/** References and e-mail addresses are not longer. */
const LINE_LENGTH = 255;
/** Longer texts come from a file. */
const FILE_LENGTH = 100_000;

/** The fields that the form shows, in their order. */
export function formFields(
  operation: DescribedOperation,
  { fields, given = {} }: Pick<FormShape, 'fields' | 'given'>,
  isPortal: boolean,
): readonly string[] {
  const known = [...hidden, ...Object.keys(given), ...(isPortal ? operation.notAtPortal : [])];
  return fields ?? Object.keys(operation.input.properties).filter((name) => !known.includes(name));
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
  if (schema.contentEncoding === 'base64' || (schema.maxLength ?? 0) > FILE_LENGTH) return 'file';
  return (schema.maxLength ?? 0) > LINE_LENGTH ? 'long' : 'text';
}

/** Whether the schema refuses line breaks. */
export function isOneLine({ pattern }: FieldSchema): boolean {
  return pattern !== undefined && !new RegExp(pattern, 'u').test('one\ntwo');
}

/** Returns "Expires in" for `expires_in`. */
export function labelOf(name: string): string {
  return words(name);
}

/** Turns a description, which completes "must be …", into a hint. */
export function hintOf(schema: FieldSchema): string | undefined {
  const { description, enum: choices, type } = schema;
  if (description === undefined || choices !== undefined) return undefined;
  const text = type === 'boolean' ? description.replace(/^true (?:to|for|if|where) /, '') : description;
  // The encoding concerns only programs.
  const plain = schema.contentEncoding === undefined ? text : text.replace(/, in base 64$/, '');
  const hint = plain.charAt(0).toUpperCase() + plain.slice(1);
  return type === 'object' && !hint.startsWith('JSON') ? `${hint}. One per line, as name: value` : hint;
}

export function startOf(schema: FieldSchema): string | boolean {
  if (schema.type === 'boolean') return schema.default === true;
  return schema.default === undefined ? '' : String(schema.default);
}

/**
 * Builds the operation's input. Empty fields are left out, except those that had a value at the
 * `start` and were emptied.
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

/** Returns the messages of fields that cannot be parsed. */
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
      return 'fault' in read ? [[name, `Must be ${read.fault}.`]] : [];
    }),
  );
}

/** Formats an input for the review, such as an amount with its currency. */
export function reviewText(
  operation: DescribedOperation,
  name: string,
  value: unknown,
  input: Given,
): unknown {
  const schema = operation.input.properties[name];
  const kind = schema?.['x-typed'];
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

/** Parses JSON, or lines of names and values. The server refuses other text. */
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

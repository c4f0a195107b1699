/**
 * The values of requests: valid by a schema, and invalid in all ways that are known to cause
 * failures.
 */
import fc from 'fast-check';

export type Json = Readonly<Record<string, unknown>>;

/** Values to take for a field, by its name. */
export type Pools = Readonly<Record<string, readonly unknown[]>>;

/** A piece of JSON text that is sent unchanged, including text that no value produces. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const prototypeNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
];

const nastyTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u{1F4A5}\u202E\u0301',
  'Ｉｌｅ',
  '\ufeff',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '1e3',
  '0x10',
  '٠١٢٣',
  '100.001',
  '-1',
  '99999999999999999999.99',
  '9'.repeat(400),
  'x'.repeat(5_000),
  'null',
  'true',
  '[object Object]',
  '../../etc/passwd',
  '%00',
  "' or 1=1 --",
  '{"a":1}',
  '2026-02-30',
  '0001-01-01',
  '9999-12-31T23:59:59Z',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '2026-11-22T00:00:00+23:59',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '3650d',
  '9999999s',
  '2147483648',
  '9223372036854775808',
  '999999999999999999',
  'AAAA',
  'eyJhIjoxfQ',
  'a@b.example',
  'https://user:pass@[::1]:8443/x?y#z',
  'http://169.254.169.254/',
  ...prototypeNames,
];

const nastyJson = [
  'null',
  'true',
  '[]',
  '{}',
  '-0',
  '1e400',
  '-1e400',
  '1e-400',
  '0.1',
  '9007199254740993',
  '2147483648',
  '-2147483649',
  '9223372036854775808',
  '1'.repeat(400),
  'NaN',
  'Infinity',
  '-Infinity',
  'undefined',
  '01',
  '1.',
  "'x'",
  '"\\ud800"',
  '"a\\udc00b"',
  '"\\u0000"',
  '"\\x41"',
  '"\u0007"',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"toString":1,"valueOf":null}',
  '{"a":1,"a":2}',
  '["\\ud800",null,{"":[]}]',
  '[1,2,3]',
  '["viewer"]',
  '["viewer","viewer"]',
  '[["viewer"]]',
];

/** A random text: any code units, including lone surrogates. */
export const wildText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...nastyTexts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
      .map((units) => String.fromCharCode(...units)),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
);

const depths = [10, 100, 1_000, 10_000];

/** Any value, as text that may be invalid JSON. */
export const wildJson: fc.Arbitrary<RawJson> = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...nastyJson) },
    { weight: 4, arbitrary: wildText.map((text) => JSON.stringify(text)) },
    { weight: 1, arbitrary: fc.double().map(String) },
    { weight: 1, arbitrary: fc.bigInt().map(String) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...depths), fc.constantFrom('[]', '{"a":}'))
        .map(([depth, [open = '', ...close]]) =>
          open === '['
            ? '['.repeat(depth) + ']'.repeat(depth)
            : `${'{"a":'.repeat(depth)}1${(close.at(-1) ?? '').repeat(depth)}`,
        ),
    },
  )
  .map((text) => new RawJson(text));

/** The JSON text of a value in which pieces may be raw. */
export function toJsonText(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${toJsonText(item)}`);
  return `{${fields.join(',')}}`;
}

/** Makes values that a JSON schema allows. `root` contains the referenced schemas. */
export function createValues(root: Json, pools: Pools) {
  const resolve = (schema: Json): Json => {
    const { $ref } = schema;
    if (typeof $ref !== 'string') return schema;
    const found = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((part, name) => Reflect.get(Object(part), name), root);
    return resolve(found as Json);
  };

  const objectOf = (schema: Json): fc.Arbitrary<unknown> => {
    const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Json>>);
    const required = new Set((schema.required ?? []) as readonly string[]);
    const fields = properties.map(
      ([name, part]) => [name, arbitraryOf(part, name), required.has(name)] as const,
    );
    return fc
      .tuple(
        ...fields.map(([name, arbitrary, isRequired]) =>
          isRequired
            ? arbitrary.map((value) => [name, value] as const)
            : fc.option(arbitrary, { freq: 2, nil: undefined }).map((value) => [name, value] as const),
        ),
      )
      .map((pairs) => Object.fromEntries(pairs.filter(([, value]) => value !== undefined)));
  };

  const textOf = ({ pattern, format, minLength = 0, maxLength = 30 }: Json): fc.Arbitrary<unknown> => {
    if (format === 'uuid') return fc.uuid();
    if (format === 'date') return fc.constantFrom('2026-11-21', '2026-11-22', '2024-02-29');
    if (format === 'date-time')
      return fc.constantFrom('2026-11-21T00:00:00Z', '2026-11-22T01:02:03.456+01:00');
    if (typeof pattern === 'string') return matching(pattern);
    const longest = Math.min(Number(maxLength), Number(minLength) + 30);
    return fc.string({ minLength: Number(minLength), maxLength: longest });
  };

  const anyOf = (schema: Json, name: string): fc.Arbitrary<unknown> => {
    if ('const' in schema) return fc.constant(schema.const);
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
    const choices = (schema.oneOf ?? schema.anyOf) as readonly Json[] | undefined;
    if (choices !== undefined && schema.properties === undefined) {
      return fc.oneof(...choices.map((choice) => arbitraryOf(choice, name)));
    }
    const [type] = [schema.type].flat();
    const { minimum = 0, maximum = 1_000, maxItems = 3, minItems = 0 } = schema;
    switch (type) {
      case 'integer':
        return fc.integer({ min: Number(minimum), max: Math.min(Number(maximum), 2 ** 31 - 1) });
      case 'number':
        return fc.double({ min: Number(minimum), max: Number(maximum), noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(arbitraryOf((schema.items ?? {}) as Json, name), {
          minLength: Number(minItems),
          maxLength: Math.max(Number(minItems), Math.min(3, Number(maxItems))),
        });
      case 'string':
        return textOf(schema);
      default:
        return schema.properties === undefined ? fc.constantFrom('x', 1, {}) : objectOf(schema);
    }
  };

  const arbitraryOf = (given: Json, name = ''): fc.Arbitrary<unknown> => {
    const schema = resolve(given);
    const made = anyOf(schema, name);
    const known = [...(pools[name] ?? []), ...((schema.examples ?? []) as readonly unknown[])];
    return known.length === 0
      ? made
      : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: made });
  };
  return { valueOf: arbitraryOf };
}

/**
 * Generates matches of simple patterns only: fast-check does not support look-arounds, and takes
 * minutes for nested alternatives. Otherwise returns a text that many fields accept.
 */
function matching(pattern: string): fc.Arbitrary<string> {
  const isSimple = pattern.length <= 60 && !/\(\?|\\p|\d{3,}\}|\|/.test(pattern);
  const usual = fc.constantFrom('100', '5000.50', 'plain text', 'SHOP-1', '7d', '08031234567');
  return isSimple ? fc.stringMatching(new RegExp(pattern, 'u'), { size: '-1' }) : usual;
}

/**
 * Describes the input of a route as one canonical request. The gateway accepts more: other names of
 * fields, other letter cases, numbers for ids, null or empty text for an absent field. The
 * descriptions mention other names as text, so that generated types stay readable. Pure.
 */

import { isRecord } from '../../../core/json.ts';
import { mobileNetworkSpellings, mobileNetworks } from '../../../core/products/network.ts';
import { billProducts } from '../../../core/products/product.ts';
import { anyCasePattern } from '../any-case.ts';
import type { Format } from '../formats.ts';
import { annotationNames } from './annotations.ts';
import { type Json, memberOf, textsOf, without } from './json.ts';

/** A body, from the schema of its validator. */
export function describeBody(schema: Json): Json {
  return Array.isArray(schema.oneOf) ? describeChoice(schema) : describeObject(schema);
}

/** A body that is one of several, chosen by a field. */
function describeChoice(schema: Json): Json {
  const { title, description, discriminator, oneOf } = schema;
  const branches: readonly Json[] = Array.isArray(oneOf) ? oneOf.filter(isRecord) : [];
  const name = String(memberOf(schema, 'discriminator').propertyName);
  const mapping = branches.map((branch) => [
    String(memberOf(memberOf(branch, 'properties'), name).const),
    `#/components/schemas/${String(branch.title)}`,
  ]);
  return {
    title,
    description,
    discriminator: { ...(isRecord(discriminator) && discriminator), mapping: Object.fromEntries(mapping) },
    oneOf: branches.map(describeObject),
  };
}

function describeObject(schema: Json): Json {
  const fields = Object.entries(memberOf(schema, 'properties')).map(
    ([name, field]) => [name, isRecord(field) ? field : {}] as const,
  );
  const own = fields.filter(([, field]) => field['x-alias-of'] === undefined);
  const properties = own.map(([name, field]) => {
    const others = fields.filter(([, other]) => other['x-alias-of'] === name).map(([other]) => other);
    const described = describeField(field);
    const also = others.length === 0 ? '' : `; also accepted as ${others.join(', ')}`;
    return [name, { ...described, description: `${String(described.description)}${also}` }];
  });
  return {
    ...without(schema, 'properties', 'x-any-of', 'x-examples'),
    properties: Object.fromEntries(properties),
  };
}

/**
 * One field or parameter. Lists of words become enums, and formats that only our validators know
 * become patterns. A default is stated as text, because generators treat a field with a default as
 * required.
 */
export function describeField(field: Json): Json {
  const { format, anyOf, default: fallback, description } = field;
  const described: Record<string, unknown> = {
    ...without(field, ...annotationNames, 'format', 'default'),
  };
  if (typeof format === 'string') Object.assign(described, describeFormat(format));
  const words = textsOf(field['x-words']);
  if (words.length > 0) {
    delete described.pattern;
    described.enum = words;
  }
  if (fallback !== undefined)
    described.description = `${String(description)}; ${String(fallback)} when absent`;
  if (Array.isArray(anyOf)) described.anyOf = anyOf.filter(isRecord).map(describeField);
  return described;
}

function describeFormat(format: string): Json {
  if (!isOurs(format)) return { format };
  const words = formatWords[format];
  return words === undefined ? { pattern: formatPatterns[format] } : { enum: [...words] };
}

function isOurs(format: string): format is Format {
  return Object.hasOwn(formatPatterns, format);
}

/** The parameters of a route, from the schema of its query or its path. */
export function describeParameters(schema: Json, place: 'query' | 'path'): Json[] {
  const required = textsOf(schema.required);
  return Object.entries(memberOf(schema, 'properties')).map(([name, field]) => {
    const { description, examples, ...rest } = describeField(isRecord(field) ? field : {});
    const isRequired = required.includes(name);
    return {
      name,
      in: place,
      required: isRequired,
      description,
      schema: rest,
      ...(Array.isArray(examples) && { example: examples[0] }),
      // An empty value in a query counts as absent.
      ...(!isRequired && { allowEmptyValue: true }),
    };
  });
}

// C0 and C1 control characters and DEL.
const control = '\\x00-\\x1f\\x7f-\\x9f';

const amount = '(?:0\\.(?:0[1-9]|[1-9][0-9]?)|[1-9][0-9]{0,9}(?:\\.[0-9]{1,2})?)';

const mobileNumber = '(?:0|\\+?2340?)(?:(?:[78](?:0[1-9]|1[0-9])|9[01][0-9])[0-9]{7}|8000000[0-9]{3})';

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

export const formatPatterns: Readonly<Record<Format, string>> = {
  'clean-text': `^(?:[^\\s${control}](?:[^${control}]*[^\\s${control}])?)?$`,
  'naira-amount': `^${amount}$`,
  'airtime-amount': `^${amount}$`,
  'mobile-number': `^${mobileNumber}$`,
  'mobile-network': anyCasePattern(mobileNetworkSpellings),
  'phone-number': `^(?:${mobileNumber}|\\+[1-9][0-9]{6,14})$`,
  'e-mail': `^${atom}(?:\\.${atom})*@(?:${label}\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$`,
  day: '^[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$',
  bvn: '^[0-9]{11}$',
  'bill-product': anyCasePattern(billProducts),
};

/** The formats that are lists of words, in the spelling of the interface. */
const formatWords: Readonly<Partial<Record<Format, readonly string[]>>> = {
  'mobile-network': mobileNetworks.map((network) => network.toLowerCase()),
  'bill-product': billProducts.map((product) => product.toLowerCase()),
};

/**
 * What a route takes, as the document tells it: one canonical request. The gateway accepts more
 * than that: other names of fields, other letter cases, numbers for ids, null or empty text for an
 * absent field. The descriptions name other names in words, so that generated types stay readable.
 * Pure.
 */

import { isRecord } from '../../../kernel/json.ts';
import type { Format } from '../formats.ts';
import { annotationNames } from './annotations.ts';
import { formatPatterns, formatWords } from './format-patterns.ts';
import { type Json, memberOf, textsOf, without } from './json.ts';

/** A body, from the schema that its validator has. */
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
 * One field or parameter: lists of words as such, and patterns for what only our own validators
 * know. A default is told in words: generators take a field with one for required.
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
      // What is empty in a query is absent.
      ...(!isRequired && { allowEmptyValue: true }),
    };
  });
}

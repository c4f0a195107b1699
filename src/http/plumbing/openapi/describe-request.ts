/**
 * What a route takes, as the document tells it: every spelling that is accepted is valid by it. The
 * validators see a body after its aliases, numbers and nulls are resolved, so their schemas know
 * one spelling; the others are written into the document from the same schemas. Pure.
 */

import { isRecord } from '../../../kernel/json.ts';
import { anyCasePattern } from '../any-case.ts';
import type { Format } from '../formats.ts';
import { annotationNames } from './annotations.ts';
import { formatPatterns } from './format-patterns.ts';
import { type Json, memberOf, textsOf, without } from './json.ts';

/** How a body is written, and so what stands for an absent field: null, or an empty part. */
export type Spelling = 'json' | 'form';

/** A body, from the schema that its validator has. */
export function describeBody(schema: Json, spelling: Spelling = 'json'): Json {
  return Array.isArray(schema.oneOf) ? describeChoice(schema, spelling) : describeObject(schema, spelling);
}

/** A body whose discriminator may be written in any letter case. */
function describeChoice(schema: Json, spelling: Spelling): Json {
  const { title, description, discriminator, oneOf } = schema;
  const branches: readonly Json[] = Array.isArray(oneOf) ? oneOf.filter(isRecord) : [];
  const name = String(memberOf(schema, 'discriminator').propertyName);
  const mapping = branches.flatMap((branch) => {
    const word = String(memberOf(memberOf(branch, 'properties'), name).const);
    const spellings = new Set([word, word.toLowerCase(), word.toUpperCase()]);
    return [...spellings].map((text) => [text, `#/components/schemas/${String(branch.title)}`]);
  });
  return {
    title,
    description,
    discriminator: { ...(isRecord(discriminator) && discriminator), mapping: Object.fromEntries(mapping) },
    oneOf: branches.map((branch) => describeObject(branch, spelling)),
  };
}

function describeObject(schema: Json, spelling: Spelling): Json {
  const fields = memberOf(schema, 'properties');
  const required = textsOf(schema.required);
  const aliases = aliasesIn(fields);
  const namesOf = (field: string): readonly string[] => [field, ...(aliases.get(field) ?? [])];
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const isNeeded = required.includes(name) && !aliases.has(name);
      const described = describeField(withTarget(fields, isRecord(field) ? field : {}));
      return [name, isNeeded ? described : orAbsent(described, spelling)];
    }),
  );
  const groups = [
    ...required.filter((name) => aliases.has(name)).map(namesOf),
    ...(textsOf(schema['x-any-of']).length > 0 ? [textsOf(schema['x-any-of']).flatMap(namesOf)] : []),
  ];
  const isPresent = (name: string): Json => ({
    required: [name],
    properties: { [name]: { type: typeOf(describeField(withTarget(fields, memberOf(fields, name)))) } },
  });
  const needed = required.filter((name) => !aliases.has(name));
  return {
    ...without(schema, 'properties', 'required', 'x-any-of', 'x-examples'),
    properties,
    ...(needed.length > 0 && { required: needed }),
    ...(groups.length > 0 && { allOf: groups.map((names) => ({ anyOf: names.map(isPresent) })) }),
  };
}

/** The other names of each field that has some. */
function aliasesIn(fields: Json): ReadonlyMap<string, readonly string[]> {
  const aliases = new Map<string, readonly string[]>();
  for (const [name, field] of Object.entries(fields)) {
    const target = isRecord(field) ? field['x-alias-of'] : undefined;
    if (typeof target === 'string' && target in fields) {
      aliases.set(target, [...(aliases.get(target) ?? []), name]);
    }
  }
  return aliases;
}

/** An alias is all that its field is. */
function withTarget(fields: Json, field: Json): Json {
  const target = field['x-alias-of'];
  return typeof target === 'string' && target in fields
    ? { ...without(memberOf(fields, target), 'examples'), description: field.description }
    : field;
}

/** One field or parameter, with patterns for what only our own validators know. */
export function describeField(field: Json): Json {
  const { format, const: word, enum: words, anyOf } = field;
  const described: Record<string, unknown> = {
    ...without(field, ...annotationNames, 'format', 'const', 'enum'),
  };
  if (typeof format === 'string') {
    if (isOurs(format)) described.pattern = formatPatterns[format];
    else described.format = format;
  }
  if (field['x-any-case'] === true) {
    described.pattern = anyCasePattern(typeof word === 'string' ? [word] : textsOf(words));
  } else {
    if (word !== undefined) described.const = word;
    if (words !== undefined) described.enum = words;
  }
  if (field['x-or-integer'] === true) described.type = ['string', 'integer'];
  if (Array.isArray(anyOf)) described.anyOf = anyOf.filter(isRecord).map(describeField);
  return described;
}

function isOurs(format: string): format is Format {
  return Object.hasOwn(formatPatterns, format);
}

function orAbsent(field: Json, spelling: Spelling): Json {
  if (spelling === 'form') {
    const { description, ...rest } = field;
    return field.contentMediaType === undefined ? { description, anyOf: [rest, { const: '' }] } : field;
  }
  return Array.isArray(field.anyOf)
    ? { ...field, anyOf: [...field.anyOf, { type: 'null' }] }
    : { ...field, type: [...[typeOf(field)].flat(), 'null'] };
}

function typeOf({ type }: Json): unknown {
  return type;
}

/** The parameters of a route, from the schema of its query or its path. */
export function describeParameters(schema: Json, place: 'query' | 'path'): Json[] {
  const required = textsOf(schema.required);
  return Object.entries(memberOf(schema, 'properties')).map(([name, field]) => {
    // Numbers in a path are digits anyway.
    const { description, examples, ...rest } = describeField(
      isRecord(field) ? without(field, 'x-or-integer') : {},
    );
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

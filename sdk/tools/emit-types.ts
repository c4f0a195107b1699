/**
 * Generates TypeScript from an OpenAPI document: a type for each schema, and the input and answer
 * of each operation. The same document gives the same text.
 *
 * If the document accepts several names for a field, the type has the first, which is the field's
 * own.
 */

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly contentMediaType?: string;
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
};

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const header = `/**
 * The requests and answers of the API, generated from its OpenAPI document by \`npm run sdk-types\`.
 * Do not edit it.
 */
`;

/** The complete file. */
export function emitTypes(document: OpenApiDocument): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `${comment(schema.description, '')}export type ${nameOf(name)} =${spaced(typeOf(schema, ''))};\n`,
  );
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const types = all.map(({ operation }) => `  ${operation.operationId}: ${operationType(operation)};\n`);
  const table = all.map(
    ({ path, method, operation }) =>
      `  ${operation.operationId}: { method: ${quote(method.toUpperCase())}, path: ${quote(path)} },\n`,
  );
  return [
    header,
    ...schemas,
    `/** By operation: its input in path, query and body, and its answer. */\nexport type Operations = {\n${types.join('')}};\n`,
    `/** By operation: its method and path. */\nexport const operations = {\n${table.join('')}} as const;\n`,
  ].join('\n');
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const json = 'application/json';
  const body = requestBody?.content[json]?.schema;
  const answer = responses['200']?.content ?? {};
  return [
    '{',
    `    path: ${parametersType(parameters, 'path')};`,
    `    query: ${parametersType(parameters, 'query')};`,
    `    body: ${body === undefined ? 'undefined' : typeOf(body, '    ')};`,
    `    answer: ${answer[json] === undefined ? 'Uint8Array' : typeOf(answer[json].schema, '    ')};`,
    '  }',
  ].join('\n');
}

function parametersType(parameters: readonly Parameter[], place: string): string {
  const own = parameters.filter((parameter) => parameter.in === place);
  if (own.length === 0) return 'undefined';
  const lines = own.map(
    ({ name, required, description, schema }) =>
      `${comment(description, '      ')}      ${key(name)}${required === true ? '' : '?'}: ${typeOf(schema, '      ')};`,
  );
  return `{\n${lines.join('\n')}\n    }`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.replace('#/components/schemas/', ''));
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map(literal), indent);
  if (schema.discriminator !== undefined) return discriminated(schema, indent);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined && schema.properties === undefined) {
    return alternatives.map((one) => typeOf(one, indent)).join(' | ');
  }
  const types = [schema.type ?? 'object'].flat();
  return types.map((type) => simpleType(type, schema, indent)).join(' | ');
}

function simpleType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'string':
      return schema.contentMediaType === undefined ? 'string' : 'Blob';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return type;
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent);
      return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
    }
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`no type is known for a schema of type ${type}`);
  }
}

function objectType(schema: Schema, indent: string): string {
  const { dropped, needed } = namesOf(schema);
  const required = new Set([...(schema.required ?? []), ...needed.keys()]);
  const inner = `${indent}  `;
  const lines = Object.entries(schema.properties ?? {})
    .filter(([name]) => !dropped.has(name))
    .map(([name, property]) => {
      // The group of names that contains the type of a required field: it is not null.
      const type = typeOf(needed.get(name) ?? property, inner);
      return `${comment(property.description, inner)}${inner}${key(name)}${required.has(name) ? '' : '?'}: ${type};`;
    });
  const [others] = Object.values(schema.patternProperties ?? {});
  const open = schema.additionalProperties === true ? {} : others;
  if (open !== undefined) {
    lines.push(`${inner}[name: string]: ${others === undefined ? 'unknown' : typeOf(others, inner)};`);
  }
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n${indent}}`;
}

/**
 * Each part of `allOf` states that one of some names is required. The first is the field's own. The
 * others are dropped, and so are optional names that are documented as aliases.
 */
function namesOf(schema: Schema): { dropped: Set<string>; needed: Map<string, Schema> } {
  const dropped = new Set<string>();
  const needed = new Map<string, Schema>();
  for (const { anyOf = [] } of schema.allOf ?? []) {
    for (const [index, alternative] of anyOf.entries()) {
      const name = alternative.required?.[0] ?? '';
      if (index === 0) needed.set(name, alternative.properties?.[name] ?? {});
      else dropped.add(name);
    }
  }
  for (const [name, { description = '' }] of Object.entries(schema.properties ?? {})) {
    if (/another name of/.test(description)) dropped.add(name);
  }
  return { dropped, needed };
}

/** Each alternative with the values of the field that distinguishes them. */
function discriminated({ discriminator, oneOf = [] }: Schema, indent: string): string {
  const { propertyName = '', mapping = {} } = discriminator ?? {};
  return oneOf
    .map((one) => {
      const values = Object.entries(mapping)
        .filter(([, target]) => target === one.$ref)
        .map(([value]) => literal(value));
      return `\n${indent}  | (${typeOf(one, indent)} & { ${propertyName}: ${values.join(' | ')} })`;
    })
    .join('');
}

/** On one line if it fits. */
function unionOf(literals: readonly string[], indent: string): string {
  const line = literals.join(' | ');
  if (indent.length + line.length <= columnsMax) return line;
  return literals.map((one) => `\n${indent}  | ${one}`).join('');
}

function spaced(type: string): string {
  return type.startsWith('\n') ? type : ` ${type}`;
}

/** A schema must not hide a global type of the same name. */
function nameOf(schema: string): string {
  return schema === 'Error' ? 'Refusal' : schema;
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quote(name);
}

function literal(value: unknown): string {
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

const columnsMax = 100;

/** A comment of as many lines as needed. Empty for empty text. */
function comment(text: string | undefined, indent: string): string {
  if (text === undefined || text === 'a JSON object') return '';
  const words = text.replaceAll('*/', '* /').split(/\s+/);
  const one = `${indent}/** ${words.join(' ')} */\n`;
  if (one.length <= columnsMax) return one;
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1) ?? '';
    if (`${indent} * ${line} ${word}`.length > columnsMax) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

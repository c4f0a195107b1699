/**
 * Gives the schemas of an OpenAPI document their names: each that has a title moves to
 * `components.schemas` under it, and where it stood a reference remains. The document gets short,
 * and generated clients get one type for each.
 */

type Json = Record<string, unknown>;

/**
 * `document` with its titled schemas named. Two different schemas of one title are a mistake:
 * throws an Error.
 */
export function nameSchemas<Document extends { paths?: unknown; components?: unknown }>(
  document: Document,
): Document {
  const named = new Map<string, Json>();
  const paths = visit(document.paths, named);
  const components = isObject(document.components) ? document.components : {};
  return { ...document, paths, components: { ...components, schemas: Object.fromEntries(named) } };
}

function visit(value: unknown, named: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => visit(item, named));
  if (!isObject(value)) return value;
  const visited = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isExample(key) ? item : visit(item, named)]),
  );
  return isTitled(visited) ? reference(visited, named) : visited;
}

function reference(schema: Json & { title: string }, named: Map<string, Json>): Json {
  const whole = withMapping(schema, named);
  const known = named.get(schema.title);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(whole)) {
    throw new Error(`two different schemas are titled ${schema.title}`);
  }
  named.set(schema.title, whole);
  return { $ref: `#/components/schemas/${schema.title}` };
}

/**
 * A discriminator speaks of named schemas, so the document says which value stands for which name.
 */
function withMapping(schema: Json, named: Map<string, Json>): Json {
  const { discriminator, oneOf } = schema;
  if (!isObject(discriminator) || !Array.isArray(oneOf)) return schema;
  const mapping = oneOf.map(({ $ref }: { $ref: string }) => {
    const properties = named.get($ref.slice($ref.lastIndexOf('/') + 1))?.properties;
    const tag = isObject(properties) ? properties[String(discriminator.propertyName)] : undefined;
    return [isObject(tag) ? tag.const : undefined, $ref];
  });
  return { ...schema, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } };
}

function isTitled(value: Json): value is Json & { title: string } {
  return value.type === 'object' && typeof value.title === 'string';
}

/** Examples are data: what looks like a schema in them is none. */
function isExample(key: string): boolean {
  return key === 'example' || key === 'examples';
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

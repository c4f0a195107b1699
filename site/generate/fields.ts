/** Tables of the fields of requests and answers, from the schemas of the OpenAPI document. */
import { type OpenApi, resolve, type Schema } from './document.ts';

type Field = { readonly name: string; readonly type: string; readonly note: string };

/** The fields of a body. Other names of a field are shown beside it, not under it. */
export function bodyTables(document: OpenApi, schema: Schema): string {
  const whole = resolve(document, schema);
  const variants = whole.oneOf ?? whole.anyOf;
  if (variants === undefined || whole.properties !== undefined) return bodyTable(document, whole);
  return variants
    .map((variant) => {
      const { $ref = '' } = variant;
      const name = $ref.replace(/^.*\//, '').replace(/Transaction$/, '');
      return `### ${name}\n\n${bodyTable(document, resolve(document, variant))}`;
    })
    .join('\n\n');
}

function bodyTable(document: OpenApi, schema: Schema): string {
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, resolve(document, property)] as const,
  );
  const required = requiredOf(schema);
  const isOther = (property: Schema): boolean => / another name of \w+$/.test(property.description ?? '');
  const rows = properties
    .filter(([, property]) => !isOther(property))
    .map(([name, property]) => {
      const others = properties.flatMap(([other, { description = '' }]) =>
        description.endsWith(` another name of ${name}`) ? [`\`${other}\``] : [],
      );
      const also = others.length === 0 ? '' : `. Also taken as ${others.join(' or ')}`;
      return [
        `\`${name}\``,
        required.has(name) ? 'required' : 'optional',
        `${describe(property)}${defaultOf(property)}${also}`,
      ];
    });
  return table(['Field', '', 'Must be'], rows);
}

/** Of several names for one thing the first counts. */
function requiredOf({ required = [], allOf = [] }: Schema): ReadonlySet<string> {
  const alternatives = allOf.flatMap(({ anyOf = [] }) => anyOf[0]?.required ?? []);
  return new Set([...required, ...alternatives]);
}

/** The members of an answer, with a dot for each level. Empty if there are none. */
export function answerTable(document: OpenApi, schema: Schema): string {
  const rows = membersOf(document, schema, '').map(({ name, type, note }) => [`\`${name}\``, type, note]);
  return rows.length === 0 ? '' : table(['Member', 'Type', ''], rows);
}

function membersOf(document: OpenApi, schema: Schema, prefix: string): Field[] {
  const whole = resolve(document, schema);
  return Object.entries(whole.properties ?? {}).flatMap(([key, property]) => {
    const member = resolve(document, property);
    const inner = member.type === 'array' ? resolve(document, member.items ?? {}) : member;
    const name = `${prefix}${key}`;
    const own = { name, type: typeOf(member), note: describe(member) };
    const deeper = inner.properties === undefined ? [] : membersOf(document, inner, `${name}.`);
    return [own, ...deeper];
  });
}

function typeOf({ type, enum: values, const: value }: Schema): string {
  if (value !== undefined) return `\`${String(value)}\``;
  if (values !== undefined) return values.map((one) => `\`${String(one)}\``).join(', ');
  if (type === undefined) return '';
  return typeof type === 'string' ? type : type.join(' or ');
}

function describe({ description = '' }: Schema): string {
  return description.replaceAll('\n', ' ');
}

function defaultOf(schema: Schema): string {
  return schema.default === undefined ? '' : `; \`${String(schema.default)}\` when absent`;
}

export function parameterDescription(schema: Schema, description: string | undefined): string {
  const choices = schema.enum === undefined || description ? '' : typeOf(schema);
  return `${description ?? choices}${defaultOf(schema)}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

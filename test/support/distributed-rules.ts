/**
 * Checks the tables and the SQL of the path of a purchase against Citus's rules for tables that are
 * distributed by a column (https://docs.citusdata.com: "Creating and Modifying Distributed
 * Objects", "SQL Support and Workarounds", "Citus Utility Functions"). It reads text, and needs no
 * database.
 */

/** The column by which the tables would be distributed. */
const column = 'merchant_id';

export type Table = {
  readonly name: string;
  readonly hasColumn: boolean;
  readonly keys: readonly { readonly name: string; readonly columns: string }[];
  readonly references: readonly { readonly name: string; readonly columns: string; readonly table: string }[];
  readonly triggers: readonly string[];
  /** The tables behind a view; empty for a table. */
  readonly sources: readonly string[];
};

/** Reads the tables and views of the text of migrations. */
export function readTables(schema: string): Map<string, Table> {
  const tables = new Map<string, Table>();
  for (const [, name = '', body = ''] of schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\)/gm)) {
    const keys = [...body.matchAll(/constraint (\w+) (?:primary key|unique)[^(]*\(([^)]*)\)/g)];
    const references = [...body.matchAll(/constraint (\w+) foreign key \(([^)]*)\) references (\w+)/g)];
    const indexes = schema.matchAll(
      new RegExp(`^create unique index (\\w+)\\s+on ${name}(?: using \\w+)? \\((.*?)\\)`, 'gm'),
    );
    const triggers = [
      ...schema.matchAll(new RegExp(`^create (?:constraint )?trigger (\\w+)\\s.* on ${name}\\b`, 'gm')),
    ];
    tables.set(name, {
      name,
      hasColumn: new RegExp(`^  ${column} `, 'm').test(body),
      keys: [...keys, ...indexes].map(([, key = '', columns = '']) => ({ name: key, columns })),
      references: references.map(([, key = '', columns = '', table = '']) => ({ name: key, columns, table })),
      triggers: triggers.map(([, trigger = '']) => trigger),
      sources: [],
    });
  }
  for (const [, name = '', body = ''] of schema.matchAll(/^create view (\w+) as\n([\s\S]*?);/gm)) {
    const hasColumn = new RegExp(`\\b${column}\\b`).test(body);
    const sources = [...body.matchAll(/\b(?:from|join)\s+(\w+)/g)].map(([, source = '']) => source);
    tables.set(name, { name, hasColumn, keys: [], references: [], triggers: [], sources });
  }
  return tables;
}

export type SqlFunction = { readonly name: string; readonly args: string; readonly body: string };

/** From the texts of migrations, in order: a later one replaces an earlier one. */
export function readFunctions(texts: readonly string[]): Map<string, SqlFunction> {
  const functions = new Map<string, SqlFunction>();
  const pattern = /create (?:or replace )?function (\w+)\s*\(([^)]*)\)[^;]*?\bas \$(\w*)\$([\s\S]*?)\$\3\$/g;
  for (const text of texts) {
    for (const [, name = '', args = '', , body = ''] of withoutComments(text).matchAll(pattern)) {
      functions.set(name, { name, args, body });
    }
  }
  return functions;
}

/** The functions of a path, with those that they call. */
export function closureOf(
  functions: ReadonlyMap<string, SqlFunction>,
  entries: readonly string[],
): SqlFunction[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const one = functions.get(name);
    if (one === undefined || found.has(name)) return;
    found.add(name);
    for (const [, called = ''] of one.body.matchAll(/\b(\w+)\(/g)) visit(called);
  };
  for (const name of entries) visit(name);
  return [...found].sort().map((name) => functions.get(name) as SqlFunction);
}

/** The tables and views that these functions name, and the tables behind the views. */
export function tablesOf(functions: readonly SqlFunction[], tables: ReadonlyMap<string, Table>): Table[] {
  const named = functions.flatMap(({ body }) =>
    [...body.matchAll(/\b(?:from|join|into|update|using)\s+(\w+)/g)].map(([, name = '']) => name),
  );
  const behind = named.flatMap((name) => tables.get(name)?.sources ?? []);
  return [...new Set([...named, ...behind])].sort().flatMap((name) => tables.get(name) ?? []);
}

/** Lists the changes that the tables would need, one line each. */
export function departuresOfTables(hot: readonly Table[]): string[] {
  return hot.flatMap((table) => [
    ...(table.hasColumn ? [] : [`${table.name}: has no ${column}`]),
    ...table.keys
      .filter(({ columns }) => table.hasColumn && !namesColumn(columns))
      .map(({ name, columns }) => `${table.name}: unique without ${column}: ${name} (${columns})`),
    ...table.references
      .filter(({ columns }) => !namesColumn(columns))
      .map(
        ({ name, table: other }) =>
          `${table.name}: ${name} refers to ${other}, which must be a reference table`,
      ),
    ...table.triggers.map((name) => `${table.name}: trigger ${name}`),
  ]);
}

/** Lists the changes that the functions would need. */
export function departuresOfFunctions(functions: readonly SqlFunction[], hot: readonly Table[]): string[] {
  const distributed = hot.filter(({ hasColumn }) => hasColumn).map(({ name }) => name);
  return functions.flatMap(({ name, args, body }) => [
    ...(/\bp_merchant_id (?:integer|int)\b/.test(args)
      ? []
      : [`${name}: no argument is the ${column}, so it is not delegated`]),
    ...unbound(body, distributed).map((what) => `${name}: ${what}`),
  ]);
}

/** Joins and reads of distributed tables that do not state the merchant. */
function unbound(body: string, distributed: readonly string[]): string[] {
  const tables = distributed.join('|');
  const pattern = new RegExp(`\\b(join|from|update|using)\\s+(${tables})\\b`, 'g');
  const found = [...body.matchAll(pattern)].flatMap((match) => {
    const [, verb = '', table = ''] = match;
    const rest = body.slice(match.index + match[0].length);
    return namesColumn(clauseOf(rest, verb)) ? [] : [`${verb} ${table} without ${column}`];
  });
  return [...new Set(found)].sort();
}

/** The end of this table's conditions: the next join, or the end of the statement. */
function clauseOf(rest: string, verb: string): string {
  const end = verb === 'join' ? /\b(?:join|cross|where|group|order|window)\b|;/ : /;/;
  const until = rest.search(end);
  const clause = until === -1 ? rest : rest.slice(0, until);
  return clause.slice(0, closingOf(clause));
}

/** The position of the bracket that closes the one around this text. */
function closingOf(text: string): number {
  let depth = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return index;
  }
  return text.length;
}

function namesColumn(text: string): boolean {
  return new RegExp(`\\b${column}\\b`).test(text);
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--.*$/gm, '');
}

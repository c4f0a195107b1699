/**
 * Every route and operation, against every kind of credential, token, session and role: the
 * registries' rules as one table.
 */

import { operations } from '../../../src/backoffice/operations/registry.ts';
import { isSensitive, merchantRoles, roles } from '../../../src/core/operation.ts';
import type { ApiDocument } from '../../support/contract.ts';
import { consoleRules, fileRule, openPaths, signedPath, testPaths } from './rules.ts';

export type RegisteredOperation = (typeof operations)[number];

/** `step`: yes, after the password was entered again. */
export type Word = 'yes' | 'step' | '401' | '403' | '404';

/** A route of a Fastify server: its paths as `printRoutes` draws them. */
export type Route = { readonly method: string; readonly path: string };

export function routesIn(drawn: string): Route[] {
  const open: string[] = [];
  return drawn.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^((?:[│ ] {3})*)[├└]── (.*?) \(([A-Z, ]+)\)$/u.exec(line) ?? [];
    if (part === '') return [];
    const depth = indent.length / 4;
    open.length = depth;
    open[depth] = part;
    // A star is printed without its slash.
    const path = open.join('').replace(/(?<!\/)\*$/, '/*');
    return methods.split(', ').map((method) => ({ method, path }));
  });
}

/** Of the merchants' API. The first two columns of kinds are who has no use of it anywhere. */
export const apiKinds = {
  none: '401',
  nonsense: '401',
  'wrong secret': '401',
  'key alone': '401',
  Basic: '401',
  Bearer: '401',
  'admin token': '401',
  revoked: '401',
  expired: '401',
  'other address': '403',
  suspended: 'reads',
  test: 'yes',
  live: 'all but tests',
  "another merchant's": 'yes',
} as const;
export type ApiKind = keyof typeof apiKinds;

export function isOpen(path: string): boolean {
  return openPaths.some(([, open]) => open.test(path));
}

/** The rule in the document, if it has the route; a hidden route needs a credential. */
export function isOpenByDocument(document: ApiDocument, { method, path }: Route): boolean | undefined {
  const template = path.replaceAll(/:(\w+)/g, '{$1}');
  const operation = document.paths[template]?.[method.toLowerCase()];
  if (operation === undefined) return undefined;
  return (Reflect.get(operation, 'security') as readonly unknown[] | undefined)?.length === 0;
}

export function apiWord({ method, path }: Route, kind: ApiKind): Word {
  if (isOpen(path)) return 'yes';
  const isRead = method === 'GET' || method === 'HEAD';
  const word = apiKinds[kind];
  if (word === 'reads') return isRead ? 'yes' : '403';
  if (word === 'all but tests') return testPaths.test(path) ? '403' : 'yes';
  return word;
}

/** Refused by the admin API for any input. */
export const strangersToAdmin = [
  'none',
  'nonsense',
  'wrong secret',
  'Basic',
  "a merchant's key",
  'revoked',
  'expired',
];

export type SessionKind = { readonly name: string; readonly word: Word };

/**
 * Refused by the console and the portal. The last is a page of another site in a current browser.
 */
export const strangersToConsole: readonly SessionKind[] = [
  { name: 'none', word: '401' },
  { name: 'nonsense', word: '401' },
  { name: 'half open', word: '401' },
  { name: 'ended', word: '401' },
  { name: 'idle', word: '401' },
  { name: 'expired', word: '401' },
  { name: 'of a suspended user', word: '401' },
  { name: 'of the other listener', word: '401' },
  { name: 'from another site', word: '403' },
];

export function operatorWord(operation: RegisteredOperation, role: (typeof roles)[number]): Word {
  return operation.roles.includes(role) ? 'yes' : '403';
}

export function portalWord({ portal }: RegisteredOperation, role: (typeof merchantRoles)[number]): Word {
  if (portal === undefined) return '403';
  return role === 'owner' || portal.roles.includes(role) ? 'yes' : '403';
}

/** The page of the documentation. Routes and operations with the same cells share a row. */
export function accessPage(routes: readonly Route[]): string {
  const refused = apiKindNames.filter((kind) => /^4/.test(apiKinds[kind]));
  return `${head}

## The merchants' API

${wrapped(`Refused with 401, except on open routes: ${refused.filter((kind) => apiKinds[kind] === '401').join(', ')}.
Refused with 403: ${refused.filter((kind) => apiKinds[kind] === '403').join(', ')}. A merchant reaches only its own data.
A hook must carry the provider's signature where the provider has one.`)}

${apiTable(routes)}

## Operations

${wrapped(`The command line has no roles, or those of \`OJA_TOKEN\`. The admin API refuses these credentials: ${strangersToAdmin.join(', ')}.
The console and the portal refuse these sessions: ${strangersToConsole.map(({ name }) => name).join(', ')}.
\`again\`: the console and the portal ask for the password again. They also ask for it before these lists are saved as files:
${operations
  .filter(({ name }) => fileRule.names.test(name))
  .map(({ name }) => code(name))
  .join(', ')}.`)}

${operationsTable()}

## Other paths of the console and the portal

${table(
  ['Open to', 'Paths'],
  rowsByCells(
    Object.entries(consoleRules).map(([path, need]) => ({
      cells: [need === 'nobody' ? 'everyone' : need],
      name: code(path),
    })),
  ),
)}
`;
}

const head = `# Who may do what

\`npm run access\` writes this page from the registries. \`test/drills/access.test.ts\` compares it
with them and with hand-written rules (\`test/backoffice/access/rules.ts\`), and tries each cell at a
running gateway. A new route or operation without a rule fails that test.`;

/** Documents have lines of at most 100 columns, except tables. */
function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= 100)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(lines.length === 0 ? word : indent + word);
  }
  return lines.join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

function mark(word: Word): string {
  return word === 'yes' ? 'yes' : '–';
}

const apiKindNames = Object.keys(apiKinds) as ApiKind[];

function apiTable(routes: readonly Route[]): string {
  const shown = apiKindNames.filter((kind) => !/^4/.test(apiKinds[kind]) && kind !== "another merchant's");
  const cellsOf = (route: Route): string[] => {
    if (isOpen(route.path)) return ['everyone', ...shown.map(() => 'yes')];
    if (signedPath.test(route.path)) return ['a signature', ...shown.map(() => '–')];
    return ['a credential', ...shown.map((kind) => apiWord(route, kind))];
  };
  return table(
    ['Needs', ...shown, 'Routes'],
    rowsByCells(
      routes
        .filter(({ method }) => method !== 'HEAD')
        .map((route) => ({ cells: cellsOf(route), name: code(`${route.method} ${route.path}`) })),
    ),
  );
}

function operationsTable(): string {
  return table(
    [...roles, ...merchantRoles.map((role) => `portal: ${role}`), 'again', 'Operations'],
    rowsByCells(
      operations.map((operation) => ({
        cells: [
          ...roles.map((role) => mark(operatorWord(operation, role))),
          ...merchantRoles.map((role) => mark(portalWord(operation, role))),
          isSensitive(operation) ? 'again' : '',
        ],
        name: code(operation.name),
      })),
    ),
  );
}

/** A row for each combination of cells, with all names that have it. */
function rowsByCells(
  entries: readonly { readonly cells: readonly string[]; readonly name: string }[],
): string[][] {
  const rows = Map.groupBy(entries, ({ cells }) => cells.join('|'));
  return [...rows.values()].map((same) => [
    ...(same[0]?.cells ?? []),
    same.map(({ name }) => name).join(', '),
  ]);
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(names), `|${names.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

/**
 * Every route and operation, against every kind of credential, token, session and role: what the
 * registries say, as one table.
 */

import { operations } from '../../../src/backoffice/operations/registry.ts';
import { isSensitive, merchantRoles, roles } from '../../../src/core/operation.ts';
import type { ApiDocument } from '../../support/contract.ts';
import {
  consoleRules,
  fileRule,
  openPaths,
  operatorRules,
  portalRules,
  signedPath,
  stepUpRule,
  testPaths,
} from './rules.ts';

export type RegisteredOperation = (typeof operations)[number];

/** `step`: yes, once the password was given again. */
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
    // A star is drawn without its slash.
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

/** What the document says, where it has the route; what is hidden needs a credential. */
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

/** Refused by the admin API, whatever is asked for. */
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

/** Refused by the console and the portal. The last is a page of another site, in a good browser. */
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

/** The page of the documentation. */
export function accessPage(routes: readonly Route[]): string {
  return `${head}

## The merchants' API

${apiTable(routes)}

## Operations

On the command line whoever is on the machine may do all, or what the roles of \`OJA_TOKEN\` allow.
${wrapped(`Refused by the admin API, whatever is asked for: ${strangersToAdmin.join(', ')}. Refused by
the console and the portal: a session that is ${strangersToConsole.map(({ name }) => name).join(', ')}.`)}

The rules:

${rulesList()}

\`again\`: the console and the portal want the password once more.

${operationsTable()}

## Besides operations, at the console and the portal

${table(
  ['Path', 'Open to'],
  Object.entries(consoleRules).map(([path, need]) => [code(path), need]),
)}
`;
}

const head = `# Who may do what

Every route and operation against every kind of credential, token, session and role. \`npm run
access\` writes this page from the registries. \`test/drills/access.test.ts\` compares it, checks it
against rules that are written by hand (\`test/backoffice/access/rules.ts\`), and tries each cell at
a running gateway. A new route or operation without a rule fails that test.`;

/** Documents have lines of at most 100 columns, but for tables. */
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

function apiTable(routes: readonly Route[]): string {
  const kinds = Object.keys(apiKinds) as ApiKind[];
  const told = routes.filter(({ method }) => method !== 'HEAD');
  return table(
    ['Route', ...kinds],
    told.map((route) => [
      code(`${route.method} ${route.path}`),
      ...kinds.map((kind) => {
        if (signedPath.test(route.path)) return 'signed';
        const word = apiWord(route, kind);
        return kind === "another merchant's" && !isOpen(route.path) ? 'own' : word;
      }),
    ]),
  );
}

function rulesList(): string {
  const all = [
    ...operatorRules.map(([rule, , who]) => `- ${rule}: ${who.join(', ')}`),
    ...portalRules.map(([rule, , who]) => `- At the portal. ${rule}: ${[...who, 'owner'].join(', ')}`),
    `- The password again. ${stepUpRule.rule}`,
    `- The password again for a file. ${fileRule.rule}`,
  ];
  return all.map((line) => wrapped(line, '  ')).join('\n');
}

function operationsTable(): string {
  return table(
    ['Operation', ...roles, ...merchantRoles.map((role) => `portal: ${role}`), 'again'],
    operations.map((operation) => [
      code(operation.name),
      ...roles.map((role) => mark(operatorWord(operation, role))),
      ...merchantRoles.map((role) => mark(portalWord(operation, role))),
      isSensitive(operation) ? 'again' : '',
    ]),
  );
}

function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(names), `|${names.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

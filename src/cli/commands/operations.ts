/**
 * `oja operations`: lists all operations with their roles, commands, routes and pages. It reads the
 * registry and needs no database.
 */
import type { Command } from 'commander';
import { operations } from '../../backoffice/operations/registry.ts';
import { operationErrors } from '../../core/operation-errors.ts';
import type { OperationCommand } from '../operation-command.ts';
import { table, toJson } from '../output.ts';
import type { Terminal } from '../run.ts';
import { examplesText } from '../run.ts';

type Row = {
  readonly name: string;
  readonly kind: string;
  readonly roles: readonly string[];
  /** Null for an operation that runs only in a gateway. */
  readonly command: string | null;
  readonly route: string;
  readonly document: string;
  readonly summary: string;
};

export function addOperations(
  program: Command,
  commands: readonly OperationCommand[],
  { stdout }: Terminal,
): void {
  program
    .command('operations')
    .description('list all operations with their roles, commands, routes and pages')
    .option('--markdown', 'print docs/operators/operations.md')
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['operations', 'operations --json']))
    .action(({ json, markdown }: { json?: boolean; markdown?: boolean }) => {
      const rows = rowsOf(commands);
      const local = localCommands(program, new Set(commands.map(({ path }) => path)));
      const text = json
        ? toJson({ data: rows, cursor: null })
        : markdown
          ? page(rows, local)
          : listText(rows);
      stdout.write(`${text}\n`);
    });
}

type LocalCommand = { readonly path: string; readonly summary: string };

/** Lists the commands that run no operation, except `start`, which not every program has. */
function localCommands(program: Command, paths: ReadonlySet<string>): LocalCommand[] {
  return leavesOf(program)
    .filter(({ path }) => path !== 'start' && !paths.has(path))
    .toSorted((one, other) => one.path.localeCompare(other.path, 'en'));
}

/** Lists the commands that can be run, including those of groups. */
function leavesOf(group: Command, inside = ''): LocalCommand[] {
  return group.commands.flatMap((command) => {
    const path = `${inside}${command.name()}`;
    const isGroup = command.commands.length > 0;
    return isGroup ? leavesOf(command, `${path} `) : [{ path, summary: command.description() }];
  });
}

function rowsOf(commands: readonly OperationCommand[]): Row[] {
  const paths = new Map(commands.map(({ operation, path }) => [operation.name, path]));
  return operations
    .map(({ name, kind, roles, route, document, summary }) => {
      const [method, path] = route.split(' ');
      const commandPath = paths.get(name);
      const command = commandPath === undefined ? null : `oja ${commandPath}`;
      return { name, kind, roles, command, route: `${method} /admin/v1${path}`, document, summary };
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

function listText(rows: readonly Row[]): string {
  return table(
    rows,
    [
      { title: 'OPERATION', of: (row) => row.name },
      { title: 'KIND', of: (row) => row.kind },
      { title: 'ROLES', of: (row) => row.roles.join(' ') },
      { title: 'COMMAND', of: (row) => row.command ?? '-' },
      { title: 'ADMIN API', of: (row) => row.route },
    ],
    '',
  );
}

const head = `# Operations

Written from the code by \`npm run operations\`. An operation is a command and an address of the
[admin API](access.md#the-admin-api). The command is \`./oja\` and the operation's name, with spaces
and hyphens: \`audit_log.list\` is \`./oja audit-log list\`. A second name in the first column is the
command where it differs. \`--help\` shows a command's options, and \`openapi.json\` of the admin API
the addresses.

\`admin\` may run every operation. *All* are \`viewer\`, \`support\`, \`finance\` and \`admin\`.

| Operation | Description | Roles |
|---|---|---|
`;

const localHead = `## Other commands

These run on your machine. \`./oja start\` runs the [gateway](running.md).

| Command | Description |
|---|---|
`;

const errorHead = `## Error codes

Each refusal has a stable code: \`error (code)\` on the command line, \`reason\` in the admin API. The
heading is the HTTP status. [Commands](cli.md#errors) has the codes of the command line itself.

`;

function errorCodes(): string {
  const byStatus = Map.groupBy(Object.entries(operationErrors), ([, { status }]) => status);
  return [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .map(([status, codes]) => `**${status}**\n\n${wrapped(codes.map(([code]) => `\`${code}\``).toSorted())}`)
    .join('\n\n');
}

const COLUMNS_MAX = 100;

/** The texts separated by commas, in lines as wide as prose. */
function wrapped(words: readonly string[]): string {
  const lines = [''];
  for (const [at, word] of words.entries()) {
    const text = at === words.length - 1 ? word : `${word},`;
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + text.length > COLUMNS_MAX) lines.push(text);
    else lines[lines.length - 1] = last === '' ? text : `${last} ${text}`;
  }
  return lines.join('\n');
}

function othersOf(roles: readonly string[]): string {
  const others = roles.filter((role) => role !== 'admin');
  return others.length === 3 ? 'all' : others.join(', ') || 'admin';
}

function page(rows: readonly Row[], local: readonly LocalCommand[]): string {
  const lines = rows.map(({ name, summary, roles, command, document }) => {
    const usual = `oja ${name.replace('.', ' ').replaceAll('_', '-')}`;
    const also =
      command === null ? ' (no command)' : command === usual ? '' : `, \`${command.replace('oja ', '')}\``;
    const link = document.replace(/^operators\//, '').replace(/^(?=merchants\/)/, '../');
    return `| [\`${name}\`](${link})${also} | ${summary} | ${othersOf(roles)} |`;
  });
  const others = local.map(({ path, summary }) => `| \`${path}\` | ${summary} |`);
  return `${head}${lines.join('\n')}\n\n${localHead}${others.join('\n')}\n\n${errorHead}${errorCodes()}`;
}

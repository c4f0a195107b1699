/**
 * `oja operations`: the list of what can be done, with the role, the command, the address and the
 * page of each. Made from the registry, and needs no database.
 */
import type { Command } from 'commander';
import { faultStatus } from '../../backoffice/operations/fault-status.ts';
import { operations } from '../../backoffice/operations/registry.ts';
import type { OperationCommand } from '../operation-command.ts';
import { table, toJson } from '../output.ts';
import { examplesText } from '../run.ts';
import type { Terminal } from '../terminal.ts';

type Row = {
  readonly name: string;
  readonly kind: string;
  readonly roles: readonly string[];
  readonly command: string;
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
    .description('list all operations, with who may run each, its command, its address and its page')
    .option('--markdown', 'print docs/operators/operations.md')
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['operations', 'operations --json']))
    .action(({ json, markdown }: { json?: boolean; markdown?: boolean }) => {
      const rows = rowsOf(commands);
      const text = json ? toJson({ data: rows, cursor: null }) : markdown ? page(rows) : listText(rows);
      stdout.write(`${text}\n`);
    });
}

function rowsOf(commands: readonly OperationCommand[]): Row[] {
  const paths = new Map(commands.map(({ operation, path }) => [operation.name, path]));
  return operations
    .map(({ name, kind, roles, route, document, summary }) => {
      const [method, path] = route.split(' ');
      const command = `oja ${paths.get(name) ?? ''}`;
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
      { title: 'COMMAND', of: (row) => row.command },
      { title: 'ADMIN API', of: (row) => row.route },
    ],
    '',
  );
}

const head = `# Operations

Everything that an operator's people can do or ask, made from the registry by \`npm run operations\`.
Each is a command (\`./oja\`) and an address of the admin API. A \`question\` changes nothing. An
\`act\` is done as a whole or not at all. A \`task\` takes several steps, and can be run again when it
was interrupted.

| Operation | What it does | Kind | Roles | Command | Admin API | Page |
|---|---|---|---|---|---|---|
`;

const refusalHead = `## Refusals

What an operation is refused for has a code: \`error (code)\` on the command line, \`reason\` in the
admin API, with this HTTP status. Codes are stable; the text beside a code may be reworded.

| Code | Status |
|---|---|
`;

function refusals(): string {
  const lines = Object.entries(faultStatus).map(([code, status]) => `| \`${code}\` | ${status} |`);
  return `${refusalHead}${lines.toSorted().join('\n')}`;
}

function page(rows: readonly Row[]): string {
  const lines = rows.map(({ name, summary, kind, roles, command, route, document }) => {
    const link = `[${document.split('/').pop()?.replace('.md', '')}](../${document})`;
    return `| \`${name}\` | ${summary} | ${kind} | ${roles.join(', ')} | \`${command}\` | \`${route}\` | ${link} |`;
  });
  return `${head}${lines.join('\n')}\n\n${refusals()}`;
}

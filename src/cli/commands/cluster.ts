/** `oja cluster`: distributes an installation over the workers of Citus, and shows its servers. */
import type { Command } from 'commander';
import { runAudit } from '../../audit/operations/run-audit.ts';
import type { Variables } from '../../core/settings-reader.ts';
import type { Database } from '../../db/database.ts';
import { ClusterError } from '../../operate/cluster/cluster-error.ts';
import { type ClusterStatus, readStatus } from '../../operate/cluster/cluster-status.ts';
import { addNode } from '../../operate/cluster/cluster-store.ts';
import {
  initCluster,
  isDistributed,
  openCells,
  removeWorker,
  requireDistributable,
} from '../../operate/cluster/init-cluster.ts';
import { type Move, moveCell, planMoves } from '../../operate/cluster/move-cell.ts';
import { upgradeCluster } from '../../operate/cluster/upgrade-cluster.ts';
import { groupAt } from '../add-operation.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { table } from '../output.ts';
import { examplesText, type Run, type Terminal } from '../run.ts';

type InitOptions = { readonly cells?: string; readonly yes?: boolean; readonly json?: boolean };

export function addCluster(program: Command, run: Run, terminal: Terminal, variables: Variables): void {
  const { stderr } = terminal;
  const group = groupAt(program, 'cluster');
  addMoves(group, run, terminal, variables);
  addUpgrade(group, run, variables);
  group
    .command('init')
    .description(
      'distribute this installation over the workers of Citus, while all gateways are stopped; cannot be undone',
    )
    .option('--cells <number>', 'into how many parts, 1 to 64 (default: 2 for each worker)')
    .option('--yes', 'confirm')
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['cluster init --yes', 'cluster init --cells 8 --yes']))
    .action(async (options: InitOptions) => {
      const cells = options.cells === undefined ? undefined : cellsOf(options.cells);
      if (options.yes !== true) {
        throw new CommandError(
          'confirmation_needed',
          'no command brings the tables back to one server. Add --yes to confirm',
        );
      }
      await run(options, async ({ services: { database } }) => {
        const url = addressOf(variables);
        await requireDistributable(database);
        if (!(await isDistributed(database))) {
          stderr.write('auditing\n');
          const failed = (await runAudit(database)).filter(({ ok }) => !ok).map(({ name }) => name);
          if (failed.length > 0) {
            throw new ClusterError('cluster_audit', `the audit found differences: ${failed.join(', ')}`);
          }
        }
        stderr.write('distributing: nothing else can use the database meanwhile\n');
        const done = await initCluster(database, url, cells);
        stderr.write('auditing again\n');
        const differing = await auditDistributed(database, url);
        const status = await readStatus(database, url);
        const text =
          done === undefined
            ? 'The missing cells were created.'
            : `${done.distributed.length} tables were distributed and ${done.references.length} copied to each server, ${done.rows} rows in all. Every row was compared.\n${done.dropped.length} foreign keys of tables that stay on the coordinator were dropped.`;
        const found =
          differing.length === 0
            ? ''
            : `\nThe audit found differences: ${differing.join(', ')}. See ./oja audit.`;
        return {
          answer: { data: { ...done, ...status, differing } },
          text: `${text}${found}\n\n${textOf(status)}`,
          failed: differing.length > 0,
        };
      });
    });
  group
    .command('status')
    .description('show the servers of this installation, and where its cells are')
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['cluster status']))
    .action(async (options: { readonly json?: boolean }) => {
      await run(options, async ({ services: { database } }) => {
        const status = await readStatus(database, addressOf(variables));
        return {
          answer: { data: status },
          text: textOf(status),
          failed: status.nodes.some(({ answers }) => !answers),
        };
      });
    });
}

/** Audits the cells. Returns the checks that found differences. */
async function auditDistributed(database: Database, url: string): Promise<readonly string[]> {
  await using cells = await openCells(database, url);
  database.cells = cells.all;
  return (await runAudit(database)).filter(({ ok }) => !ok).map(({ name }) => name);
}

/** Commands that change servers, or where cells are. They end with the status. */
function addMoves(group: Command, run: Run, { stderr }: Terminal, variables: Variables): void {
  const add = (
    usage: string,
    description: string,
    example: string,
    change: (database: Database, args: readonly string[]) => Promise<void>,
  ): Command =>
    group
      .command(usage)
      .description(description)
      .option('--json', 'print JSON')
      .addHelpText('after', examplesText([example]))
      .action(async (...given: unknown[]) => {
        const command = given.at(-1) as Command;
        await run(command.opts(), async ({ services: { database } }) => {
          await change(database, command.args);
          const status = await readStatus(database, addressOf(variables));
          return { answer: { data: status }, text: textOf(status) };
        });
      });
  const move = async (database: Database, number: number, to: Move['to']): Promise<void> => {
    stderr.write(
      `moving cell ${number} to ${to.host}:${to.port}: purchases of its merchants wait up to 3 s at the end, reads and other cells do not\n`,
    );
    const waitedMs = await moveCell(database, addressOf(variables), number, to);
    stderr.write(`moved: purchases waited ${(waitedMs / 1_000).toFixed(1)} s\n`);
  };
  add(
    'move <cell> <server>',
    'move a cell to a server while gateways run; repeat it if it was interrupted',
    'cluster move 3 10.0.0.7:5432',
    async (database, [cell, server]) => await move(database, Number(cell), nodeOf(server)),
  );
  add(
    'add-node <server>',
    'make a server a worker; its database must exist, with Citus and without tables',
    'cluster add-node 10.0.0.8:5432',
    async (database, [server]) => await database.session((sql) => addNode(sql, nodeOf(server))),
  );
  add(
    'remove-node <server>',
    'remove a worker that has no cells',
    'cluster remove-node 10.0.0.8:5432',
    async (database, [server]) => await removeWorker(database, addressOf(variables), nodeOf(server)),
  );
  group
    .command('rebalance')
    .description(
      'list the moves that give each server the same number of cells, or make them while gateways run',
    )
    .option('--apply', 'move the cells, one after another')
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['cluster rebalance', 'cluster rebalance --apply']))
    .action(async (options: { readonly apply?: boolean; readonly json?: boolean }) => {
      await run(options, async ({ services: { database } }) => {
        const moves = await planMoves(database);
        for (const { number, to } of options.apply === true ? moves : []) await move(database, number, to);
        const lines = moves.map(({ number, to }) => `./oja cluster move ${number} ${to.host}:${to.port}`);
        const text = lines.length === 0 ? 'Every server has the same number of cells.' : lines.join('\n');
        return { answer: { data: { moves } }, text };
      });
    });
}

function addUpgrade(group: Command, run: Run, variables: Variables): void {
  group
    .command('upgrade')
    .description(
      'bring the database to this version on all servers, while all gateways are stopped; repeat it if it was interrupted',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['cluster upgrade']))
    .action(async (options: { readonly json?: boolean }) => {
      await run({ ...options, anyVersion: true }, async () => {
        const applied = await upgradeCluster(addressOf(variables));
        const text =
          applied.length === 0
            ? 'The database has this version.'
            : `Applied: ${applied.join(', ')}.\nStart the gateways.`;
        return { answer: { data: { applied } }, text };
      });
    });
}

function nodeOf(text = ''): { readonly host: string; readonly port: number } {
  const [, host, port] = /^([A-Za-z0-9.-]+):(\d{1,5})$/.exec(text) ?? [];
  if (host !== undefined && port !== undefined) return { host, port: Number(port) };
  throw new UsageError('usage', 'a server is written as host:port, as in ./oja cluster status');
}

function cellsOf(text: string): number {
  const cells = Number(text);
  if (Number.isInteger(cells) && cells >= 1 && cells <= 64) return cells;
  throw new UsageError('usage', '--cells must be a whole number from 1 to 64');
}

function addressOf({ DATABASE_URL: url }: Variables): string {
  if (url !== undefined && url !== '') return url;
  throw new ClusterError('cluster_absent', 'set DATABASE_URL to the address of the coordinator');
}

function textOf({ nodes, cells }: ClusterStatus): string {
  const servers = table(
    nodes,
    [
      { title: 'SERVER', of: ({ host, port }) => `${host}:${port}` },
      { title: 'ROLE', of: ({ role }) => role },
      { title: 'ANSWERS', of: ({ answers }) => (answers ? 'yes' : 'NO') },
    ],
    'no servers',
  );
  const parts = table(
    cells,
    [
      { title: 'CELL', of: ({ number }) => String(number), right: true },
      { title: 'SERVER', of: ({ host, port }) => `${host}:${port}` },
      { title: 'MERCHANTS', of: ({ merchants }) => String(merchants ?? 'unknown'), right: true },
      { title: 'BYTES', of: ({ bytes }) => String(bytes ?? 'unknown'), right: true },
    ],
    'no cells',
  );
  return `${servers}\n\n${parts}`;
}

/** `oja audit-log`: who did what to what. */
import { type Command, InvalidArgumentError } from 'commander';
import { listAuditEntries } from '../../audit-log/audit-log-store.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readWholeNumber } from '../arguments.ts';
import { formatTime } from '../format.ts';
import { table } from '../output.ts';

const ENTRIES_LISTED = 100;
const ENTRIES_LISTED_MAX = 10_000;

type Options = {
  readonly by?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly limit: number;
};

export function addAuditLog(program: Command, run: Run): void {
  const group = program.command('audit-log').description('the audit log: who did what to what');
  addCommand<[], Options>(group, run, {
    name: 'list',
    description: 'list the newest operations, with what was before and after',
    examples: [
      'audit-log list',
      'audit-log list --action vend.reveal_goods',
      'audit-log list --by ada --action wallet --json',
    ],
    configure: (command) =>
      command
        .option('--by <name>', 'who did it')
        .option('--action <name>', 'an action, or all of a kind: wallet.set_floor, wallet')
        .option('--subject <name>', 'what it was done to, as the list shows it')
        .option('--limit <count>', 'how many, at most', readLimit, ENTRIES_LISTED),
    work: async ({ database }, _args, { by: actor, action, subject, limit }) => {
      const entries = await listAuditEntries(database, { actor, action, subject, limit });
      return {
        data: entries,
        text: table(
          entries,
          [
            { title: 'ID', of: (entry) => String(entry.id), right: true },
            { title: 'AT', of: (entry) => formatTime(entry.at) },
            { title: 'WHO', of: (entry) => entry.actor },
            { title: 'ACTION', of: (entry) => entry.action },
            { title: 'SUBJECT', of: (entry) => entry.subject },
            { title: 'BEFORE', of: (entry) => stateText(entry.before) },
            { title: 'AFTER', of: (entry) => stateText(entry.after) },
          ],
          'No entries.',
        ),
      };
    },
  });
}

function stateText(state: unknown): string {
  return state === null ? '-' : JSON.stringify(state);
}

function readLimit(text: string): number {
  const count = readWholeNumber(text);
  if (count < 1 || count > ENTRIES_LISTED_MAX) {
    throw new InvalidArgumentError(`It must be 1 to ${ENTRIES_LISTED_MAX}.`);
  }
  return count;
}

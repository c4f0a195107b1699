/** `oja act`: the log of acts, which keeps what operators did. */
import { type Command, InvalidArgumentError } from 'commander';
import { listAuditEntries } from '../../audit-log/audit-log-store.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readWholeNumber } from '../arguments.ts';
import { formatTime } from '../format.ts';
import { table } from '../output.ts';

const ACTS_LISTED = 100;
const ACTS_LISTED_MAX = 10_000;

type Options = {
  readonly by?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly limit: number;
};

export function addAuditLog(program: Command, run: Run): void {
  const group = program.command('act').description('the log of acts: who did what to what');
  addCommand<[], Options>(group, run, {
    name: 'list',
    description: 'list the newest acts of operators, with what was before and after',
    examples: ['act list', 'act list --action vend.reveal_goods', 'act list --by ada --action wallet --json'],
    configure: (command) =>
      command
        .option('--by <name>', 'who acted')
        .option('--action <name>', 'an action, or all of a kind: wallet.set_floor, wallet')
        .option('--subject <name>', 'what it was done to, as the list shows it')
        .option('--limit <count>', 'how many, at most', readLimit, ACTS_LISTED),
    work: async ({ database }, _args, { by: actor, action, subject, limit }) => {
      const entries = await listAuditEntries(database, { actor, action, subject, limit });
      return {
        data: entries,
        text: table(
          entries,
          [
            { title: 'ID', of: (act) => String(act.id), right: true },
            { title: 'AT', of: (act) => formatTime(act.at) },
            { title: 'WHO', of: (act) => act.actor },
            { title: 'ACTION', of: (act) => act.action },
            { title: 'SUBJECT', of: (act) => act.subject },
            { title: 'BEFORE', of: (act) => stateText(act.before) },
            { title: 'AFTER', of: (act) => stateText(act.after) },
          ],
          'No acts.',
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
  if (count < 1 || count > ACTS_LISTED_MAX) {
    throw new InvalidArgumentError(`It must be 1 to ${ACTS_LISTED_MAX}.`);
  }
  return count;
}

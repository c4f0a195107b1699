/** `oja restore`: puts a backup in the place of Oja's own database, which then starts fenced. */
import type { Command } from 'commander';
import { groupAt } from '../add-operation.ts';
import { confirm } from '../confirm.ts';
import { timeText } from '../format.ts';
import type { Machine, RestorePlan } from '../machine.ts';
import { pairs, toJson } from '../output.ts';
import { examplesText } from '../run.ts';
import type { Terminal } from '../terminal.ts';

type Options = {
  readonly until?: string;
  readonly plain?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

export function addRestore(program: Command, machine: Machine, terminal: Terminal): void {
  const restore = groupAt(program, 'restore')
    .enablePositionalOptions()
    .description("put a backup in the place of Oja's own database; it then starts fenced")
    .argument('<path>', 'the backup, or the folder of all, of which it is the newest')
    .option(
      '--until <time>',
      'up to this moment, such as 2026-03-01T14:30:00+01:00, or latest, where the log is kept',
    )
    .option('--plain', 'take a backup in clear, although OJA_BACKUP_KEY is set')
    .option('--yes', 'do it without asking: a database that is there is moved aside')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examplesText(['restore /backups', 'restore /backups/20260301T010000Z-3fa9c1 --yes']),
    );
  restore.action(async (path: string, options: Options) => {
    const until = options.until === undefined ? undefined : readTime(options.until);
    if (until === null) {
      restore.error(
        'error: --until must be latest, or a time with its offset, such as 2026-03-01T14:30:00+01:00',
      );
    }
    const plan = await machine.planRestore(path, {
      plain: options.plain ?? false,
      until: until ?? undefined,
    });
    if (plan.replaces && options.yes !== true) await confirm(questionOf(plan), terminal);
    const done = await plan.carryOut();
    const { manifest, dataDir } = plan;
    terminal.stdout.write(
      options.json
        ? `${toJson({ data: { backup: manifest.id, taken_at: manifest.taken_at, until: until ?? null, data_dir: dataDir, moved_to: done.movedTo ?? null, purchases: done.purchases, transfers: done.transfers } })}\n`
        : `${text(plan, done, until ?? undefined)}\n`,
    );
  });
}

/** Null for what is no time with an offset. */
function readTime(text: string): Date | 'latest' | null {
  if (text === 'latest') return text;
  const isWhole = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const time = new Date(text);
  return isWhole && !Number.isNaN(time.getTime()) ? time : null;
}

function questionOf({ manifest, dataDir }: RestorePlan): string {
  return `Put backup ${manifest.id} of ${timeText(manifest.taken_at)} in the place of the database in ${dataDir}, which is moved aside?`;
}

function text(
  { manifest, dataDir }: RestorePlan,
  { movedTo, purchases, transfers }: Awaited<ReturnType<RestorePlan['carryOut']>>,
  until: Date | 'latest' | undefined,
): string {
  return [
    pairs([
      ['Restored', `backup ${manifest.id} into ${dataDir}`],
      [
        'As of',
        until === 'latest'
          ? 'the end of the log that was kept'
          : timeText(until?.toISOString() ?? manifest.taken_at),
      ],
      ['In it', `${purchases} purchases, ${transfers} transfers`],
      [
        'Before',
        movedTo === undefined ? 'there was no database' : `moved to ${movedTo}; remove it when all is well`,
      ],
    ]),
    '',
    'The gateway starts fenced: it sells nothing until it is known what was delivered since.',
    'Start it. Then: ./oja restore reconcile --apply, and ./oja restore open',
  ].join('\n');
}

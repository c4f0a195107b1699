/** `oja archive`: attempts and answers of old purchases, moved into files and brought back. */
import type { Command } from 'commander';
import type { StoredArchive } from '../../archive/archive-store.ts';
import type { Archived } from '../../archive/archive-vends.ts';
import type { CheckedArchive } from '../../archive/check-archives.ts';
import type { BroughtBack } from '../../archive/restore-archive.ts';
import { formatBytes } from '../../kernel/bytes.ts';
import { formatDay, formatLocal, formatRfc3339, parseDay } from '../../kernel/clock.ts';
import { groupAt } from '../add-operation.ts';
import { confirm } from '../confirm.ts';
import type { ArchiveMachine } from '../machine.ts';
import { pairs, table, toJson } from '../output.ts';
import { examplesText } from '../run.ts';
import type { Terminal } from '../terminal.ts';

type Options = {
  readonly before: string;
  readonly unreconciled?: boolean;
  readonly yes?: boolean;
  readonly actor?: string;
  readonly json?: boolean;
};

const folderHelp = 'the folder of all archives, on another disk than the data folder';
const actorHelp = 'who does it, for the audit log (default: your system user)';

export function addArchive(program: Command, machine: ArchiveMachine, terminal: Terminal): void {
  const archive = groupAt(program, 'archive').description(
    'attempts and answers of old purchases: moved into encrypted files, and brought back',
  );
  addWrite(archive, machine, terminal);
  addRestore(archive, machine, terminal);
  addCheck(archive, machine, terminal);
  addList(archive, machine, terminal);
}

function addWrite(archive: Command, machine: ArchiveMachine, terminal: Terminal): void {
  const write = archive
    .command('write')
    .description('move attempts and answers of purchases that were over long ago into an encrypted file')
    .argument('<folder>', folderHelp)
    .requiredOption('--before <day>', 'of purchases before this day of Lagos, at least 90 days ago')
    .option('--unreconciled', 'also where a provider is reconciled up to an earlier day only')
    .option('--yes', 'do it without asking')
    .option('--actor <name>', actorHelp)
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['archive write /archives --before 2026-03-01 --yes']));
  write.action(async (folder: string, options: Options) => {
    const { unreconciled = false, actor } = options;
    const before = parseDay(options.before);
    if (before === undefined) {
      write.error('error: --before must be a day of the calendar, such as 2026-03-01');
      return;
    }
    if (options.yes !== true) {
      const question = `Move attempts and answers of purchases before ${options.before} out of the database into ${folder}?`;
      await confirm(question, terminal);
    }
    const done = await machine.writeArchive(folder, { before, unreconciled, actor });
    terminal.stdout.write(`${options.json ? toJson({ data: writtenAnswer(done) }) : writtenText(done)}\n`);
  });
}

function addRestore(archive: Command, machine: ArchiveMachine, { stdout }: Terminal): void {
  archive
    .command('restore')
    .description('bring the attempts and answers of an archive back into the database; the file stays')
    .argument('<path>', 'the folder of one archive')
    .option('--actor <name>', actorHelp)
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['archive restore /archives/archive-20260301T010000Z-3fa9c1']))
    .action(async (path: string, { json, actor }: Pick<Options, 'json' | 'actor'>) => {
      const done = await machine.restoreArchive(path, { actor });
      const { vends, present, manifest } = done;
      stdout.write(
        `${json ? toJson({ data: { archive: manifest.id, purchases: vends, were_there: present } }) : restoredText(done)}\n`,
      );
    });
}

function addCheck(archive: Command, machine: ArchiveMachine, { stdout }: Terminal): void {
  archive
    .command('check')
    .description('read all archives of a folder, and compare them with what the database says is in them')
    .argument('<folder>', folderHelp)
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['archive check /archives']))
    .action(async (folder: string, { json }: Pick<Options, 'json'>) => {
      const checked = await machine.checkArchives(folder);
      const data = checked.map(({ id, ...rest }) => ({ archive: id, ...rest }));
      stdout.write(`${json ? toJson({ data, cursor: null }) : checkedText(checked)}\n`);
    });
}

function addList(archive: Command, machine: ArchiveMachine, { stdout }: Terminal): void {
  archive
    .command('list')
    .description('list the archives that the database knows of, the newest first')
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['archive list']))
    .action(async ({ json }: Pick<Options, 'json'>) => {
      const listed = await machine.listArchives();
      stdout.write(`${json ? toJson({ data: listed.map(listAnswer), cursor: null }) : listText(listed)}\n`);
    });
}

function writtenAnswer({ archives, vends, left, freedBytes }: Archived): object {
  const files = archives.map(({ id, archive, attempts, answers, recipient }) => ({
    archive: id,
    attempts,
    answers,
    stored_bytes: archive.size,
    recipient,
  }));
  return { archives: files, purchases: vends, left, freed_bytes: freedBytes };
}

function writtenText({ archives, vends, left, freedBytes }: Archived): string {
  if (archives.length === 0) return 'nothing is there that is old enough and over';
  return pairs([
    ...archives.map(({ id, archive }) => ['Archive', `${id}, ${formatBytes(archive.size)}`] as const),
    ['Moved', `attempts and answers of ${vends} purchases`],
    ...(left === 0 ? [] : [['Left', `${left} purchases, which changed meanwhile`] as const]),
    ['Free', `about ${formatBytes(freedBytes)} in the files of the database, for new rows`],
    ['Keep', 'the file: it is the only place where this is. Copy it, and check it: ./oja archive check'],
  ]);
}

function restoredText({ manifest, vends, present }: BroughtBack): string {
  const were = present === 0 ? '' : `; of ${present} they were there`;
  return `Attempts and answers of ${vends} purchases of ${manifest.id} are back${were}. The file stays.`;
}

function checkedText(checked: readonly CheckedArchive[]): string {
  return table(
    checked,
    [
      { title: 'ARCHIVE', of: ({ id }) => id },
      { title: 'STATE', of: ({ state }) => state },
      { title: 'DETAIL', of: ({ detail }) => detail },
    ],
    'no archives',
  );
}

function stateOf({ blocks, blocksOut, endedAt }: StoredArchive): string {
  if (endedAt === undefined) return 'cut short';
  if (blocksOut === 0) return 'brought back';
  return blocksOut === blocks ? 'archived' : 'in part';
}

function listAnswer(archive: StoredArchive): object {
  const { id, folder, before, bytes, vends, attempts, answers, fromAt, toAt, writtenAt, vendsOut } = archive;
  return {
    archive: id,
    folder,
    state: stateOf(archive),
    before: formatDay(before),
    from_at: formatRfc3339(fromAt),
    to_at: formatRfc3339(toAt),
    written_at: formatRfc3339(writtenAt),
    purchases: Number(vends),
    attempts: Number(attempts),
    answers: Number(answers),
    purchases_out: Number(vendsOut),
    stored_bytes: Number(bytes),
  };
}

function listText(listed: readonly StoredArchive[]): string {
  return table(
    listed,
    [
      { title: 'ARCHIVE', of: ({ id }) => id },
      { title: 'WRITTEN', of: ({ writtenAt }) => formatLocal(writtenAt) },
      { title: 'OF BEFORE', of: ({ before }) => formatDay(before) },
      { title: 'PURCHASES', of: ({ vends }) => String(vends), right: true },
      { title: 'STORED', of: ({ bytes }) => formatBytes(Number(bytes)), right: true },
      { title: 'STATE', of: stateOf },
      { title: 'FOLDER', of: ({ folder }) => folder },
    ],
    'no archives',
  );
}

/** `oja backup`: takes, checks and lists backups of Oja's own database, without an operation. */
import type { Command } from 'commander';
import type { FoundBackup } from '../../backup/backup-folder.ts';
import type { Manifest } from '../../backup/manifest.ts';
import type { Verified } from '../../backup/verify-backup.ts';
import { formatBytes } from '../../kernel/bytes.ts';
import { groupAt } from '../add-operation.ts';
import { timeText } from '../format.ts';
import type { Machine } from '../machine.ts';
import { pairs, table, toJson } from '../output.ts';
import { examplesText } from '../run.ts';
import type { Terminal } from '../terminal.ts';

type Options = {
  readonly plain?: boolean;
  readonly verify: boolean;
  readonly keep?: string;
  readonly json?: boolean;
};

const plainHelp = 'in clear: whoever reads the folder reads every purchase';

export function addBackup(program: Command, machine: Machine, terminal: Terminal): void {
  const { stdout } = terminal;
  const backup = groupAt(program, 'backup')
    .enablePositionalOptions()
    .description("back up Oja's own database while it runs, encrypted, and check the backup by a restore")
    .argument('<folder>', 'the folder of all backups, on another disk than the data folder')
    .option('--plain', plainHelp)
    .option('--no-verify', 'leave out the check: the backup is not proven to be of use')
    .option('--keep <number>', 'remove older backups, and keep so many')
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['backup /backups', 'backup /backups --keep 14 --json']));
  backup.action(async (folder: string, options: Options) => {
    const { plain = false, verify, json } = options;
    const keep = options.keep === undefined ? undefined : Number(options.keep);
    if (keep !== undefined && !(Number.isInteger(keep) && keep > 0 && keep < 100_000)) {
      backup.error('error: --keep must be a whole number from 1');
    }
    const taken = await machine.takeBackup(folder, { plain, verify, keep });
    stdout.write(
      json
        ? `${toJson({ data: { ...answerOf(taken), ...checkedOf(taken.verified), removed: taken.removed } })}\n`
        : `${text(taken)}\n${verifiedText(taken.verified)}\n${keysText(taken.manifest, taken.hasOwnKey)}\n${removedText(taken.removed)}`,
    );
  });
  addVerify(backup, machine, terminal);
  addList(backup, machine, terminal);
  addKey(backup, machine, terminal);
}

function addVerify(backup: Command, machine: Machine, { stdout }: Terminal): void {
  backup
    .command('verify')
    .description('check a backup by restoring it into a server that is thrown away')
    .argument('<path>', 'the backup, or the folder of all, of which it is the newest')
    .option('--plain', 'one in clear, although OJA_BACKUP_KEY is set')
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['backup verify /backups']))
    .action(async (path: string, { plain = false, json }: Pick<Options, 'plain' | 'json'>) => {
      const checked = await machine.verifyBackup(path, { plain });
      stdout.write(
        json
          ? `${toJson({ data: { ...answerOf(checked), ...checkedOf(checked.verified) } })}\n`
          : `${text(checked)}\n${verifiedText(checked.verified)}\n`,
      );
    });
}

function addList(backup: Command, machine: Machine, { stdout }: Terminal): void {
  backup
    .command('list')
    .description('list the backups of a folder, the newest first')
    .argument('<folder>', 'the folder of all backups')
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['backup list /backups']))
    .action(async (folder: string, { json }: Pick<Options, 'json'>) => {
      const found = await machine.listBackups(folder);
      stdout.write(`${json ? toJson({ data: found.map(answerOf), cursor: null }) : listText(found)}\n`);
    });
}

function addKey(backup: Command, machine: Machine, { stdout }: Terminal): void {
  backup
    .command('key')
    .description('make a key for OJA_BACKUP_KEY')
    .option('--json', 'print JSON')
    .addHelpText('after', examplesText(['backup key']))
    .action(async ({ json }: Pick<Options, 'json'>) => {
      const { identity, recipient } = await machine.newBackupKey();
      stdout.write(
        json
          ? `${toJson({ data: { key: identity, recipient } })}\n`
          : `${identity}\nStore it where the backups are not, and set OJA_BACKUP_KEY to it: without it no backup opens. Its public half is ${recipient}.\n`,
      );
    });
}

function answerOf({ folder, manifest }: FoundBackup): object {
  const { files, archive, signature: _, format: __, ...facts } = manifest;
  return {
    path: folder,
    ...facts,
    stored_bytes: archive.size,
    files: files.length,
    bytes: bytesOf(manifest),
  };
}

function checkedOf(verified: Verified | undefined): object {
  if (verified === undefined) return { verified: false };
  const { pages, purchases, transfers, checks } = verified;
  return { verified: true, pages, purchases, transfers, audit_checks: checks };
}

function bytesOf({ files }: Manifest): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function text({ folder, manifest }: FoundBackup): string {
  const { files, archive, taken_at: takenAt, start_lsn: from, stop_lsn: to, recipient } = manifest;
  return pairs([
    ['Backup', folder],
    ['Taken', `${timeText(takenAt)}: all that was committed before is in it`],
    ['Log', `${from} to ${to}, timeline ${manifest.timeline}`],
    [
      'Size',
      `${files.length} files, ${formatBytes(bytesOf(manifest))}, stored in ${formatBytes(archive.size)}`,
    ],
    [
      'Encrypted',
      recipient === null ? 'no: whoever reads the folder reads every purchase' : `to ${recipient}`,
    ],
  ]);
}

function verifiedText(verified: Verified | undefined): string {
  if (verified === undefined) return 'Checked    no: ./oja backup verify does it';
  const { files, pages, purchases, transfers, checks } = verified;
  return `Checked    restored into a server of its own: ${files} files and ${pages} pages have their checksums, ${purchases} purchases and ${transfers} transfers, all ${checks} checks of the audit hold`;
}

function keysText({ encryption_key_id: keyId, recipient }: Manifest, hasOwnKey: boolean): string {
  const keys = [
    ...(recipient === null || !hasOwnKey ? [] : ['OJA_BACKUP_KEY']),
    ...(keyId === null
      ? []
      : [`the encryption key ${keyId} (OJA_ENCRYPTION_KEY, or encryption.key in the data folder)`]),
  ];
  return `Not in it  ${keys.join(' and ')}: keep them elsewhere, a restore needs them`;
}

function removedText(removed: readonly string[]): string {
  return removed.length === 0 ? '' : `Removed    ${removed.join(', ')}\n`;
}

function listText(found: readonly FoundBackup[]): string {
  return table(
    found.map(({ manifest }) => manifest),
    [
      { title: 'BACKUP', of: ({ id }) => id },
      { title: 'TAKEN', of: ({ taken_at: at }) => timeText(at) },
      { title: 'STORED', of: ({ archive }) => formatBytes(archive.size), right: true },
      { title: 'ENCRYPTED', of: ({ recipient }) => (recipient === null ? 'no' : 'yes') },
      { title: 'OJA', of: ({ oja }) => oja },
      { title: 'SCHEMA', of: ({ schema }) => schema },
    ],
    'no backups',
  );
}

/**
 * Where Oja's own server puts the finished files of its log, for a gateway to archive. The folder
 * lies in the server's own, which is the one that its user can reach for certain.
 */
import { randomUUID } from 'node:crypto';
import { access, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writeDurably } from '../kernel/write-durably.ts';

/** In the folder of the cluster. */
export const spoolName = 'oja_wal';

/**
 * Each file appears whole and on the disk, or not at all. PostgreSQL tries again what failed, also
 * after a crash: the same file once more is no fault, another under its name is.
 */
const archiveCommand = [
  `mkdir -p ${spoolName}`,
  `if [ -f ${spoolName}/%f ]; then cmp -s %p ${spoolName}/%f; else ` +
    `cp %p ${spoolName}/%f.part && sync ${spoolName}/%f.part && ` +
    `mv ${spoolName}/%f.part ${spoolName}/%f && sync ${spoolName}; fi`,
].join(' && ');

const settings: Readonly<Record<string, string>> = {
  archive_mode: 'on',
  archive_command: archiveCommand,
  // What was committed longer ago is in the archive, however little is sold.
  archive_timeout: '60s',
};

/** Names this database in the archive. Beside the cluster, so that no backup has it. */
export function archiveMark(dataDir: string): string {
  return join(resolve(dataDir), 'postgres', 'wal-archive-id');
}

/**
 * The settings of a server on this data folder, which is locked. Once `on`, it stays so for whoever
 * starts it, since a file that was not archived makes the rest of no use; `off` ends that. Whoever
 * turns it on again begins a new archive.
 */
export async function walSettings(
  dataDir: string,
  wish: 'on' | 'off' | 'as_it_is',
): Promise<Readonly<Record<string, string>>> {
  const mark = archiveMark(dataDir);
  const isOn = await access(mark).then(
    () => true,
    () => false,
  );
  if (wish === 'off' && isOn) {
    await rm(mark);
    await rm(join(dirname(mark), 'cluster', spoolName), { recursive: true, force: true });
  }
  if (wish === 'on' && !isOn) {
    await writeDurably(mark, `${randomUUID()}\n`);
  }
  return wish === 'on' || (wish === 'as_it_is' && isOn) ? settings : {};
}

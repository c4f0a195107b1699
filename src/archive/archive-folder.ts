/** The folder that holds archives: one folder for each, named by its time. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { BackupError, hasCode, reasonOf } from '../backup/backup-error.ts';
import { newBackupId } from '../backup/backup-folder.ts';

const idForm = /^archive-\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** Sorts by time, and is never taken for a backup. */
export function newArchiveId(now: Date): string {
  return `archive-${newBackupId(now)}`;
}

/** What is in it must be archives: in a folder of backups they would be in each other's way. */
export async function requireArchiveFolder(folder: string): Promise<void> {
  const strange = (await namesIn(folder)).find(
    (name) => !idForm.test(name) && !name.startsWith('.unfinished-') && !name.startsWith('oja-backup.lock'),
  );
  if (strange !== undefined) {
    throw new BackupError(
      'folder_of_others',
      `${folder} holds other things than archives, such as ${strange}: name another folder`,
    );
  }
}

/** The ids of a folder's archives, the newest first. One that is not there has none. */
export async function listArchiveIds(folder: string): Promise<string[]> {
  const names = await namesIn(folder);
  return names
    .filter((name) => idForm.test(name))
    .sort()
    .reverse();
}

/** The folder of one archive, which its file may be named in place of. */
export function archiveAt(path: string): { readonly folder: string; readonly id: string } {
  const full = resolve(path);
  const folder = idForm.test(basename(full)) ? full : dirname(full);
  const id = basename(folder);
  if (idForm.test(id)) return { folder, id };
  throw new BackupError(
    'no_archive',
    `${path} is no archive: name its folder, such as ${join(path, 'archive-20260301T010000Z-3fa9c1')}`,
  );
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw new BackupError('folder_unreadable', `${folder} cannot be read: ${reasonOf(error)}`);
  });
}

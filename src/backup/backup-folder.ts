/**
 * The folder that holds backups: one folder for each, named by its time. One that is being made has
 * a name of its own until it is whole, so that half a backup is never taken for one.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { EmbeddedServerError, lockFolder } from '../db/embedded-server.ts';
import { syncFolder } from '../kernel/write-durably.ts';
import { BackupError, hasCode, reasonOf } from './backup-error.ts';
import { type Manifest, readManifest } from './manifest.ts';

const draftPrefix = '.unfinished-';
const lockName = 'oja-backup.lock';
const idForm = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** Sorts by time. */
export function newBackupId(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `${time}-${randomBytes(3).toString('hex')}`;
}

export type OpenFolder = AsyncDisposable & {
  readonly path: string;
  /** Makes the folder of a backup that is not whole yet. Removed with the disposal. */
  draft(id: string): Promise<string>;
  /** Makes a folder for other files, removed with the disposal. */
  scratch(): Promise<string>;
  /** The backup is whole. Gives where it is now. */
  finish(id: string): Promise<string>;
};

/**
 * Takes the folder for one command, makes it where it is not there, and removes what a command that
 * was killed has left. Throws BackupError.
 */
export async function openBackupFolder(folder: string): Promise<OpenFolder> {
  const path = resolve(folder);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const lock = await lockFolder(path, lockName);
    try {
      await removeDrafts(path);
    } catch (error) {
      await lock.release();
      throw error;
    }
    return {
      path,
      draft: (id) => makeFolder(join(path, `${draftPrefix}${id}`)),
      scratch: () => makeFolder(join(path, `${draftPrefix}check-${process.pid}`)),
      finish: async (id) => {
        const draft = join(path, `${draftPrefix}${id}`);
        await syncFolder(draft);
        await rename(draft, join(path, id));
        await syncFolder(path);
        return join(path, id);
      },
      [Symbol.asyncDispose]: async () => {
        await removeDrafts(path).finally(() => lock.release());
      },
    };
  } catch (error) {
    if (error instanceof EmbeddedServerError) {
      throw new BackupError('folder_in_use', `another command works in that folder: ${error.message}`);
    }
    throw error instanceof BackupError
      ? error
      : new BackupError('folder_unusable', `backups cannot be kept in ${path}: ${reasonOf(error)}`, {
          cause: error,
        });
  }
}

async function makeFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o700 });
  return path;
}

async function removeDrafts(path: string): Promise<void> {
  for (const name of await readdir(path)) {
    if (name.startsWith(draftPrefix)) await rm(join(path, name), { recursive: true, force: true });
  }
}

/** Refuses to keep a backup with what it is to survive. Links are followed. */
export async function requireOutside(folder: string, dataDir: string): Promise<void> {
  const [target, data] = await Promise.all([realPath(resolve(folder)), realPath(resolve(dataDir))]);
  if (`${target}${sep}`.startsWith(`${data}${sep}`)) {
    throw new BackupError(
      'folder_in_data_dir',
      `${folder} lies in the data folder ${dataDir}: a backup there is lost with it`,
    );
  }
}

/** Of a path of which the end may not be there yet. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = resolve(path, '..');
    return parent === path ? path : join(await realPath(parent), path.slice(parent.length));
  }
}

/** What is in it must be backups: a folder of something else was mistyped. */
export async function requireBackupFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw new BackupError('folder_unusable', `backups cannot be kept in ${folder}: ${reasonOf(error)}`);
  });
  const strange = names.find(
    (name) => !idForm.test(name) && !name.startsWith(draftPrefix) && !name.startsWith(lockName),
  );
  if (strange !== undefined) {
    throw new BackupError(
      'folder_of_others',
      `${folder} holds other things than backups, such as ${strange}: name another folder`,
    );
  }
}

export type FoundBackup = { readonly folder: string; readonly manifest: Manifest };

/** Of a folder of backups, the newest first. Throws BackupError. */
export async function listBackups(folder: string): Promise<FoundBackup[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new BackupError('folder_unreadable', `${folder} cannot be read: ${reasonOf(error)}`);
  });
  const found: FoundBackup[] = [];
  for (const name of names
    .filter((one) => idForm.test(one))
    .sort()
    .reverse()) {
    const manifest = await readManifest(join(folder, name));
    if (manifest !== undefined) found.push({ folder: join(folder, name), manifest });
  }
  return found;
}

/** `path` is a backup, or a folder of backups, of which it is the newest. Throws BackupError. */
export async function findBackup(path: string): Promise<FoundBackup> {
  const manifest = await readManifest(path);
  if (manifest !== undefined) return { folder: resolve(path), manifest };
  const [newest] = await listBackups(path);
  if (newest === undefined) throw new BackupError('no_backup', `there is no backup in ${path}`);
  return newest;
}

/** Removes all but the newest `keep`. Gives the ids of those that are gone. */
export async function pruneBackups(folder: string, keep: number): Promise<string[]> {
  const removed: string[] = [];
  for (const { folder: path, manifest } of (await listBackups(folder)).slice(keep)) {
    // By one step out of the list, so that half of it is never taken for a backup.
    const grave = join(folder, `${draftPrefix}${manifest.id}`);
    await rename(path, grave);
    await rm(grave, { recursive: true, force: true });
    removed.push(manifest.id);
  }
  return removed;
}

export async function folderExists(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

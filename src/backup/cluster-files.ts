/**
 * The files of a cluster that a backup needs, as PostgreSQL's manual lists them ("Making a Base
 * Backup Using the Low Level API"), and the empty folders that a server expects.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { spoolName } from '../db/wal-spool.ts';
import { BackupError, hasCode } from './backup-error.ts';

/** Folders whose content a server makes anew. */
const emptied = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  // What is needed of it is copied when the backup has stopped.
  'pg_wal',
]);

/** At the top of the cluster: of a running server, or of another backup. */
const skippedAtTop = new Set([
  spoolName,
  'postmaster.pid',
  'postmaster.opts',
  'postgresql.auto.conf.tmp',
  'current_logfiles.tmp',
  'backup_label',
  'backup_label.old',
  'tablespace_map',
  'tablespace_map.old',
  'backup_manifest',
  'recovery.signal',
  'standby.signal',
]);

/** Those that a server makes anew, wherever they lie, and temporary tables: `t3_16385`. */
const skippedAnywhere = /^(?:pgsql_tmp|pg_internal\.init)|^t\d+_\d+/;
const relationFile = /^(\d+)(?:_(?:fsm|vm|init))?(?:\.\d+)?$/;

const controlFile = 'global/pg_control';

export type ClusterFiles = {
  readonly folders: readonly string[];
  /** The control file is the last: it is to be copied when all others are. */
  readonly files: readonly string[];
};

/** Paths are relative to the cluster. */
export async function listClusterFiles(cluster: string): Promise<ClusterFiles> {
  const folders: string[] = [];
  const files: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    // A folder of a database that was dropped meanwhile is gone.
    const found = await readdir(join(cluster, folder), { withFileTypes: true }).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    });
    const unlogged = unloggedOf(found.map(({ name }) => name));
    for (const entry of found) {
      const { name } = entry;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (skippedAnywhere.test(name) || (folder === '' && skippedAtTop.has(name))) continue;
      if (entry.isDirectory()) {
        folders.push(path);
        if (!emptied.has(path)) await walk(path);
      } else if (entry.isSymbolicLink() && folder === 'pg_tblspc') {
        throw new BackupError(
          'tablespaces',
          'the database has tablespaces outside its folder, which Oja does not back up',
        );
      } else if (entry.isFile() && !isUnlogged(name, unlogged)) {
        files.push(path);
      }
    }
  };
  await walk('');
  folders.push('pg_wal/archive_status', 'pg_wal/summaries');
  return { folders, files: [...files.filter((path) => path !== controlFile), controlFile] };
}

/** Tables that are emptied by a crash, and so by a restore: only their empty form is needed. */
function unloggedOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => /^(\d+)_init$/.exec(name)?.[1] ?? []));
}

function isUnlogged(name: string, unlogged: ReadonlySet<string>): boolean {
  const relation = relationFile.exec(name)?.[1];
  return relation !== undefined && unlogged.has(relation) && !name.endsWith('_init');
}

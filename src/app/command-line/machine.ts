/** What commands do on this machine, by the settings: backups of Oja's own database. */
import { basename, join, resolve } from 'node:path';
import { BackupError, reasonOf } from '../../backup/backup-error.ts';
import {
  type FoundBackup,
  findBackup,
  folderExists,
  listBackups,
  openBackupFolder,
  pruneBackups,
  requireBackupFolder,
  requireOutside,
} from '../../backup/backup-folder.ts';
import { type BackupKey, newBackupKey } from '../../backup/backup-key.ts';
import { requireSigned } from '../../backup/manifest.ts';
import { recordBackup } from '../../backup/record-backup.ts';
import { requireStopped, restoreBackup } from '../../backup/restore-backup.ts';
import { takeBackup } from '../../backup/take-backup.ts';
import { type Verified, verifyBackup } from '../../backup/verify-backup.ts';
import { planWal, pruneWal, readArchiveId } from '../../backup/wal-archive.ts';
import type { Machine } from '../../cli/machine.ts';
import { tellProgress } from '../../cli/tell-progress.ts';
import type { Terminal } from '../../cli/terminal.ts';
import { sqlState } from '../../db/database-errors.ts';
import type { OnProgress } from '../../kernel/progress.ts';
import { readFenceRequest } from '../../recovery/fence-request.ts';
import { type Config, loadConfig, type Variables } from '../config.ts';
import { prepareDatabase } from '../prepare-database.ts';
import type { Registries } from '../registries.ts';
import { version } from '../version.ts';
import { archiveMachineOf } from './archive-machine.ts';
import { keysHere } from './backup-keys.ts';
import { connect } from './connect.ts';
import { actorOfMachine } from './create-session.ts';
import { opensSecrets, requireSealingKey } from './opens-secrets.ts';
import { runDoctor } from './run-doctor.ts';

const pages = 'docs/operators/backup.md';
/** PostgreSQL's word for a table that is not there. */
const undefinedTable = '42P01';

export function machineOf(
  variables: Variables,
  registries: Registries,
  terminal: Terminal,
  found: { wrong: boolean },
): Machine {
  const onProgress = tellProgress(terminal.stderr);
  const check = (backup: FoundBackup, key: BackupKey | undefined, scratch: string): Promise<Verified> =>
    verifyBackup(backup, {
      key,
      scratch,
      onProgress,
      prepare: (database) => prepareDatabase(database, registries.providers),
    });
  return {
    ...archiveMachineOf(variables, registries, terminal, found),
    newBackupKey,
    listBackups,
    examine: async () => {
      const findings = await runDoctor(variables, registries);
      if (findings.some(({ state }) => state === 'wrong')) found.wrong = true;
      return findings;
    },
    takeBackup: async (folder, { plain, verify, keep }) => {
      const config = loadConfig(variables, registries);
      const key = await keyFor(config, plain);
      await requireOwnServer(config);
      await requireOutside(folder, config.dataDir);
      await requireBackupFolder(folder);
      await using target = await openBackupFolder(folder);
      const taken = await take(config, registries, { target, key, onProgress });
      const verified = verify ? await check(taken, key, await target.scratch()) : undefined;
      await note(taken, verified !== undefined, { config, registries, name: basename(target.path) });
      const removed = keep === undefined ? [] : await prune(target.path, keep, config);
      return { ...taken, verified, removed, hasOwnKey: config.backupKey !== undefined };
    },
    verifyBackup: async (path, { plain }) => {
      const config = loadConfig(variables, registries);
      const backup = await findBackup(path);
      const key = await keyOf(backup, config, plain);
      await using target = await openBackupFolder(join(backup.folder, '..'));
      return { ...backup, verified: await check(backup, key, await target.scratch()) };
    },
    planRestore: async (path, { plain, until }) => {
      const config = loadConfig(variables, registries);
      if (config.databaseUrl !== undefined) throw external('restores');
      const backup = await findBackup(path);
      const key = await keyOf(backup, config, plain);
      const dataDir = resolve(config.dataDir);
      const addWal = until === undefined ? undefined : await planUntil(backup, until, config, key);
      await requireStopped(dataDir);
      await requireSealingKey(backup.manifest, config);
      const replaces = await folderExists(join(dataDir, 'postgres'));
      return {
        manifest: backup.manifest,
        dataDir,
        replaces,
        carryOut: () =>
          restoreBackup(backup, {
            dataDir,
            key,
            onProgress,
            until: until === 'latest' ? undefined : until,
            replace: replaces,
            addWal,
            opensSecrets: (sql) => opensSecrets(sql, config),
            now: () => new Date(),
          }),
      };
    },
  };
}

async function take(
  config: Config,
  registries: Registries,
  {
    target,
    ...rest
  }: { target: Parameters<typeof takeBackup>[0]; key: BackupKey | undefined; onProgress: OnProgress },
): Promise<FoundBackup> {
  await using connection = await connect(config, registries, { prepare: false });
  return await takeBackup(target, {
    ...rest,
    database: connection.database,
    dataDir: config.dataDir,
    version: version(),
    now: new Date(),
    walArchive: await readArchiveId(config.dataDir),
  });
}

/** So that it is noticed when backups stop. A database of a version before cannot be told. */
async function note(
  { manifest }: FoundBackup,
  verified: boolean,
  { config, registries, name }: { config: Config; registries: Registries; name: string },
): Promise<void> {
  const record = {
    id: manifest.id,
    takenAt: new Date(manifest.taken_at),
    target: name,
    verified,
    bytes: BigInt(manifest.archive.size),
  };
  try {
    await using connection = await connect(config, registries, { prepare: false });
    await connection.database.transaction((tx) => recordBackup(tx, record, actorOfMachine(undefined)));
  } catch (error) {
    if (sqlState(error) === undefinedTable) return;
    throw new BackupError(
      'backup_not_recorded',
      `backup ${manifest.id} is there${verified ? ', and good' : ''}, but could not be noted in the database: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

async function keyFor(config: Config, plain: boolean): Promise<BackupKey | undefined> {
  if (plain) return undefined;
  const [key] = await keysHere(config);
  if (key !== undefined) return key;
  throw new BackupError(
    'backup_key_missing',
    'backups are encrypted: set OJA_BACKUP_KEY to a key that ./oja backup key makes, or add --plain for one in clear',
  );
}

/** The key that opens it. A backup in clear may be anybody's. */
async function keyOf(
  { manifest }: FoundBackup,
  config: Config,
  plain: boolean,
): Promise<BackupKey | undefined> {
  if (manifest.recipient === null) {
    if (plain) return undefined;
    throw new BackupError(
      'backup_in_clear',
      `backup ${manifest.id} is in clear, so nothing proves who made it: add --plain if it is yours`,
    );
  }
  const keys = await keysHere(config);
  const key = keys.find(({ recipient }) => recipient === manifest.recipient) ?? keys[0];
  if (key === undefined) {
    throw new BackupError(
      'backup_key_missing',
      `backup ${manifest.id} is encrypted: set OJA_BACKUP_KEY to the key of ${manifest.recipient}`,
    );
  }
  requireSigned(manifest, key);
  return key;
}

async function requireOwnServer({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined) throw external('backs up');
  if ((await readFenceRequest(dataDir)) === undefined) return;
  throw new BackupError(
    'backup_before_start',
    `the database in ${dataDir} was just restored: start the gateway once before its first backup`,
  );
}

function external(does: string): BackupError {
  return new BackupError(
    'database_not_own',
    `DATABASE_URL names a PostgreSQL that is not Oja's own, and Oja ${does} its own alone: use pgBackRest or pg_basebackup (${pages})`,
  );
}

async function planUntil(
  { manifest }: FoundBackup,
  until: Date | 'latest',
  { walArchiveDir }: Config,
  key: BackupKey | undefined,
): Promise<(walFolder: string) => Promise<void>> {
  if (until !== 'latest' && until < new Date(manifest.taken_at)) {
    throw new BackupError(
      'until_before_backup',
      `backup ${manifest.id} was taken at ${manifest.taken_at}, after that moment: name an older backup`,
    );
  }
  return await planWal(manifest, walArchiveDir, key);
}

/** Of the archive of the log goes what no backup needs any more. */
async function prune(folder: string, keep: number, { walArchiveDir }: Config): Promise<string[]> {
  const removed = await pruneBackups(folder, keep);
  if (walArchiveDir !== undefined) {
    const kept = await listBackups(folder);
    await pruneWal(
      walArchiveDir,
      kept.map(({ manifest }) => manifest),
    );
  }
  return removed;
}

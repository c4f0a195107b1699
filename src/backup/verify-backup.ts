/**
 * Proves a backup by restoring it: into a folder that is thrown away afterwards, with a server of
 * its own. It must recover, the books must hold, and every page must have its checksum.
 */
import { runAudit } from '../audit/run-audit.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { clusterOf } from '../db/embedded-server.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { BackupError } from './backup-error.ts';
import type { FoundBackup } from './backup-folder.ts';
import type { BackupKey } from './backup-key.ts';
import { countRows } from './backup-store.ts';
import { requireSpace } from './disk-space.ts';
import { checkPages } from './page-checksums.ts';
import { runRestored } from './run-restored.ts';

export type Verified = {
  readonly files: number;
  readonly pages: number;
  readonly purchases: bigint;
  readonly transfers: bigint;
  /** The checks of the audit that hold. */
  readonly checks: number;
};

type Options = {
  readonly key: BackupKey | undefined;
  /** Empty, and removed by the caller. */
  readonly scratch: string;
  /** Brings the schema to what this version of Oja knows: the backup may be older. */
  readonly prepare: (database: Database) => Promise<unknown>;
  readonly onProgress: OnProgress;
};

/** Throws BackupError, which says what is wrong with it. */
export async function verifyBackup(backup: FoundBackup, options: Options): Promise<Verified> {
  const { scratch, onProgress } = options;
  const { files } = backup.manifest;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  await requireSpace(scratch, bytes, 'the check of this backup');
  const found = await auditRestored(backup, options);
  const { pages, wrong } = await checkPages(clusterOf(scratch), (done) =>
    onProgress({ step: 'checking', done, unit: 'pages' }),
  );
  const [first] = wrong;
  if (first !== undefined) {
    throw new BackupError(
      'page_damaged',
      `backup ${backup.manifest.id} is damaged: page ${first.page} of ${first.file} has a wrong checksum, and so it has perhaps in the database itself`,
    );
  }
  return { files: files.length, pages, ...found };
}

async function auditRestored(
  backup: FoundBackup,
  { key, scratch, prepare, onProgress }: Options,
): Promise<Omit<Verified, 'files' | 'pages'>> {
  await using stack = new AsyncDisposableStack();
  const server = await runRestored(backup, scratch, { key, durable: false, onProgress });
  stack.defer(() => server.stop());
  const database = stack.use(
    openDatabase({
      connectionString: server.connectionString,
      connectionsMax: 2,
      applicationName: 'oja-backup-check',
      onPoolError: () => undefined,
    }),
  );
  await prepare(database);
  const { checks } = await runAudit(database, { sinceLast: false, onProgress });
  const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  if (failed.length > 0) {
    throw new BackupError(
      'books_wrong',
      `the books of backup ${backup.manifest.id} do not hold (${failed.join(', ')}): see whether those of the database do, by ./oja audit`,
    );
  }
  return { ...(await countRows(database)), checks: checks.length };
}

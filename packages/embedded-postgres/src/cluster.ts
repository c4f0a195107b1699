/**
 * The cluster: the folder with PostgreSQL's data. Initdb creates it once, next to its final
 * location, and then it is moved there, so that a half-made folder is never used as a cluster.
 */
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Endpoint } from './endpoint.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { serverEnvironment } from './server-settings.ts';
import { canEnter, type ServerUser } from './server-user.ts';

const run = promisify(execFile);

const majorVersion = '18';

export type Cluster = {
  readonly dir: string;
  /**
   * The path of the folder as the server sees it. If root keeps its data in a folder closed to
   * others (`/root/shop/data`), the server's user cannot open the path, but can stay in its working
   * directory.
   */
  readonly nameForServer: string;
};

/**
 * Returns the cluster, and creates it if it is absent. Rejects when the cluster is of another major
 * version of PostgreSQL.
 */
export async function prepareCluster(
  dir: string,
  options: { binDir: string; user: ServerUser | undefined; endpoint: Endpoint; durable: boolean },
): Promise<Cluster> {
  const version = await readFile(join(dir, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    await createCluster(dir, options);
  } else if (version.trim() !== majorVersion) {
    throw new EmbeddedPostgresError(
      'data_dir_other_version',
      `${dir} was made by PostgreSQL ${version.trim()}; this is PostgreSQL ${majorVersion}`,
    );
  } else if (options.user && (await stat(dir)).uid === 0) {
    // The data was restored by root from a copy that did not keep the owner.
    await run('chown', ['-R', `${options.user.uid}:${options.user.gid}`, dir]);
  }
  return { dir, nameForServer: await nameFor(dir, options.user) };
}

async function createCluster(
  dir: string,
  { binDir, user, endpoint, durable }: Parameters<typeof prepareCluster>[1],
): Promise<void> {
  const draft = `${dir}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft);
  if (user) {
    await chown(draft, user.uid, user.gid);
  }
  await chmod(draft, 0o700);
  const args = [
    ...['-D', await nameFor(draft, user), '-U', 'postgres', '-k', '-E', 'UTF8', '--no-instructions'],
    ...['--locale-provider=builtin', '--locale=C', '--builtin-locale=C.UTF-8'],
    ...(endpoint.passwordFile
      ? ['-A', 'scram-sha-256', `--pwfile=${endpoint.passwordFile}`]
      : ['-A', 'trust']),
    ...(durable ? [] : ['--no-sync']),
  ];
  try {
    await run(join(binDir, 'initdb'), args, { ...user, cwd: draft, env: serverEnvironment() });
  } catch (error) {
    const message = `the database could not be created: ${initdbFault(error)}`;
    throw new EmbeddedPostgresError('start_failed', message, { cause: error });
  }
  await rename(draft, dir);
  await syncFolder(dirname(dir));
}

async function nameFor(dir: string, user: ServerUser | undefined): Promise<string> {
  return process.platform === 'linux' && !(await canEnter(dir, user)) ? '/proc/self/cwd' : dir;
}

function initdbFault(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  return stderr?.trim() || message;
}

/** The move must be on the disk before anything is committed in the cluster. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform !== 'win32') {
    await using handle = await open(folder);
    await handle.sync();
  }
}

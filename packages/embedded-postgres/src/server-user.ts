/**
 * The user that the server runs as. PostgreSQL refuses to run as root, so root uses an unprivileged
 * user: the owner of the cluster if there is one, otherwise `postgres` or `nobody`. Users are never
 * created.
 */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './errors.ts';

const run = promisify(execFile);

export type ServerUser = { readonly uid: number; readonly gid: number };

/**
 * Undefined means the user of this process. Rejects if no suitable user is found, or if the cluster
 * belongs to another user.
 */
export async function chooseServerUser(clusterDir: string): Promise<ServerUser | undefined> {
  const ownUid = process.getuid?.();
  if (ownUid === undefined) {
    return undefined; // Windows: PostgreSQL drops its privileges by itself.
  }
  const cluster = await stat(clusterDir).catch(() => undefined);
  if (ownUid !== 0) {
    if (cluster && cluster.uid !== ownUid) {
      throw new EmbeddedPostgresError(
        'data_dir_not_owned',
        `${clusterDir} belongs to user id ${cluster.uid}, but the program runs as ${userName()} (${ownUid}): ` +
          'start it as that user or as root, or choose another data folder',
      );
    }
    return undefined;
  }
  if (cluster && cluster.uid !== 0) {
    return { uid: cluster.uid, gid: cluster.gid };
  }
  const user = (await lookUp('postgres')) ?? (await lookUp('nobody'));
  if (user === undefined) {
    throw new EmbeddedPostgresError(
      'no_server_user',
      'PostgreSQL must not run as root, and there is no user "postgres" or "nobody": start the program as another user',
    );
  }
  return user;
}

/** Whether the server, as this user, can get to a folder by its path. */
export async function canEnter(folder: string, user: ServerUser | undefined): Promise<boolean> {
  if (user === undefined) {
    return true;
  }
  // Asking the kernel is more reliable than reading mode bits, because of access lists, mounts and
  // containers.
  return await run('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

/** A container may run a user id that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'a user without a name';
  }
}

async function lookUp(name: string): Promise<ServerUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    // macOS prints the id of nobody as -2.
    return { uid: Number(uid.stdout) >>> 0, gid: Number(gid.stdout) >>> 0 };
  } catch {
    return undefined;
  }
}

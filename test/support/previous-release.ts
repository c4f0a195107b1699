/**
 * The release before this one as a program that can be run: its files, taken from the history of
 * the repository, over the dependencies that are installed here.
 */
import { execFile } from 'node:child_process';
import { access, chmod, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUpAfter } from './test-cluster.ts';

const run = promisify(execFile);

/** Version 0.1.0. */
const COMMIT = '6607a9ddc44efaa715def1a08ebbde5b49a65567';
const root = join(import.meta.dirname, '..', '..');

export type PreviousRelease = {
  /** What starts its gateway. */
  readonly entry: string;
};

/**
 * Undefined where there is no repository, as in an archive of the sources. Rejects where there is
 * one without its whole history.
 */
export async function openPreviousRelease(): Promise<PreviousRelease | undefined> {
  if (!(await isThere(join(root, '.git')))) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'oja-previous-'));
  cleanUpAfter(folder);
  await chmod(folder, 0o755);
  const archive = join(folder, 'source.tar');
  // The repository may be another user's, as in a container.
  const git = ['-c', `safe.directory=${root}`, '-C', root];
  await run('git', [
    ...git,
    'archive',
    '-o',
    archive,
    COMMIT,
    'src',
    'catalog',
    'migrations',
    'package.json',
  ]).catch((error: unknown) => {
    throw new Error('the previous release is not in the history here: git fetch --unshallow', {
      cause: error,
    });
  });
  await run('tar', ['-xf', archive, '-C', folder]);
  // What it depends on, this release depends on too, in the same versions.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { entry: join(folder, 'src', 'main.ts') };
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

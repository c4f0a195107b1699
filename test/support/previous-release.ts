/**
 * The release before this one as a program that can be run: its files, taken from the history of
 * the repository, over the dependencies that are installed here.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUpAfter } from './clean-up-after.ts';

const run = promisify(execFile);

/** The files of version 0.1.0: a tree, which keeps its name whatever commits hold it. */
const TREE = 'eaf65088f15f17a87b5bdd55144480c6ed575b43';
const root = join(import.meta.dirname, '..', '..');

export type PreviousRelease = {
  /** What starts its gateway. */
  readonly entry: string;
};

/**
 * Undefined where those files are not: in an archive of the sources, or a clone without its whole
 * history (`git fetch --unshallow` brings it).
 */
export async function openPreviousRelease(): Promise<PreviousRelease | undefined> {
  const folder = await openRelease(TREE);
  return folder === undefined ? undefined : { entry: join(folder, 'src', 'main.ts') };
}

/** The folder with the files of a tree; undefined where the history does not have it. */
export async function openRelease(tree: string): Promise<string | undefined> {
  // The repository may be another user's, as in a container.
  const git = ['-c', `safe.directory=${root}`, '-C', root];
  const isHere = await run('git', [...git, 'cat-file', '-e', tree]).then(
    () => true,
    () => false,
  );
  if (!isHere) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'oja-previous-'));
  cleanUpAfter(folder);
  await chmod(folder, 0o755);
  const archive = join(folder, 'source.tar');
  const parts = ['src', 'catalog', 'migrations', 'package.json'];
  await run('git', [...git, 'archive', '-o', archive, tree, ...parts]);
  await run('tar', ['-xf', archive, '-C', folder]);
  // What it depends on, this release depends on too, in the same versions.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

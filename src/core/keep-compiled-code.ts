/**
 * Keeps what Node.js made of our TypeScript, so that the next process starts in half the time. To
 * be called before anything else is imported.
 *
 * It is kept beside the dependencies, where only who installs them writes: code that somebody else
 * could write must not be run. Where nothing can be written there, nothing is kept, and what was
 * kept before is read. Where others could write, neither.
 */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';

const dependencies = join(import.meta.dirname, '..', '..', 'node_modules');

/** `installed`: the folder of the dependencies. */
export function keepCompiledCode(installed = dependencies): void {
  const kept = join(installed, '.cache', 'oja');
  if ([dirname(kept), kept].every((folder) => isAsSafe(folder, installed))) enableCompileCache(kept);
}

/**
 * Whether a folder is not there yet, or can be written by nobody but this user and who can write
 * the dependencies.
 */
function isAsSafe(folder: string, installed: string): boolean {
  const { getuid } = process;
  // Windows has no such owners.
  if (getuid === undefined) return true;
  try {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return true;
    const model = statSync(installed);
    const ownedWell = [getuid(), model.uid].includes(found.uid);
    return found.isDirectory() && ownedWell && isNoMoreOpen(found, model);
  } catch {
    // It cannot be looked at: a process starts in any case.
    return false;
  }
}

/** Whether group and others can write no more than in the model. */
function isNoMoreOpen(found: Stats, model: Stats): boolean {
  const groupWrites = (found.mode & 0o020) !== 0;
  const othersWrite = (found.mode & 0o002) !== 0;
  const modelGroupWrites = (model.mode & 0o020) !== 0 && model.gid === found.gid;
  return (!groupWrites || modelGroupWrites) && (!othersWrite || (model.mode & 0o002) !== 0);
}

/**
 * Caches the compiled TypeScript, so that the next process starts in half the time. Call it before
 * anything else is imported.
 *
 * The cache is beside the dependencies, where only their owner can write: code that another user
 * could write must not run. Without write access the existing cache is only read. If others could
 * write there, it is not used at all.
 */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';

const dependencies = join(import.meta.dirname, '..', '..', 'node_modules');

/**
 * Returns the folder of the cache, or undefined without one. `installed`: the folder of the
 * dependencies.
 */
export function keepCompiledCode(installed = dependencies): string | undefined {
  const kept = join(installed, '.cache', 'oja');
  if (![dirname(kept), kept].every((folder) => isAsSafe(folder, installed))) return undefined;
  enableCompileCache(kept);
  return kept;
}

/**
 * Returns whether a folder does not exist yet, or only this user and the writers of the
 * dependencies can write to it.
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
    // The folder is unreadable, and the process starts in any case.
    return false;
  }
}

/** Returns whether group and others have no more write permissions than in the model. */
function isNoMoreOpen(found: Stats, model: Stats): boolean {
  const groupWrites = (found.mode & 0o020) !== 0;
  const othersWrite = (found.mode & 0o002) !== 0;
  const modelGroupWrites = (model.mode & 0o020) !== 0 && model.gid === found.gid;
  return (!groupWrites || modelGroupWrites) && (!othersWrite || (model.mode & 0o002) !== 0);
}

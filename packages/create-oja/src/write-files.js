/** Writes files that are not there yet. No file that is there is changed. */
import { chmodSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns why nothing can be written into this folder; undefined where it can. */
export function faultOfFolder(folder, mark) {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return `${folder} is not a folder`;
  const env = lstatSync(join(folder, '.env'), { throwIfNoEntry: false });
  if (env === undefined) return undefined;
  const [first] = env.isFile() ? readFileSync(join(folder, '.env'), 'utf8').split('\n') : [];
  return first === mark
    ? undefined
    : `${join(folder, '.env')} was made for something else: choose another folder, or remove it`;
}

/** Returns each file with whether it was written or kept. */
export function writeFiles(folder, files) {
  return files.map(({ path, text, mode }) => {
    const whole = join(folder, path);
    const isSecret = path.startsWith('secrets/');
    mkdirSync(dirname(whole), { recursive: true, mode: isSecret ? 0o700 : 0o755 });
    try {
      // Fails where something is there, also a link to nowhere.
      writeFileSync(whole, typeof text === 'function' ? text() : text, { flag: 'wx', mode });
    } catch (error) {
      if (error.code === 'EEXIST') return { path, isWritten: false };
      throw error;
    }
    // The folder may have been there, open to others.
    if (isSecret) chmodSync(dirname(whole), 0o700);
    // Whatever the mask: the users of the containers read these files.
    chmodSync(whole, mode);
    return { path, isWritten: true };
  });
}

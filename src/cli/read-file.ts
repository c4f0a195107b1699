/** Reads files that are arguments of a command. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CommandError } from './command-error.ts';

/** Reads a file, or the standard input for `-`. Throws CommandError `file_unreadable`. */
export async function readBytes(path: string): Promise<Buffer> {
  try {
    return path === '-' ? await buffer(process.stdin) : await readFile(path);
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
}

export async function readText(path: string): Promise<string> {
  return (await readBytes(path)).toString('utf8');
}

/** Reads a secret and trims white space. */
export async function readSecret(path: string): Promise<string> {
  return (await readText(path)).trim();
}

export function unreadable(path: string, why: string): CommandError {
  return new CommandError('file_unreadable', `cannot read ${path}: ${why}`);
}

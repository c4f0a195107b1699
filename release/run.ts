/** Runs the programs that a release needs. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export const root: string = join(import.meta.dirname, '..');

/** Returns the standard output. Throws with all output of the program when it fails. */
export function run(program: string, args: readonly string[], cwd = root): string {
  return execFileSync(program, [...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

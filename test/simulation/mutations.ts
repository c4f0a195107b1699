/** The deliberate bugs by which the simulation itself is tried, as patches. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const folder = join(import.meta.dirname, 'mutations');

export const root = join(import.meta.dirname, '..', '..');

export function listMutations(): { readonly name: string; readonly path: string }[] {
  return readdirSync(folder)
    .toSorted()
    .map((file) => ({ name: basename(file, '.patch'), path: join(folder, file) }));
}

/** Where the application is that people have in their browsers, and whether it is there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where `npm ci` puts it. */
export const builtApplication = join(import.meta.dirname, '..', '..', 'console', 'dist');

export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'));
}

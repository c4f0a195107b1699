/** Writes docs/maintainers/access.md: `npm run access`. */
import { writeFile } from 'node:fs/promises';
import { accessPagePath, pageOfAccess, readRoutes } from './page.ts';

await writeFile(accessPagePath, pageOfAccess(await readRoutes()));

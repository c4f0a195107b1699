/**
 * Removes the headers of Node.js after an installation: 67 MB of node_modules, for compiling native
 * modules, of which Oja has none. Plain JavaScript, since any Node.js may run the installation.
 */
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const installed = fileURLToPath(new URL('../node_modules/', import.meta.url));

for (const name of readdirSync(installed)) {
  if (/^node-(?:bin-)?(?:darwin|linux|win)-/.test(name))
    rmSync(`${installed}${name}/include`, { recursive: true, force: true });
}

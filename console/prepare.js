/**
 * Builds the console after an installation. Where the tools for it were left out (`--omit=dev`), it
 * says so in one line: an installation never fails for the console. Plain JavaScript, since the
 * installation may be run by any Node.js.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url));
// The Node.js that was installed with it: that of npm may be too old for the tools.
const installed = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
const isInstalled = process.platform !== 'win32' && existsSync(installed);

if (!isInstalled && Number.parseInt(process.versions.node, 10) < 24) {
  console.log(`Oja needs Node.js 24 or later, and this is ${process.version}: install a newer one.`);
} else if (!existsSync(vite)) {
  console.log('The console is not built: "npm ci" without --omit=dev builds it.');
} else {
  const { status } = spawnSync(
    isInstalled ? installed : process.execPath,
    [vite, 'build', '--logLevel', 'warn'],
    {
      cwd: here,
      stdio: 'inherit',
    },
  );
  if (status !== 0) {
    console.log('The console is not built, for the reason above. Everything else works without it.');
    if (Number.parseInt(process.versions.node, 10) < 22)
      console.log(`npm leaves out what ${process.version} is too old for: install with Node.js 22 or later.`);
  }
}

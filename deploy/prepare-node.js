/**
 * Completes the Node.js that an installation brings. Plain JavaScript, since any Node.js may run the
 * installation.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const installed = `${root}node_modules/`;
const link = `${installed}.bin/${process.platform === 'win32' ? 'node.cmd' : 'node'}`;

for (const name of readdirSync(installed)) {
  if (!/^node-(?:bin-)?(?:darwin|linux|win)-/.test(name)) continue;
  // 67 MB, for compiling native modules, of which Oja has none.
  rmSync(`${installed}${name}/include`, { recursive: true, force: true });
  // npm 10 removes the link together with those of other platforms, which have the same name.
  if (!existsSync(link) && process.env.npm_execpath !== undefined) {
    const rebuild = [process.env.npm_execpath, 'rebuild', '--ignore-scripts', '--silent', name];
    spawnSync(process.execPath, rebuild, { cwd: root });
  }
}

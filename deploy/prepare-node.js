/**
 * Completes the Node.js that an installation brings, and compiles Oja with it. Plain JavaScript,
 * since any Node.js may run the installation.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const installed = `${root}node_modules/`;
const link = `${installed}.bin/${process.platform === 'win32' ? 'node.cmd' : 'node'}`;

for (const name of readdirSync(installed)) {
  if (!/^node-(?:bin-)?(?:darwin|linux|win)-/.test(name)) continue;
  // 67 MB, for compiling native modules, of which Oja has none.
  rmSync(`${installed}${name}/include`, { recursive: true, force: true });
  if (process.platform === 'linux') removeSymbols(`${installed}${name}/bin/node`);
  // npm 10 removes the link together with those of other platforms, which have the same name.
  if (!existsSync(link) && process.env.npm_execpath !== undefined) {
    const rebuild = [process.env.npm_execpath, 'rebuild', '--ignore-scripts', '--silent', name];
    spawnSync(process.execPath, rebuild, { cwd: root });
  }
}

const program = `${root}src/compile.ts`;
if (existsSync(program)) {
  // An installation never fails for it: a Node.js that is too old compiles nothing.
  spawnSync(existsSync(link) ? link : process.execPath, [program], { stdio: 'ignore' });
}

/** Symbols for debuggers are 33 MB. Without binutils they stay. */
function removeSymbols(program) {
  const draft = `${program}.new`;
  const { status } = spawnSync('strip', ['-o', draft, program], { stdio: 'ignore' });
  if (status === 0) renameSync(draft, program);
  else rmSync(draft, { force: true });
}

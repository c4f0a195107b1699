/**
 * Compiles a gateway's modules and those of its simulator, so that the first start finds them
 * compiled. `npm ci` and the build of an image run it.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { memoryFlags } from './app/command-line/become-gateway.ts';
import { keepCompiledCode } from './core/keep-compiled-code.ts';

/** Connectors are loaded by those that use them. */
const modules = [
  'src/app/run-gateway.ts',
  'src/app/serve.ts',
  'src/{providers,funding/banks}/*/connector.ts',
  'simulator/server.ts',
];

if (memoryFlags.every((flag) => process.execArgv.includes(flag))) {
  keepCompiledCode();
  const root = join(import.meta.dirname, '..');
  for (const path of globSync(modules, { cwd: root })) await import(pathToFileURL(join(root, path)).href);
} else {
  // The cache of V8 depends on the flags, so they are those of a gateway.
  spawnSync(process.execPath, [...memoryFlags, import.meta.filename], { stdio: 'inherit' });
}

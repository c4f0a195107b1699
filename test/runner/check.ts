/**
 * `npm run check`: types, lint and dead code. The programs run in parallel. Prints the complete
 * output of each, in the order of the list. Exits with 1 if one of them failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { root } from './layers.ts';

/** With several threads, the compiler checks much twice, and the other programs wait. */
const commands = [
  'tsc --singleThreaded',
  'tsc -p console --singleThreaded',
  'biome ci --error-on-warnings',
  'knip',
] as const;

const results = commands.map(run);
for (const result of results) {
  const { command, code, output } = await result;
  if (output.trim() !== '') console.log(output.trimEnd());
  if (code === 0) continue;
  console.log(`failed: ${command}`);
  process.exitCode = 1;
}

async function run(command: string): Promise<{ command: string; code: number | null; output: string }> {
  const [program = '', ...options] = command.split(' ');
  const bin = join(root, 'node_modules', '.bin');
  const child = spawn(program, options, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  return { command, code, output };
}

/**
 * Writes the files of a new provider, bank, operation or route from a model, formats them, and
 * prints the remaining steps: `npm run new provider NAME`, `npm run new bank NAME`,
 * `npm run new operation NOUN.VERB ROOM`, `npm run new route AREA/NAME`.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../runner/layers.ts';
import { writeBank } from './write-bank.ts';
import { writeOperation } from './write-operation.ts';
import { writeProvider } from './write-provider.ts';
import { writeRoute } from './write-route.ts';

const usage = 'usage: npm run new provider NAME | bank NAME | operation NOUN.VERB ROOM | route AREA/NAME';

function write([kind, name = '', room = '']: readonly string[]): readonly string[] {
  if (kind === 'provider') return writeProvider(root, name);
  if (kind === 'bank') return writeBank(root, name);
  if (kind === 'operation') return writeOperation(root, name, room);
  if (kind === 'route') return writeRoute(root, name);
  throw new Error(usage);
}

/** Sorts the imports and wraps the lines of the written files. */
function format(lines: readonly string[]): void {
  const paths = lines.flatMap((line) => (/^wrote .*\.ts$/.test(line) ? [line.slice('wrote '.length)] : []));
  execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', ...paths], { cwd: root });
}

try {
  const lines = write(parseArgs({ allowPositionals: true }).positionals);
  format(lines);
  console.log(lines.join('\n'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

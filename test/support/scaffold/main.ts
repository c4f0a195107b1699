/**
 * Writes the files of something new, from a model that the tests hold, and prints what is left to
 * do: `npm run new provider NAME`, `npm run new operation NOUN.VERB ROOM`.
 */
import { parseArgs } from 'node:util';
import { root } from '../../runner/layers.ts';
import { writeOperation } from './write-operation.ts';
import { writeProvider } from './write-provider.ts';

const usage = 'usage: npm run new provider NAME | npm run new operation NOUN.VERB ROOM';

function write([kind, name = '', room = '']: readonly string[]): readonly string[] {
  if (kind === 'provider') return writeProvider(root, name);
  if (kind === 'operation') return writeOperation(root, name, room);
  throw new Error(usage);
}

try {
  console.log(write(parseArgs({ allowPositionals: true }).positionals).join('\n'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

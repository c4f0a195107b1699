/** Writes a part of an operation's output to a file that only its owner can read. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { TextInput } from '../backoffice/operations/read-text-input.ts';
import { CommandError } from './command-error.ts';
import type { OutputFile } from './operation-command.ts';

/** Returns the path of the file. Throws CommandError if it cannot be written. */
export async function writeOutput(
  file: OutputFile<never>,
  output: unknown,
  { options, dataDir }: { readonly options: TextInput; readonly dataDir: string },
): Promise<string> {
  const named = options[file.option.attributeName()];
  const path = resolve(
    typeof named === 'string' ? named : join(dataDir, file.defaultPath?.(output as never) ?? ''),
  );
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // Fails if the file exists.
    const content = file.contentOf(output as never);
    await writeFile(path, content, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    const unwritten = file.unwritten === undefined ? '' : `${file.unwritten}: `;
    const flag = file.option.long ?? '';
    throw new CommandError(
      'file_unwritable',
      `${unwritten}cannot write ${path}: ${(error as Error).message}. Choose another with ${flag}`,
    );
  }
  return path;
}

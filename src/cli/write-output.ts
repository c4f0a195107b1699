/** Writes what an operation answered to a file of this machine, for its owner alone. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { TextInput } from '../backoffice/operations/read-text-input.ts';
import { CommandError } from './command-error.ts';
import type { OutputFile } from './operation-command.ts';

/** Gives where it is. Throws CommandError where it cannot be written. */
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
    // Never over another file.
    const content = file.contentOf(output as never);
    await writeFile(path, content, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    const unwritten = file.unwritten === undefined ? '' : `${file.unwritten}: `;
    const flag = file.option.long ?? '';
    throw new CommandError(
      'file_unwritable',
      `${unwritten}cannot write ${path}: ${(error as Error).message}; ${flag} names another`,
    );
  }
  return path;
}

/** Asks a person before something is done that cannot be taken back. */
import { createInterface } from 'node:readline/promises';
import { CommandError } from './command-error.ts';
import type { Terminal } from './terminal.ts';

/** Throws CommandError where the answer is no, or nobody can be asked. */
export async function confirm(question: string, { stdin, stderr }: Terminal): Promise<void> {
  if (!stdin.isTTY) {
    throw new CommandError('confirmation_needed', `${question} Nobody can be asked here: add --yes to do it`);
  }
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await prompt.question(`${question} [y/N] `);
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('not_confirmed', 'nothing was done');
  } finally {
    prompt.close();
  }
}

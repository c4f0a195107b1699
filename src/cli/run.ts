/** How a command is run, and what every command's help has. */
import type { CommandResult } from './output.ts';
import type { Session } from './session.ts';

/** Opens a session, runs the work, prints its result and sets the exit code. */
export type Run = (
  options: { readonly json?: boolean; readonly actor?: string },
  work: (session: Session) => Promise<CommandResult>,
) => Promise<void>;

export function examplesText(examples: readonly string[]): string {
  const lines = examples.map((example) => `  ./oja ${example}`);
  return `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.join('\n')}`;
}

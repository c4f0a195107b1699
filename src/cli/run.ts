/** The surroundings of a command: its terminal, its session, and how it is run. */
import type { Readable, Writable } from 'node:stream';
import type { Operator } from '../backoffice/operations/run-operation.ts';
import type { Services } from '../backoffice/operations/services.ts';
import type { CommandResult } from './output.ts';

/** The streams of a command. `process` is one. */
export type Terminal = {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
};

export type Session = {
  readonly services: Services;
  readonly operator: Operator;
  /** The gateway's data folder on this machine. It does not exist if the gateway runs elsewhere. */
  readonly dataDir: string;
};

/** Opens a session, runs the work, prints its result and sets the exit code. */
export type Run = (
  options: {
    readonly json?: boolean;
    readonly actor?: string;
    /** Whether the database may be of an earlier version. Its cells are not opened then. */
    readonly anyVersion?: boolean;
  },
  work: (session: Session) => Promise<CommandResult>,
) => Promise<void>;

export function examplesText(examples: readonly string[]): string {
  if (examples.length === 0) return '';
  const lines = examples.map((example) => `  ./oja ${example}`);
  return `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.join('\n')}`;
}

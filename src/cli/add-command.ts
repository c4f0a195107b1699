/**
 * Adds a command to the program with what every command has: `--json`, an example in its help, and
 * the way it runs.
 */
import type { Command } from 'commander';
import type { CommandResult } from './output.ts';
import type { Session } from './session.ts';

/** As a command makes it; `--json` prints the data as `{"data": …}`. */
type DataResult = Omit<CommandResult, 'answer'> & { readonly data: unknown };

/** Opens a session, runs the work, prints its result and sets the exit code. */
export type Run = (
  options: { readonly json?: boolean; readonly actor?: string },
  work: (session: Session) => Promise<CommandResult>,
) => Promise<void>;

export type CommandSpec<A extends readonly unknown[], O extends object> = {
  readonly name: string;
  readonly description: string;
  /** Of the program alone, without `./oja`. */
  readonly examples: readonly string[];
  /** Acts, and so takes `--actor`. */
  readonly writes?: boolean;
  /** Adds arguments' readers and options. */
  readonly configure?: (command: Command) => void;
  readonly work: (session: Session, args: A, options: O) => Promise<DataResult>;
};

/**
 * `A` and `O` are what the arguments and options of `configure` read: commander has no types for
 * them.
 */
export function addCommand<A extends readonly unknown[], O extends object>(
  parent: Command,
  run: Run,
  spec: CommandSpec<A, O>,
): void {
  const command = parent.command(spec.name).description(spec.description);
  spec.configure?.(command);
  if (spec.writes)
    command.option('--actor <name>', 'who does it, for the audit log (default: your system user)');
  command.option('--json', 'print JSON');
  command.addHelpText('after', examplesText(spec.examples));
  command.action(async (...given: unknown[]) => {
    const options = command.opts<O & { json?: boolean; actor?: string }>();
    // Commander appends the options and the command itself to the arguments.
    const args = given.slice(0, -2) as readonly unknown[] as A;
    await run(options, async (session) => {
      const { data, ...result } = await spec.work(session, args, options);
      return { ...result, answer: { data } };
    });
  });
}

export function examplesText(examples: readonly string[]): string {
  const lines = examples.map((example) => `  ./oja ${example}`);
  return `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.join('\n')}`;
}

/**
 * The command line of a process: its arguments, what it prints to, its exit code. A program of
 * one's own calls it with the providers and banks of its gateway.
 */
import type { Variables } from '../config.ts';
import type { Registries } from '../registries.ts';
import { runCommand } from './run-command.ts';

/**
 * Resolves when the command is done and the exit code is set. Without `registries` the commands
 * know the providers and banks that Oja comes with.
 */
export async function runCommandLine(
  variables: Variables,
  registries: Partial<Registries> = {},
): Promise<void> {
  // Whoever reads the output may stop early, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.exitCode = await runCommand(process.argv.slice(2), process, variables, registries);
}

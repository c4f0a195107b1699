/** `oja start`: the gateway, in place of the command and in its process. */
import type { Command } from 'commander';
import { examplesText } from '../run.ts';

export function addStart(program: Command, start: () => Promise<void>): void {
  program
    .command('start')
    .description('run the gateway until a signal stops it, with the settings of the environment')
    .addHelpText('after', examplesText(['start']))
    .action(start);
}

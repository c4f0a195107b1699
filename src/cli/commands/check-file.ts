/** `oja provider check`: tries the file that describes an account at a provider. */
import type { Command } from 'commander';
import type { Variables } from '../../core/settings-reader.ts';
import type { CheckPlace, FileCheck } from '../../providers/provider-definition.ts';
import { groupAt } from '../add-operation.ts';
import { UsageError } from '../command-error.ts';
import { table, toJson } from '../output.ts';
import { examplesText, type Terminal } from '../run.ts';

/**
 * Runs the checks of a file, and sets the exit code to 1 if one fails. The default is the provider
 * whose accounts have such files.
 */
export type CheckFile = (
  provider: string | undefined,
  path: string,
  place: CheckPlace,
) => Promise<readonly FileCheck[]>;

type Options = {
  readonly provider?: string;
  readonly simulator: string;
  readonly live?: boolean;
  readonly json?: boolean;
};

export function addCheckFile(
  program: Command,
  check: CheckFile,
  { stdout }: Terminal,
  variables: Variables,
): void {
  groupAt(program, 'provider')
    .command('check <file>')
    .description(
      'try the mapping of an account: orders at the simulator, or balance and plans at the provider',
    )
    .option('--provider <name>', 'the provider, if several have such files')
    .option('--simulator <url>', 'the address of the simulator', 'http://127.0.0.1:8090')
    .option('--live', 'read balance and plans with the settings of the environment. Buys nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examplesText(['provider check husmodata.json', 'provider check husmodata.json --live']),
    )
    .action(async (file: string, { provider, simulator, live, json }: Options) => {
      if (!URL.canParse(simulator)) throw new UsageError('usage', '--simulator must be an address');
      const place = live ? { variables } : { simulatorUrl: simulator.replace(/\/+$/, '') };
      const checks = await check(provider, file, place);
      stdout.write(`${json ? toJson({ data: checks }) : textOf(checks)}\n`);
    });
}

function textOf(checks: readonly FileCheck[]): string {
  return table(
    checks,
    [
      { title: '', of: ({ isGood }) => (isGood ? 'ok' : 'WRONG') },
      { title: 'CHECK', of: ({ what }) => what },
      { title: 'FOUND', of: ({ found }) => found },
    ],
    'nothing to check',
  );
}

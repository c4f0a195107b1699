/** The operator's commands for that gateway. */
import { runCommandLine } from '../../../src/app/command-line/run-command-line.ts';
import { builtInBanks } from '../../../src/funding/banks/registry.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import { acme } from './acme/index.ts';
import { depot } from './depot/index.ts';

await runCommandLine(process.env, {
  providers: [...builtInProviders, acme],
  banks: [...builtInBanks, depot],
});

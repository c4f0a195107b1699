/** The operator's commands for that gateway. */
import { runCommandLine } from '../../../src/app/command-line/run-command-line.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import { acme } from './acme/index.ts';

await runCommandLine(process.env, { providers: [...builtInProviders, acme] });

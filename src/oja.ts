/**
 * `npm run -s oja -- …`: the operator's commands, for a gateway with the providers and banks that
 * Oja comes with.
 */
import { runCommandLine } from './app/command-line/run-command-line.ts';

await runCommandLine(process.env);

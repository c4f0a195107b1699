/**
 * `./oja …`: the operator's commands, for a gateway with the providers and banks that
 * Oja comes with.
 */
import { join } from 'node:path';
import { keepCompiledCode } from './core/keep-compiled-code.ts';

keepCompiledCode();
const { runCommandLine } = await import('./app/command-line/run-command-line.ts');
await runCommandLine(process.env, {}, join(import.meta.dirname, 'main.ts'));

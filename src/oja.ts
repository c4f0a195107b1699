/** `./oja …`: the operator's commands, for a gateway with the built-in providers and banks. */
import { join } from 'node:path';
import { keepCompiledCode } from './core/keep-compiled-code.ts';

keepCompiledCode();
const { runCommandLine } = await import('./app/command-line/run-command-line.ts');
await runCommandLine(process.env, {}, join(import.meta.dirname, 'main.ts'));

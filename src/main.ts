/** The gateway with the built-in providers and banks. */
import { keepCompiledCode } from './core/keep-compiled-code.ts';

const kept = keepCompiledCode();
// The processes of the demo use the same cache.
if (kept !== undefined) process.env.NODE_COMPILE_CACHE ||= kept;
const { runGateway } = await import('./app/run-gateway.ts');
await runGateway(process.env);

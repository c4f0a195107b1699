/** The gateway with the providers and banks that Oja comes with. */
import { keepCompiledCode } from './core/keep-compiled-code.ts';

keepCompiledCode();
const { runGateway } = await import('./app/run-gateway.ts');
await runGateway(process.env);

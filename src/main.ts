/** The gateway with the providers and banks that Oja comes with. */
import { runGateway } from './app/run-gateway.ts';

await runGateway(process.env);

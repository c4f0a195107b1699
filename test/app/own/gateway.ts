/** A gateway of one's own: the providers that Oja comes with, and Acme. */
import { runGateway } from '../../../src/app/run-gateway.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import { acme } from './acme/index.ts';

await runGateway(process.env, { providers: [...builtInProviders, acme] });

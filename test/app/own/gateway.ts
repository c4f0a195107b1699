/** A custom gateway: the built-in providers, and Acme. */
import { runGateway } from '../../../src/app/run-gateway.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import { acme } from './acme/index.ts';

await runGateway(process.env, { providers: [...builtInProviders, acme] });

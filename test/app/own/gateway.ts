/** A custom gateway: the built-in providers and banks, with Acme and Depot. */
import { runGateway } from '../../../src/app/run-gateway.ts';
import { builtInBanks } from '../../../src/funding/banks/registry.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import { acme } from './acme/index.ts';
import { depot } from './depot/index.ts';

await runGateway(process.env, {
  providers: [...builtInProviders, acme],
  banks: [...builtInBanks, depot],
});

/** `oja route`: which providers serve what, in which order. */
import { removeRouteOperation, setRouteOperation } from '../../routing/operations/change-route.ts';
import { listRoutesOperation } from '../../routing/operations/list-routes.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const routeCommands: readonly OperationCommand[] = [
  commandOf(listRoutesOperation, {
    examples: ['route list'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'ENV', of: (line) => line.environment },
          { title: 'PRODUCT', of: (line) => line.product },
          { title: 'NETWORK', of: (line) => line.network },
          { title: 'PROVIDERS', of: (line) => line.providers.join(', ') },
        ],
        'No routes: nothing can be bought.',
      ),
  }),
  commandOf(setRouteOperation, {
    arguments: ['environment', 'product', 'network', 'providers'],
    examples: ['route set live airtime MTN vtpass', "route set live data '*' vtpass"],
    prepare: async ({ providers, ...input }) => ({ ...input, providers: splitAtCommas(providers) }),
    text: changeText,
  }),
  commandOf(removeRouteOperation, {
    arguments: ['environment', 'product', 'network'],
    examples: ['route remove live airtime MTN --yes'],
    text: changeText,
  }),
];

/** Several providers are typed as one word or as several. */
function splitAtCommas(typed: unknown): unknown {
  return Array.isArray(typed) ? typed.flatMap((names) => String(names).split(',')).map(trim) : typed;
}

function trim(name: string): string {
  return name.trim();
}

type Change = {
  readonly environment: string;
  readonly product: string;
  readonly network: string;
  readonly providers: readonly string[];
  readonly providers_before: readonly string[];
};

function changeText({ environment, product, network, providers, providers_before: before }: Change): string {
  const words = (names: readonly string[]): string => names.join(', ') || 'no route';
  return `${product} ${network} in ${environment}: ${words(providers)} (before: ${words(before)}).`;
}

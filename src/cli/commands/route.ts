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
          { title: 'PROVIDERS', of: (line) => words(line.providers, line.shares) },
        ],
        'No routes: nothing can be bought.',
      ),
  }),
  commandOf(setRouteOperation, {
    arguments: ['environment', 'product', 'network', 'providers'],
    examples: [
      'route set live airtime MTN vtpass',
      "route set live data '*' vtpass",
      'route set live airtime MTN vtpass,nomba --share vtpass=70,nomba=30',
    ],
    flags: { share: '--share <provider=weight,…>' },
    prepare: async ({ providers, share, ...input }) => ({
      ...input,
      providers: splitAtCommas(providers),
      ...(share !== undefined && { share: readShares(String(share)) }),
    }),
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

/** A part that is no weight is left as text, for the operation to refuse. */
function readShares(typed: string): Record<string, unknown> {
  return Object.fromEntries(
    typed.split(',').map((part) => {
      const [name = '', weight = ''] = part.split('=').map(trim);
      return [name, /^[0-9]{1,4}$/.test(weight) ? Number(weight) : weight];
    }),
  );
}

type Change = {
  readonly environment: string;
  readonly product: string;
  readonly network: string;
  readonly providers: readonly string[];
  readonly shares: Shares;
  readonly providers_before: readonly string[];
  readonly cannot_serve: readonly {
    readonly provider: string;
    readonly why: 'not_set_up' | 'product_not_sold';
  }[];
};

type Shares = Readonly<Record<string, number>>;

function changeText(change: Change): string {
  const { environment, product, network, providers, shares, providers_before: before } = change;
  return [
    `${product} ${network} in ${environment}: ${words(providers, shares)} (before: ${words(before, {})}).`,
    ...change.cannot_serve.map(({ provider, why }) =>
      why === 'not_set_up'
        ? `Warning: ${provider} is not set up in these settings. It gets no purchases until it is (./oja doctor).`
        : `Warning: ${provider} does not sell ${product}. It gets no purchases of this route.`,
    ),
    ...(providers.length > 0 && change.cannot_serve.length === providers.length
      ? ['Warning: no provider of this route can serve it. Purchases of it are refused with 503.']
      : []),
  ].join('\n');
}

function words(names: readonly string[], shares: Shares): string {
  const named = names.map((name) => (shares[name] === undefined ? name : `${name} ${shares[name]}`));
  return named.join(', ') || 'no route';
}

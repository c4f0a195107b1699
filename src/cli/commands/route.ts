/** `oja route`: which providers serve what, in which order. */
import type { Command } from 'commander';
import type { Environment } from '../../kernel/environment.ts';
import type { VendProduct } from '../../products/product.ts';
import { changeRoute } from '../../routing/operations/change-route.ts';
import { listRoutes, type Route } from '../../routing/route-store.ts';
import { addCommand, type DataResult, type Run } from '../add-command.ts';
import { readEnvironment, readVendProduct, vendProductList } from '../arguments.ts';
import { findNetwork } from '../find-network.ts';
import { table } from '../output.ts';
import type { Session } from '../session.ts';

type RouteKey = [environment: Environment, product: VendProduct, network: string];

export function addRoute(program: Command, run: Run): void {
  const group = program.command('route').description('routes: which providers serve what, in which order');
  addCommand<[], object>(group, run, {
    name: 'list',
    description: 'list all routes',
    examples: ['route list'],
    work: async ({ database }) => {
      const routes = gather(await listRoutes(database));
      return { data: routes, text: routesTable(routes) };
    },
  });
  addCommand<[...RouteKey, string[]], { force?: boolean }>(group, run, {
    name: 'set',
    description:
      'set the providers of a product and network, first choice first; for purchases accepted from now on',
    examples: ['route set live airtime MTN vtpass', "route set live data '*' vtpass"],
    writes: true,
    configure: (command) =>
      withKey(command)
        .argument('<providers>', 'names, separated by commas', readProviders)
        .option('--force', 'also where the first provider takes more than merchants pay'),
    work: async (session, [environment, product, network, providers], { force = false }) =>
      await change(session, [environment, product, network], providers, force),
  });
  addCommand<RouteKey, { force?: boolean }>(group, run, {
    name: 'remove',
    description: "remove a route; '*' of the product serves the network then, or nobody does",
    examples: ['route remove live airtime MTN'],
    writes: true,
    configure: (command) =>
      withKey(command).option(
        '--force',
        'also where the provider that serves it then takes more than merchants pay',
      ),
    work: async (session, key, { force = false }) => await change(session, key, [], force),
  });
}

function withKey(command: Command): Command {
  return command
    .argument('<environment>', 'test or live', readEnvironment)
    .argument('<product>', vendProductList, readVendProduct)
    .argument(
      '<network>',
      "MTN, GLO, AIRTEL, 9MOBILE, a biller, or '*' for every network without a route of its own",
    );
}

function readProviders(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

async function change(
  session: Session,
  key: RouteKey,
  providers: string[],
  force: boolean,
): Promise<DataResult> {
  const [environment, product, networkText] = key;
  const network =
    networkText === '*' ? networkText : await findNetwork(session.database, product, networkText);
  const { before } = await session.database.transaction((tx) =>
    changeRoute(tx, session.providers, { environment, product, network, providers }, session.actor, {
      force,
    }),
  );
  const words = (names: readonly string[]): string => names.join(', ') || 'no route';
  return {
    data: { environment, product, network, providers, providers_before: before },
    text: `${product} ${network} in ${environment}: ${words(providers)} (before: ${words(before)}).`,
  };
}

type RouteLine = {
  readonly environment: Environment;
  readonly product: string;
  readonly network: string;
  readonly providers: string[];
};

/** One line for each product and network; the rows come in order. */
function gather(routes: readonly Route[]): RouteLine[] {
  const lines: RouteLine[] = [];
  for (const { environment, product, network, provider } of routes) {
    const last = lines.at(-1);
    if (last?.environment === environment && last.product === product && last.network === network) {
      last.providers.push(provider);
    } else {
      lines.push({ environment, product, network, providers: [provider] });
    }
  }
  return lines;
}

function routesTable(lines: readonly RouteLine[]): string {
  return table(
    lines,
    [
      { title: 'ENV', of: (line) => line.environment },
      { title: 'PRODUCT', of: (line) => line.product },
      { title: 'NETWORK', of: (line) => line.network },
      { title: 'PROVIDERS', of: (line) => line.providers.join(', ') },
    ],
    'No routes: nothing can be bought.',
  );
}

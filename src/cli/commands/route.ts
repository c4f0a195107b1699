/** `oja route`: which providers serve what, in which order. */
import { removeRouteOperation, setRouteOperation } from '../../catalog/routes/operations/change-route.ts';
import { listRoutesOperation } from '../../catalog/routes/operations/list-routes.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const routeCommands: readonly OperationCommand[] = [
  commandOf(listRoutesOperation, {
    examples: ['route list'],
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
  }),
  commandOf(removeRouteOperation, {
    arguments: ['environment', 'product', 'network'],
    examples: ['route remove live airtime MTN --yes'],
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

/** Lists the routes. */
import { Type } from 'typebox';
import { accountOutput, byAccount } from '../../../core/account-names.ts';
import { environments } from '../../../core/environment.ts';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { environmentField, inputOf, oneOf, pageFields, pageOf } from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { listRouteLines, type RouteLine, routeStrategies, strategyOf, versionOf } from '../route-store.ts';

export const listRoutesOperation = defineOperation({
  name: 'route.list',
  kind: 'question',
  summary: 'list all routes',
  roles,
  route: 'GET /routes',
  document: 'operators/providers.md',
  input: inputOf({
    limit: pageFields.limit,
    cursor: Type.Optional(
      Type.String({
        description: 'the cursor of the previous page',
        pattern: `^(?:${environments.join('|')})/[A-Za-z]+/[^/ &]+/(?:\\*|[a-z0-9_]+)$`,
        maxLength: 200,
      }),
    ),
  }),
  output: pageOf(
    Type.Object({
      environment: environmentField,
      product: Type.String(),
      network: Type.String(),
      /** `*`: every kind without a specific route. */
      kind: Type.String(),
      providers: Type.Array(accountOutput),
      /** By provider; empty if purchases go to the first. */
      shares: Type.Record(Type.String(), Type.Integer(), byAccount),
      strategy: oneOf(routeStrategies),
      /** For a change that must not overwrite later ones. */
      version: Type.String(),
    }),
  ),
  run: async ({ sql }: Asking, { limit = 50, cursor }) => {
    const found = await listRouteLines(sql, { after: placeOf(cursor), limit: limit + 1 });
    const { data, cursor: next } = pageOfRead(found, limit, ({ environment, product, network, kind }) =>
      [environment, product, encodeURIComponent(network), kind].join('/'),
    );
    return {
      data: data.map((line) => ({
        ...line,
        providers: [...line.providers],
        shares: { ...line.shares },
        strategy: strategyOf(line),
        version: versionOf(line),
      })),
      cursor: next,
    };
  },
});

function placeOf(
  cursor: string | undefined,
): Omit<RouteLine, 'providers' | 'shares' | 'strategy'> | undefined {
  if (cursor === undefined) return undefined;
  const [first, product = '', encoded = '', kind = '*'] = cursor.split('/');
  const environment = environments.find((name) => name === first);
  const network = decodeNetwork(encoded);
  if (environment === undefined || /\p{Cc}/u.test(network)) {
    throw new OperationError({ code: 'no_such_cursor', cursor });
  }
  return { environment, product, network, kind };
}

/** Decodes a network. Returns text that is not encoded as it is. */
function decodeNetwork(encoded: string): string {
  return new URLSearchParams(`network=${encoded}`).get('network') ?? '';
}

/** The routes of the shown environment, with the reasons why one cannot sell. */
import { usePages } from '../../api/queries.ts';
import { kindText, networkText, productText } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useOwnRows } from '../../widgets/environment.ts';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Badge } from '../../widgets/values.tsx';
import { RouteEditor } from './route-editor.tsx';
import { type Account, type Route, strategyNames } from './route-words.ts';

export function Routes({ accounts }: { readonly accounts: readonly Account[] }) {
  const pages = useOwnRows(usePages('route.list', { limit: 200 }));
  return (
    <Panel
      title="Routes"
      note="Providers of a product and network, in order of preference. * is the default for networks or kinds without a route."
      actions={<RouteEditor verb="Set a route" accounts={accounts} />}
      bare
    >
      <PagedTable
        pages={pages}
        what="routes"
        caption="Routes"
        empty="Set a route to start selling."
        keyOf={({ environment: where, product, network, kind }) => `${where} ${product} ${network} ${kind}`}
        columns={[
          { head: 'Product', cell: ({ product }) => productText(product) },
          { head: 'Network or biller', cell: ({ network }) => networkText(network) },
          { head: 'Kind', cell: ({ kind }) => kindText(kind) },
          { head: 'Providers', cell: (route) => <Providers route={route} accounts={accounts} /> },
          { head: 'Strategy', cell: ({ strategy }) => strategyNames[strategy] },
          {
            head: 'Actions',
            cell: (route) => (
              <>
                <RouteEditor verb="Change" route={route} accounts={accounts} />
                <OperationButton
                  name="route.remove"
                  verb="Remove"
                  look="danger"
                  title="Remove the route"
                  given={placeOf(route)}
                  fields={['force']}
                  labels={{ force: 'Allow selling below cost' }}
                  done="Route removed."
                />
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}

/** Returns the input that names a route. */
function placeOf({ environment, product, network, kind }: Route) {
  return { environment, product, network, ...(kind !== '*' && { kind }) };
}

function Providers({
  route: { providers, shares },
  accounts,
}: {
  readonly route: Route;
  readonly accounts: readonly Account[];
}) {
  const unable = providers.filter((name) =>
    accounts.some(({ provider, processes }) => provider === name && processes === 0),
  );
  const text = providers
    .map((one) => (shares[one] === undefined ? one : `${one} (${shares[one]})`))
    .join(', then ');
  if (unable.length === 0) return text;
  return (
    <>
      {text}{' '}
      {unable.length === providers.length ? (
        <Badge tone="bad">Sells nothing: no credentials</Badge>
      ) : (
        <Badge tone="wait">No credentials: {unable.join(', ')}</Badge>
      )}
    </>
  );
}

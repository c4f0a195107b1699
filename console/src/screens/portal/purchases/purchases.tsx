/** A merchant's own purchases, filtered by the address. */
import { usePages } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { lagosDay, words } from '../../../design/format.ts';
import { LinkButton } from '../../../widgets/button.tsx';
import { PagedTable } from '../../../widgets/data-table.tsx';
import { type Environment, useEnvironment } from '../../../widgets/environment.ts';
import { environmentFilter, type Filter, FilterBar } from '../../../widgets/filter-bar.tsx';
import { pickFilters, useFilters } from '../../../widgets/filters.ts';
import { Go, purchasePath } from '../../../widgets/go.tsx';
import { Page, Panel } from '../../../widgets/page.tsx';
import { Found } from '../../purchases/found.tsx';
import { productChoices } from '../../purchases/purchases.tsx';
import { purchaseColumns } from './purchase-columns.tsx';

function choicesOf(values: readonly string[]) {
  return values.map((value) => ({ value, name: words(value) }));
}

const filters: readonly Filter[] = [
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
  { name: 'status', label: 'Status', choices: choicesOf(['pending', 'success', 'failed']) },
  environmentFilter,
  { name: 'phone', label: 'Mobile number' },
  { name: 'reference', label: 'Your reference' },
  { name: 'product', label: 'Product', choices: productChoices, isRare: true },
  { name: 'network', label: 'Network or biller', isRare: true },
  { name: 'meter', label: 'Meter', isRare: true },
  { name: 'card', label: 'Smartcard or customer', isRare: true },
  { name: 'token', label: 'Token', isRare: true },
];

export function PortalPurchases() {
  const [{ find }] = useFilters();
  if (!find) return <List />;
  return (
    <Found
      text={find}
      name="merchant_purchase.list"
      columns={purchaseColumns}
      lead="Your purchases, newest first."
      none="No matching purchase"
    />
  );
}

function List() {
  const [values] = useFilters();
  const names = filters.map(({ name }) => name);
  const { environment: _, ...picked } = pickFilters(values, names) as Record<string, string>;
  const environment = useEnvironment();
  const input = { ...picked, environment };
  const isFiltered = Object.keys(picked).length > 0;
  const pages = usePages('merchant_purchase.list', input);
  const until = (pages.last as { searched_until?: string | null } | undefined)?.searched_until;
  return (
    <Page title="Purchases" lead="Your purchases, newest first." actions={<Views />}>
      <FilterBar filters={filters} />
      <Panel
        title="Your purchases"
        note={until ? `Only purchases since ${until} were searched.` : undefined}
        bare
      >
        <PagedTable
          pages={pages}
          what="purchases"
          caption="Your purchases"
          empty={isFiltered ? 'Remove a filter or change the dates.' : <First environment={environment} />}
          columns={purchaseColumns}
          keyOf={({ id }) => id}
          linkOf={({ id }) => purchasePath(id)}
        />
      </Panel>
    </Page>
  );
}

/** Explains how to make a first purchase. */
function First({ environment }: { readonly environment: Environment }) {
  const may = useMay();
  if (environment === 'live') {
    return (
      <>
        Your first live purchase will appear here. See also{' '}
        <Go to="/purchases?environment=test">test purchases</Go>.
      </>
    );
  }
  if (!may('merchant_purchase.try')) return <>Your first test purchase will appear here.</>;
  return (
    <>
      Create a test key under <Go to="/keys">API keys</Go>, then buy with it or under{' '}
      <Go to="/try">Try it</Go>.
    </>
  );
}

function Views() {
  const today = lagosDay();
  const rest = useEnvironment() === 'test' ? '&environment=test' : '';
  return (
    <>
      <LinkButton to={`/purchases?status=pending${rest}`} look="quiet">
        Pending
      </LinkButton>
      <LinkButton to={`/purchases?from=${today}${rest}`} look="quiet">
        Today
      </LinkButton>
      <LinkButton to={`/purchases?status=failed&from=${today}${rest}`} look="quiet">
        Failed today
      </LinkButton>
    </>
  );
}

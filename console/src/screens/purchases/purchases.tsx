/** Purchases of all merchants, filtered by the address. */
import type { Row } from '../../api/operations.ts';
import { planProducts } from '../../api/products.ts';
import { type Pages, usePages } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { productText } from '../../design/format.ts';
import type { Screen } from '../../screen.ts';
import { listedScreens } from '../../screens.ts';
import { Button } from '../../widgets/button.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { type Filter, FilterBar } from '../../widgets/filter-bar.tsx';
import { pickFilters, useFilters } from '../../widgets/filters.ts';
import { Go, merchantPath, purchasePath } from '../../widgets/go.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Code, State } from '../../widgets/values.tsx';
import { EndpointTable } from '../webhooks/endpoint-table.tsx';
import { Found } from './found.tsx';
import { Near } from './near.tsx';
import { PlansFound, usePlansFound } from './plans-found.tsx';
import { purchaseColumns } from './purchase-columns.tsx';
import { Views } from './views.tsx';

const TAIL_MS = 3_000;

const products = ['airtime', ...planProducts];
const kinds = [
  'direct',
  'sme',
  'sme2',
  'corporate_gifting',
  'gifting',
  'data_share',
  'vtu',
  'share_and_sell',
];
const reasons = [
  'delivered',
  'refused',
  'customer_rejected',
  'amount_out_of_range',
  'not_verified',
  'insufficient_funds',
  'not_found',
  'not_sent',
];

function choicesOf(values: readonly string[]) {
  return values.map((value) => ({ value, name: productText(value) }));
}

export const productChoices = choicesOf(products);

const filters: readonly Filter[] = [
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
  { name: 'status', label: 'Status', choices: choicesOf(['pending', 'success', 'failed']) },
  { name: 'merchant', label: 'Merchant' },
  { name: 'product', label: 'Product', choices: productChoices, isRare: true },
  { name: 'network', label: 'Network or biller', isRare: true },
  { name: 'kind', label: 'Kind', choices: choicesOf(kinds), isRare: true },
  { name: 'provider', label: 'Provider', isRare: true },
  { name: 'reason', label: 'Reason', choices: choicesOf(reasons), isRare: true },
  { name: 'phone', label: 'Mobile number' },
  { name: 'meter', label: 'Meter', isRare: true },
  { name: 'card', label: 'Smartcard or customer', isRare: true },
  { name: 'reference', label: 'Reference', isRare: true },
  { name: 'amount_min', label: 'Amount from', isRare: true },
  { name: 'amount_max', label: 'Amount to', isRare: true },
];

export function Purchases() {
  const [{ find }] = useFilters();
  return find ? <Search text={find} /> : <List />;
}

function Search({ text }: { readonly text: string }) {
  const find = text.trim();
  const may = useMay();
  const session = useSession();
  const environment = useEnvironment();
  // A text without letters is not a name, key or URL.
  const isWord = /\p{L}/u.test(find);
  const merchants = usePages('merchant.list', { find }, { enabled: isWord });
  const endpoints = usePages(
    'webhook.list',
    { find, environment },
    { enabled: isWord && may('webhook.list') },
  );
  const plans = usePlansFound(find, { enabled: isWord && find.length > 1 && may('catalog.list') });
  const pages = listedScreens.filter(
    ({ name, group, woven }) =>
      find.length > 1 &&
      `${group} ${name}`.toLowerCase().includes(find.toLowerCase()) &&
      woven.some((one) => session?.operations.includes(one)),
  );
  return (
    <Found
      text={text}
      name="purchase.list"
      columns={purchaseColumns}
      lead="Purchases, newest first, merchants, credentials, endpoints, plans and pages."
      none="No matching purchase"
      also={[
        { pages: merchants, what: 'Merchants', shown: <MerchantsFound pages={merchants} /> },
        // The key of a credential finds its merchant.
        { pages: { ...idle, rows: [] }, what: 'Credentials', shown: null },
        {
          pages: endpoints,
          what: 'Endpoints',
          shown: (
            <Panel title="Endpoints" bare>
              <EndpointTable pages={endpoints} empty="No endpoint matches." />
            </Panel>
          ),
        },
        { pages: plans, what: 'Plans', shown: <PlansFound found={plans} /> },
        { pages: { ...idle, rows: pages }, what: 'Pages', shown: <PagesFound screens={pages} /> },
      ]}
      near={<Near text={text} />}
    />
  );
}

const idle = { error: null, isLoading: false, isOfBefore: false };

function PagesFound({ screens }: { readonly screens: readonly Screen[] }) {
  return (
    <Panel title="Pages">
      <ul>
        {screens.map(({ path, name, group }) => (
          <li key={path}>
            <Go to={path} data-row>
              {name}
            </Go>{' '}
            ({group})
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function MerchantsFound({ pages }: { readonly pages: Pages<Row<'merchant.list'>> }) {
  return (
    <Panel title="Merchants" bare>
      <PagedTable
        pages={pages}
        what="merchants"
        caption="Merchants"
        empty="No merchant matches."
        keyOf={({ code }) => code}
        linkOf={({ code }) => merchantPath(code)}
        columns={[
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Code', cell: ({ code }) => <Code>{code}</Code> },
          { head: 'State', cell: ({ state }) => <State state={state} /> },
          {
            head: 'Purchases',
            cell: ({ code }) => (
              <Go to={`/purchases?${new URLSearchParams({ merchant: code })}`}>Purchases of {code}</Go>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function List() {
  const [values, change] = useFilters();
  const picked = pickFilters(
    values,
    filters.map(({ name }) => name),
  ) as Record<string, string>;
  const input = { ...picked, environment: useEnvironment() };
  const isTailed = values.follow === 'yes';
  const pages = usePages('purchase.list', input, isTailed ? { refreshMs: TAIL_MS } : {});
  const until = (pages.last as { searched_until?: string | null } | undefined)?.searched_until;
  return (
    <Page title="Purchases" lead="Purchases of all merchants, newest first." actions={<Views />}>
      <FilterBar filters={filters}>
        <Button aria-pressed={isTailed} onClick={() => change({ follow: isTailed ? '' : 'yes' })}>
          {isTailed ? 'Stop following' : 'Follow'}
        </Button>
      </FilterBar>
      <Panel title="Purchases" note={until ? `Only purchases since ${until} were searched.` : undefined} bare>
        <PagedTable
          pages={pages}
          what="purchases"
          caption="Purchases"
          empty="Remove a filter or change the dates."
          columns={purchaseColumns}
          keyOf={({ id }) => id}
          linkOf={({ id }) => purchasePath(id)}
        />
      </Panel>
    </Page>
  );
}

/** Plans and their prices, exchange rates, and the guards against selling at a loss. */
import { usePages } from '../../api/queries.ts';
import { csvAddress } from '../../api/run.ts';
import { words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Download } from '../../widgets/download.tsx';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { MoreOperations } from '../../widgets/more-operations.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Tabs } from '../../widgets/tabs.tsx';
import { Code, Environment, Nothing, RowTime } from '../../widgets/values.tsx';

export function CatalogScreen() {
  return (
    <Page
      title="Catalog and rates"
      lead="What can be bought and what it costs. Nothing changes until a comparison is applied."
      acts={
        <>
          <Act
            name="catalog.import"
            verb="Compare a file"
            look="main"
            title="Compare a file with the catalog"
            fields={['content', 'product', 'billers', 'apply', 'force', 'withdraw_missing']}
            labels={{
              content: 'CSV or JSON file',
              billers: 'It is a list of billers',
              apply: 'Make the catalog like it',
              force: 'Also steep changes',
              withdraw_missing: 'Withdraw what is not in it',
            }}
          />
          <Act
            name="catalog.sync"
            verb="Compare a provider’s list"
            title="Compare a provider’s own list with the catalog"
            labels={{ apply: 'Follow it', force: 'Also steep changes', add: 'Add what is new' }}
          />
        </>
      }
    >
      <Tabs
        label="Catalog and rates"
        path="/catalog"
        tabs={[
          { id: 'changes', name: 'Changes', show: () => <Changes /> },
          { id: 'rates', name: 'Exchange rates', show: () => <Rates /> },
          { id: 'guards', name: 'Guards', show: () => <Guards /> },
        ]}
      />
      <MoreOperations screen="catalog" />
    </Page>
  );
}

function Changes() {
  const [{ subject }] = useFilters();
  const input = subject ? { subject } : {};
  const pages = usePages('catalog.history', input);
  return (
    <>
      <FilterBar filters={[{ name: 'subject', label: 'Plan or biller' }]}>
        <Download href={csvAddress('catalog.history', input)}>CSV</Download>
      </FilterBar>
      <Panel title="What was changed, newest first" bare>
        <PagedTable
          pages={pages}
          what="changes"
          caption="Changes of the catalog"
          empty="Compare a file or a provider’s list, and apply it."
          keyOf={({ id }) => id}
          columns={[
            { head: 'At', cell: ({ at }) => <RowTime at={at} /> },
            { head: 'Plan or biller', cell: ({ subject: of }) => <Code>{of}</Code> },
            { head: 'Product', cell: ({ product }) => words(product.toLowerCase()) },
            { head: 'Changed', cell: ({ before, after }) => <Difference before={before} after={after} /> },
            { head: 'By', cell: ({ actor }) => actor },
            { head: 'From', cell: ({ source }) => source },
          ]}
        />
      </Panel>
    </>
  );
}

type Values = Readonly<Record<string, unknown>>;

function Difference({ before, after }: { readonly before: Values | null; readonly after: Values }) {
  const changed = Object.keys(after).filter(
    (name) => before === null || JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (before === null) return 'It is new';
  if (changed.length === 0) return <Nothing />;
  return changed.map((name) => `${words(name)}: ${plain(before[name])} → ${plain(after[name])}`).join('; ');
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Rates() {
  const [{ history }] = useFilters();
  const input = history === 'yes' ? { history: true } : {};
  const pages = usePages('fx.list', input);
  return (
    <>
      <FilterBar
        filters={[
          { name: 'history', label: 'Which', choices: [{ value: 'yes', name: 'Those of before too' }] },
        ]}
      />
      <Panel
        title="Exchange rates"
        acts={
          <Act
            name="fx.set"
            verb="Set a rate"
            look="main"
            labels={{
              rate: 'Naira for one',
              margin: 'Margin on it',
              force: 'Although it is far from the one before',
            }}
            done="The rate is set."
          />
        }
        bare
      >
        <PagedTable
          pages={pages}
          what="rates"
          caption="Exchange rates"
          empty="Plans in other currencies cannot be priced without one. Set the first."
          keyOf={({ currency, at }) => `${currency} ${at}`}
          columns={[
            { head: 'Currency', cell: ({ currency }) => currency },
            { head: 'Naira for one', figures: true, cell: ({ rate }) => rate },
            {
              head: 'Margin',
              figures: true,
              cell: ({ margin_basis_points: points }) => `${(points / 100).toFixed(2)} %`,
            },
            { head: 'Set', cell: ({ at }) => <RowTime at={at} /> },
            { head: 'By', cell: ({ actor }) => actor },
          ]}
        />
      </Panel>
    </>
  );
}

function Guards() {
  const pages = usePages('guard.list', {});
  return (
    <Panel
      title="Guards"
      note="What becomes of a product that would sell at a loss: nothing, an alarm, or no sale."
      acts={
        <Act
          name="guard.set"
          verb="Set a guard"
          look="main"
          labels={{ mode: 'What happens', forget_costs: 'Forget the costs that were learnt' }}
          done="The guard is set."
        />
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="guards"
        caption="Guards"
        empty="No guard differs from the usual one."
        keyOf={({ environment, product, network }) => `${environment} ${product} ${network}`}
        columns={[
          { head: 'Product', cell: ({ product }) => words(product.toLowerCase()) },
          { head: 'Network', cell: ({ network }) => network },
          { head: 'Environment', cell: ({ environment }) => <Environment environment={environment} /> },
          { head: 'What happens', cell: ({ mode }) => words(mode) },
          { head: 'Set', cell: ({ set_at: at }) => <RowTime at={at} /> },
        ]}
      />
    </Panel>
  );
}

/** Plans and their changes, exchange rates, and guards against selling below cost. */
import { usePages } from '../../api/queries.ts';
import { networkText, productText, words } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useOwnRows } from '../../widgets/environment.ts';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Tabs } from '../../widgets/tabs.tsx';
import { Code, Nothing, RowTime } from '../../widgets/values.tsx';
import { Plans } from './plans.tsx';
import { Rules } from './rules.tsx';

const importLead = 'Shows what would change. It changes the catalog only with “Apply the changes”.';

export function CatalogScreen() {
  return (
    <Page
      title="Catalog and rates"
      lead="Products and costs. An import changes nothing until you apply it."
      actions={
        <>
          <OperationButton
            name="catalog.import"
            verb="Import plans"
            look="main"
            title="Import plans from a file"
            lead={importLead}
            fields={['content', 'product', 'billers', 'apply', 'force', 'withdraw_missing']}
            labels={{
              content: 'CSV or JSON file',
              billers: 'The file lists billers',
              apply: 'Apply the changes',
              force: 'Allow steep changes',
              withdraw_missing: 'Withdraw plans that are not listed',
            }}
          />
          <OperationButton
            name="catalog.sync"
            verb="Import provider list"
            title="Import plans from a provider’s list"
            lead={importLead}
            labels={{ apply: 'Apply the changes', force: 'Allow steep changes', add: 'Add new plans' }}
          />
          <OperationButton name="catalog.export" verb="Export" title="Export the plans of a product" />
        </>
      }
    >
      <Tabs
        label="Catalog and rates"
        path="/catalog"
        tabs={[
          { id: 'plans', name: 'Plans', show: () => <Plans /> },
          { id: 'changes', name: 'Changes', show: () => <Changes /> },
          { id: 'rates', name: 'Exchange rates', show: () => <Rates /> },
          { id: 'guards', name: 'Guards', show: () => <Guards /> },
          { id: 'rules', name: 'Rules', show: () => <Rules /> },
        ]}
      />
    </Page>
  );
}

function Changes() {
  const [{ subject }] = useFilters();
  const input = subject ? { subject } : {};
  const pages = usePages('catalog.history', input);
  return (
    <>
      <FilterBar filters={[{ name: 'subject', label: 'Plan or biller' }]} />
      <Panel title="Changes, newest first" bare>
        <PagedTable
          pages={pages}
          what="changes"
          caption="Changes of the catalog"
          empty="Import a file or a provider’s list and apply it."
          keyOf={({ id }) => id}
          columns={[
            { head: 'At', cell: ({ at }) => <RowTime at={at} /> },
            { head: 'Plan or biller', cell: ({ subject: of }) => <Code>{of}</Code> },
            { head: 'Product', cell: ({ product }) => productText(product) },
            { head: 'Change', cell: ({ before, after }) => <Difference before={before} after={after} /> },
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
  if (before === null) return 'New';
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
          { name: 'history', label: 'Which', choices: [{ value: 'yes', name: 'Include earlier rates' }] },
        ]}
      />
      <Panel
        title="Exchange rates"
        actions={
          <OperationButton
            name="fx.set"
            verb="Set a rate"
            look="main"
            labels={{
              rate: 'Naira per unit',
              margin: 'Margin',
              force: 'Allow a large change',
            }}
            done="Rate set."
          />
        }
        bare
      >
        <PagedTable
          pages={pages}
          what="rates"
          caption="Exchange rates"
          empty="Set a rate to price plans in other currencies."
          keyOf={({ currency, at }) => `${currency} ${at}`}
          columns={[
            { head: 'Currency', cell: ({ currency }) => currency },
            { head: 'Naira per unit', figures: true, cell: ({ rate }) => rate },
            {
              head: 'Margin',
              figures: true,
              cell: ({ margin }) => `${margin} %`,
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
  const pages = useOwnRows(usePages('guard.list', {}));
  return (
    <Panel
      title="Guards"
      note="What happens when a product would sell below cost: nothing, an alarm, or a stop."
      actions={
        <OperationButton
          name="guard.set"
          verb="Set a guard"
          look="main"
          labels={{ mode: 'Mode', forget_costs: 'Forget learned costs' }}
          done="Guard set."
        />
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="guards"
        caption="Guards"
        empty="Every product uses the default: a sale below cost raises an alarm."
        keyOf={({ environment, product, network }) => `${environment} ${product} ${network}`}
        columns={[
          { head: 'Product', cell: ({ product }) => productText(product) },
          { head: 'Network', cell: ({ network }) => networkText(network) },
          { head: 'Mode', cell: ({ mode }) => words(mode) },
          { head: 'Set', cell: ({ set_at: at }) => <RowTime at={at} /> },
        ]}
      />
    </Panel>
  );
}

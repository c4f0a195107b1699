/** All merchants, and the form to create one. */
import { usePages } from '../../api/queries.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useGoTo } from '../../widgets/environment.ts';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { pickFilters, useFilters } from '../../widgets/filters.ts';
import { merchantPath } from '../../widgets/go.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { RowTime, State } from '../../widgets/values.tsx';

export function Merchants() {
  const goTo = useGoTo();
  const [values] = useFilters();
  const input = pickFilters(values, ['find']);
  const pages = usePages('merchant.list', input);
  return (
    <Page
      title="Merchants"
      lead="Businesses that sell through this gateway."
      actions={
        <OperationButton
          name="merchant.create"
          verb="New merchant"
          look="main"
          labels={{ code: 'Code', name: 'Business name' }}
          done="Merchant created. Next, enable products and issue credentials."
          onDone={(output) => goTo(merchantPath((output as { code: string }).code))}
        />
      }
    >
      <FilterBar filters={[{ name: 'find', label: 'Code or name' }]} />
      <Panel title={input.find ? 'Merchants found' : 'All merchants'} bare>
        <PagedTable
          pages={pages}
          what="merchants"
          caption="Merchants"
          empty={
            input.find
              ? 'No merchant matches. Clear the filter to see all.'
              : 'Create the first one with New merchant.'
          }
          keyOf={({ code }) => code}
          linkOf={({ code }) => merchantPath(code)}
          columns={[
            { head: 'Code', cell: ({ code }) => code },
            { head: 'Name', cell: ({ name }) => name },
            { head: 'State', cell: ({ state }) => <State state={state} /> },
            { head: 'Created', cell: ({ created_at: at }) => <RowTime at={at} /> },
          ]}
        />
      </Panel>
    </Page>
  );
}

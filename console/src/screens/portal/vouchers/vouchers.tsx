/** The merchant's own vouchers. */
import { usePages } from '../../../api/queries.ts';
import { PagedTable } from '../../../widgets/data-table.tsx';
import { useEnvironment } from '../../../widgets/environment.ts';
import { environmentFilter, FilterBar } from '../../../widgets/filter-bar.tsx';
import { Go, purchasePath } from '../../../widgets/go.tsx';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Page, Panel } from '../../../widgets/page.tsx';
import { Code, Money, Nothing, RowTime, State } from '../../../widgets/values.tsx';

export function Vouchers() {
  const pages = usePages('voucher.list', { environment: useEnvironment() });
  return (
    <Page
      title="Vouchers"
      lead="A voucher is paid from your wallet when it is issued, and pays for one eSIM. Its code is shown only when it is issued."
    >
      <FilterBar filters={[environmentFilter]} />
      <Panel title="Your vouchers" bare>
        <PagedTable
          pages={pages}
          what="vouchers"
          caption="Your vouchers"
          empty="Ask the gateway’s operator to issue vouchers."
          keyOf={({ id }) => id}
          columns={[
            { head: 'Voucher', cell: ({ hint }) => <Code>{hint}</Code> },
            { head: 'Value', figures: true, cell: ({ value }) => <Money amount={value} /> },
            { head: 'State', cell: ({ state }) => <State state={state} /> },
            { head: 'Issued', cell: ({ issued_at: at }) => <RowTime at={at} /> },
            {
              head: 'Order',
              cell: ({ order, order_id: id }) =>
                order === null || id === null ? <Nothing /> : <Go to={purchasePath(id)}>{order}</Go>,
            },
            {
              head: 'Actions',
              cell: ({ id, hint }) => (
                <OperationButton
                  name="voucher.show"
                  verb="Show"
                  title={`Voucher ${hint}`}
                  given={{ voucher: id }}
                  fields={[]}
                />
              ),
            },
          ]}
        />
      </Panel>
    </Page>
  );
}

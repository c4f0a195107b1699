/** The vouchers of a merchant and their actions. */
import { usePages } from '../../api/queries.ts';
import { csvAddress } from '../../api/run.ts';
import { moneyText } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Download } from '../../widgets/download.tsx';
import { Go, purchasePath } from '../../widgets/go.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Code, Environment, Money, Nothing, RowTime, State } from '../../widgets/values.tsx';

export function VoucherPanel({ merchant }: { readonly merchant: string }) {
  const given = { merchant };
  const pages = usePages('voucher.list', given);
  return (
    <Panel
      title={`Vouchers of ${merchant}`}
      note="A voucher is paid from the merchant’s wallet and pays for one eSIM."
      actions={
        <>
          <OperationButton
            name="voucher.issue"
            verb="Issue vouchers"
            look="main"
            given={given}
            labels={{ count: 'Count', value: 'Value of each' }}
          />
          <Download href={csvAddress('voucher.list', given)}>CSV</Download>
        </>
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="vouchers"
        caption="Vouchers"
        empty="Issue vouchers for its customers."
        keyOf={({ id }) => id}
        columns={[
          { head: 'Voucher', cell: ({ hint }) => <Code>{hint}</Code> },
          { head: 'Value', figures: true, cell: ({ value }) => <Money amount={value} /> },
          { head: 'State', cell: ({ state }) => <State state={state} /> },
          { head: 'Environment', cell: ({ environment }) => <Environment environment={environment} /> },
          { head: 'Issued', cell: ({ issued_at: at }) => <RowTime at={at} /> },
          { head: 'Issue', cell: ({ issue }) => <Code>{issue}</Code> },
          {
            head: 'Order',
            cell: ({ order, order_id: id }) =>
              order === null || id === null ? <Nothing /> : <Go to={purchasePath(id)}>{order}</Go>,
          },
          {
            head: 'Actions',
            cell: ({ id, state, hint, value }) =>
              state === 'open' ? (
                <OperationButton
                  name="voucher.cancel"
                  verb="Cancel"
                  look="danger"
                  title="Cancel the voucher"
                  given={{ voucher: id }}
                  about={{ Code: hint, Value: moneyText(value) }}
                  fields={[]}
                  done="Voucher cancelled. Its value is back in the wallet."
                />
              ) : (
                <Nothing />
              ),
          },
        ]}
      />
    </Panel>
  );
}

/** The vouchers of a merchant and their actions. */
import { usePages } from '../../api/queries.ts';
import { moneyText } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useOwnRows } from '../../widgets/environment.ts';
import { Go, purchasePath } from '../../widgets/go.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Code, Money, Nothing, RowTime, State } from '../../widgets/values.tsx';

export function VoucherPanel({ merchant }: { readonly merchant: string }) {
  const given = { merchant };
  const pages = useOwnRows(usePages('voucher.list', given));
  return (
    <Panel
      title={`Vouchers of ${merchant}`}
      note="A voucher is paid from the merchant’s wallet and pays for one eSIM."
      actions={
        <OperationButton
          name="voucher.issue"
          verb="Issue vouchers"
          look="main"
          given={given}
          labels={{ count: 'Count', value: 'Value of each' }}
        />
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
          { head: 'Issued', cell: ({ issued_at: at }) => <RowTime at={at} /> },
          {
            head: 'Order',
            cell: ({ order, order_id: id }) =>
              order === null || id === null ? <Nothing /> : <Go to={purchasePath(id)}>{order}</Go>,
          },
          {
            head: 'Actions',
            cell: ({ id, issue, state, hint, value }) => (
              <>
                <OperationButton
                  name="voucher.show"
                  verb="Details"
                  look="quiet"
                  title="Voucher"
                  given={{ voucher: id }}
                  fields={[]}
                />
                {state === 'open' ? (
                  <>
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
                    <OperationButton
                      name="voucher.cancel_issue"
                      verb="Cancel issue"
                      look="danger"
                      title="Cancel all open vouchers of this issue"
                      given={{ issue }}
                      about={{
                        'Open vouchers shown here': String(
                          pages.rows.filter((one) => one.issue === issue && one.state === 'open').length,
                        ),
                      }}
                      fields={[]}
                    />
                  </>
                ) : null}
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}

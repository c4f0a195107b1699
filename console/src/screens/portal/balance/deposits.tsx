/** The merchant's own deposits. */
import type { Row } from '../../../api/operations.ts';
import type { Pages } from '../../../api/queries.ts';
import { PagedTable } from '../../../widgets/data-table.tsx';
import { Panel } from '../../../widgets/page.tsx';
import { Code, Money, RowTime } from '../../../widgets/values.tsx';

export function Deposits({ pages }: { readonly pages: Pages<Row<'deposit.credited'>> }) {
  return (
    <Panel title="Deposits" bare>
      <PagedTable
        pages={pages}
        what="deposits"
        caption="Deposits"
        empty="Pay into your funding account. Deposits appear shortly after the bank reports them."
        keyOf={({ id }) => id}
        columns={[
          { head: 'Paid', cell: ({ paid_at: at }) => <RowTime at={at} /> },
          { head: 'Account', cell: ({ paid_to: account }) => <Code>{account}</Code> },
          {
            head: 'Paid in',
            figures: true,
            cell: ({ gross, currency }) => <Money amount={gross} currency={currency} />,
          },
          {
            head: 'Fee',
            figures: true,
            cell: ({ fee, currency }) => <Money amount={fee} currency={currency} />,
          },
          {
            head: 'Credited',
            figures: true,
            cell: ({ net, currency }) => <Money amount={net} currency={currency} />,
          },
          { head: 'Credited at', cell: ({ credited_at: at }) => <RowTime at={at} /> },
        ]}
      />
    </Panel>
  );
}

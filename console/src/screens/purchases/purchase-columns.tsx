/** The columns of every list of purchases. */
import type { Row } from '../../api/operations.ts';
import { words } from '../../design/format.ts';
import type { Column } from '../../widgets/data-table.tsx';
import { Code, Environment, Money, Nothing, RowTime, State } from '../../widgets/values.tsx';

type PurchaseRow = Row<'purchase.list'>;

export const purchaseColumns: readonly Column<PurchaseRow>[] = [
  { head: 'Accepted', cell: ({ created_at: at }) => <RowTime at={at} /> },
  { head: 'Status', cell: ({ status }) => <State state={status} /> },
  { head: 'Product', cell: ({ product, network }) => `${words(product.toLowerCase())} ${network}` },
  { head: 'Recipient', cell: ({ recipient }) => <Code>{recipient}</Code> },
  { head: 'Amount', figures: true, cell: ({ face_value: amount }) => <Money amount={amount} /> },
  { head: 'Margin', figures: true, cell: ({ margin }) => <Money amount={margin} /> },
  {
    head: 'Merchant',
    cell: ({ merchant, environment }) => (
      <>
        {merchant} {environment === 'test' ? <Environment environment="test" /> : null}
      </>
    ),
  },
  { head: 'Reference', cell: ({ reference }) => <Code>{reference}</Code> },
  { head: 'Provider', cell: ({ provider }) => provider ?? <Nothing /> },
  { head: 'Reason', cell: ({ reason }) => (reason === null ? <Nothing /> : words(reason)) },
];

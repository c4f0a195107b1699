/** The columns of a merchant's list of its purchases. */
import type { Row } from '../../../api/operations.ts';
import { goodsText, words } from '../../../design/format.ts';
import type { Column } from '../../../widgets/data-table.tsx';
import { Code, Environment, Money, Nothing, RowTime } from '../../../widgets/values.tsx';
import { PurchaseState } from '../../purchase/purchase-state.tsx';

export const purchaseColumns: readonly Column<Row<'merchant_purchase.list'>>[] = [
  { head: 'Created', cell: ({ created_at: at }) => <RowTime at={at} /> },
  {
    head: 'Status',
    cell: (purchase) => (
      <>
        <PurchaseState purchase={purchase} />{' '}
        {purchase.environment === 'test' ? <Environment environment="test" /> : null}
      </>
    ),
  },
  { head: 'Product', cell: ({ product, network }) => goodsText(product, network) },
  { head: 'Recipient', cell: ({ recipient }) => (recipient === '' ? <Nothing /> : <Code>{recipient}</Code>) },
  { head: 'Amount', figures: true, cell: ({ amount }) => <Money amount={amount} /> },
  { head: 'Price', figures: true, cell: ({ charge }) => <Money amount={charge} /> },
  {
    head: 'Refunded',
    figures: true,
    cell: ({ refunded }) => (/^0(?:\.0+)?$/.test(refunded) ? <Nothing /> : <Money amount={refunded} />),
  },
  { head: 'Your reference', cell: ({ reference }) => <Code>{reference}</Code> },
  { head: 'Reason', cell: ({ reason }) => (reason === null ? <Nothing /> : words(reason)) },
];

/** The columns of every list of purchases. */
import type { Row } from '../../api/operations.ts';
import { goodsText, words } from '../../design/format.ts';
import type { Column } from '../../widgets/data-table.tsx';
import { Code, Money, Nothing, RowTime } from '../../widgets/values.tsx';
import { PurchaseState } from '../purchase/purchase-state.tsx';

type PurchaseRow = Row<'purchase.list'>;

export const purchaseColumns: readonly Column<PurchaseRow>[] = [
  { head: 'Accepted', cell: ({ created_at: at }) => <RowTime at={at} /> },
  {
    head: 'Status',
    cell: (purchase) => (
      <>
        <PurchaseState purchase={purchase} />{' '}
        {purchase.status === 'failed' && purchase.reason !== null ? words(purchase.reason) : null}
      </>
    ),
  },
  { head: 'Product', cell: ({ product, network }) => goodsText(product, network) },
  { head: 'Recipient', cell: ({ recipient }) => (recipient === '' ? <Nothing /> : <Code>{recipient}</Code>) },
  { head: 'Amount', figures: true, cell: ({ face_value: amount }) => <Money amount={amount} /> },
  { head: 'Margin', figures: true, isRare: true, cell: ({ margin }) => <Money amount={margin} /> },
  { head: 'Merchant', cell: ({ merchant }) => merchant },
  { head: 'Reference', cell: ({ reference }) => <Code>{reference}</Code> },
  { head: 'Provider', isRare: true, cell: ({ provider }) => provider ?? <Nothing /> },
  { head: 'Reason', isRare: true, cell: ({ reason }) => (reason === null ? <Nothing /> : words(reason)) },
];

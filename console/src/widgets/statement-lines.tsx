/** What a wallet held before and after a period, and the lines that moved it. */
import type { ReactNode } from 'react';
import type { Pages } from '../api/queries.ts';
import { words } from '../design/format.ts';
import { type Column, PagedTable } from './data-table.tsx';
import { Go, purchasePath } from './go.tsx';
import { Figure, Figures } from './page.tsx';
import { Money, Nothing, RowTime } from './values.tsx';

type Line = {
  readonly time: string;
  readonly type: string;
  readonly reference: string | null;
  readonly internal_reference: string;
  readonly recipient: string | null;
  readonly network: string | null;
  readonly memo?: string | null;
  readonly amount: string;
  readonly balance: string;
};

/** `told`: the answer that says both; undefined before it has come. */
export function StatementBalances({
  told,
  currency,
}: {
  readonly told: { readonly opening_balance: string; readonly closing_balance: string } | undefined;
  readonly currency: string;
}) {
  if (told === undefined) return null;
  return (
    <Figures>
      <Figure name="Opening balance">
        <Money amount={told.opening_balance} currency={currency} />
      </Figure>
      <Figure name="Closing balance">
        <Money amount={told.closing_balance} currency={currency} />
      </Figure>
    </Figures>
  );
}

export function StatementLines<Row extends Line>({
  pages,
  currency,
  empty,
}: {
  readonly pages: Pages<Row>;
  readonly currency: string;
  readonly empty: ReactNode;
}) {
  // Amounts have no currency of their own: those of another wallet do not stand under this one's.
  const own = pages.isOfBefore ? { ...pages, rows: [], isLoading: true } : pages;
  return (
    <PagedTable
      pages={own}
      what="lines"
      caption="What moved the wallet"
      empty={empty}
      keyOf={(_, index) => String(index)}
      columns={columnsOf(currency)}
    />
  );
}

function columnsOf(currency: string): Column<Line>[] {
  return [
    { head: 'Time', cell: ({ time }) => <RowTime at={time} /> },
    { head: 'What', cell: ({ type }) => (type === 'correction' ? 'Balance adjustment' : words(type)) },
    {
      head: 'Reference',
      cell: ({ reference, internal_reference: id, type }) =>
        type === 'purchase' || type === 'refund' ? (
          <Go to={purchasePath(id)}>{reference}</Go>
        ) : (
          (reference ?? <Nothing />)
        ),
    },
    {
      head: 'For',
      cell: ({ recipient, network, memo }) =>
        recipient ? `${network ?? ''} ${recipient}` : (memo ?? <Nothing />),
    },
    { head: 'Amount', figures: true, cell: ({ amount }) => <Money amount={amount} currency={currency} /> },
    { head: 'Balance', figures: true, cell: ({ balance }) => <Money amount={balance} currency={currency} /> },
  ];
}

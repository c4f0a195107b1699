/** The balances and entries of a wallet statement. */
import type { ReactNode } from 'react';
import type { Pages } from '../api/queries.ts';
import { networkText, words } from '../design/format.ts';
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
  readonly paid_to: string | null;
  /** What the operator noted. */
  readonly memo?: string | null;
  /** The same, as the merchant sees it. */
  readonly reason?: string | null;
  readonly amount: string;
  readonly balance: string;
};

/** `balances` is undefined while the statement loads. */
export function StatementBalances({
  balances,
  currency,
}: {
  readonly balances: { readonly opening_balance: string; readonly closing_balance: string } | undefined;
  readonly currency: string;
}) {
  if (balances === undefined) return null;
  return (
    <Figures>
      <Figure name="Opening balance">
        <Money amount={balances.opening_balance} currency={currency} />
      </Figure>
      <Figure name="Closing balance">
        <Money amount={balances.closing_balance} currency={currency} />
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
  // Rows of the previous wallet are hidden, because their amounts have another currency.
  const own = pages.isOfBefore ? { ...pages, rows: [], isLoading: true } : pages;
  return (
    <PagedTable
      pages={own}
      what="lines"
      caption="Entries"
      empty={empty}
      keyOf={(_, index) => String(index)}
      columns={columnsOf(currency)}
    />
  );
}

function columnsOf(currency: string): Column<Line>[] {
  return [
    { head: 'Time', cell: ({ time }) => <RowTime at={time} /> },
    { head: 'Type', cell: ({ type }) => typeNames[type] ?? words(type) },
    {
      head: 'Reference',
      cell: ({ reference, internal_reference: id, type }) => {
        if (type === 'purchase') return <Go to={purchasePath(id)}>{reference}</Go>;
        // A refund has a separate id.
        if (type === 'refund' && reference !== null) return <Go to={purchasePath(reference)}>{reference}</Go>;
        return reference ?? <Nothing />;
      },
    },
    { head: 'Details', cell: (line) => detailsOf(line) ?? <Nothing /> },
    { head: 'Amount', figures: true, cell: ({ amount }) => <Money amount={amount} currency={currency} /> },
    { head: 'Balance', figures: true, cell: ({ balance }) => <Money amount={balance} currency={currency} /> },
  ];
}

const typeNames: Readonly<Record<string, string>> = {
  deposit: 'Bank transfer',
  correction: 'Balance adjustment',
};

/** What a purchase bought, why a balance was adjusted, or which account received a deposit. */
function detailsOf({ type, recipient, network, paid_to: account, memo, reason }: Line): string | undefined {
  if (network) return [networkText(network), recipient].filter(Boolean).join(' ');
  if (account !== null) return `To account ${account}`;
  if (type === 'refund') return 'Refund of this purchase';
  return reason ?? memo ?? undefined;
}

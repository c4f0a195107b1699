/** The wallets of a merchant and their actions. */
import { usePages } from '../../api/queries.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useOwnRows } from '../../widgets/environment.ts';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Money } from '../../widgets/values.tsx';
import type { Merchant } from './merchant.tsx';

export function Wallets({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  const pages = useOwnRows(usePages('wallet.show', given));
  return (
    <Panel
      title="Wallets"
      note="Available = posted − held by pending purchases − floor."
      actions={
        <OperationButton
          name="wallet.open"
          verb="Open a wallet"
          title="Open a wallet"
          given={given}
          done="Wallet opened."
        />
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="wallets"
        caption="Wallets"
        empty="Open a wallet in the currency that the merchant needs."
        keyOf={({ environment, currency }) => `${environment} ${currency}`}
        columns={[
          { head: 'Currency', cell: ({ currency }) => currency },
          {
            head: 'Available',
            figures: true,
            cell: ({ available, currency }) => (
              <strong>
                <Money amount={available} currency={currency} />
              </strong>
            ),
          },
          {
            head: 'Posted',
            figures: true,
            cell: ({ posted, currency }) => <Money amount={posted} currency={currency} />,
          },
          {
            head: 'Held',
            figures: true,
            cell: ({ held, currency }) => <Money amount={held} currency={currency} />,
          },
          {
            head: 'Floor',
            figures: true,
            cell: ({ floor, currency }) => <Money amount={floor} currency={currency} />,
          },
          {
            head: 'Actions',
            cell: ({ environment, currency }) => (
              <WalletActions given={{ ...given, environment, currency }} />
            ),
          },
        ]}
      />
    </Panel>
  );
}

function WalletActions({ given }: { readonly given: Readonly<Record<string, string>> }) {
  return (
    <>
      <OperationButton
        name="wallet.credit"
        verb="Adjust balance"
        given={given}
        fields={['amount', 'memo']}
        labels={{ amount: 'Amount (negative to debit)', memo: 'Memo' }}
        done="Balance adjusted."
      />{' '}
      <OperationButton
        name="wallet.set_floor"
        verb="Set floor"
        given={given}
        fields={['floor']}
        done="Floor set."
      />{' '}
      <OperationButton
        name="wallet.set_alert"
        verb="Set alert"
        title="Set the low-balance alert"
        given={given}
        fields={['threshold']}
        labels={{ threshold: 'Alert below' }}
        done="Alert set."
      />
    </>
  );
}

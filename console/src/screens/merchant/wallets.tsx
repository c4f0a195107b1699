/** The wallets of a merchant, and what is done to them. */
import { usePages } from '../../api/queries.ts';
import { Act } from '../../widgets/act.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Environment, Money } from '../../widgets/values.tsx';
import type { Merchant } from './merchant.tsx';

export function Wallets({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  const pages = usePages('wallet.show', given);
  return (
    <Panel
      title="Wallets"
      note="Available is what is posted, less what pending purchases hold, less the floor."
      acts={
        <Act
          name="wallet.open"
          verb="Open a wallet"
          title="Open a wallet in a further currency"
          given={given}
          done="The wallet is open."
        />
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="wallets"
        caption="Wallets"
        empty="Open one in the currency that it needs."
        keyOf={({ environment, currency }) => `${environment} ${currency}`}
        columns={[
          { head: 'Environment', cell: ({ environment }) => <Environment environment={environment} /> },
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
            head: 'Acts',
            cell: ({ environment, currency }) => <WalletActs given={{ ...given, environment, currency }} />,
          },
        ]}
      />
    </Panel>
  );
}

function WalletActs({ given }: { readonly given: Readonly<Record<string, string>> }) {
  return (
    <>
      <Act
        name="wallet.credit"
        verb="Correct"
        title="Correct the wallet"
        given={given}
        fields={['amount', 'memo']}
        labels={{ amount: 'Amount; with a minus it is taken off', memo: 'Why' }}
        done="The wallet is corrected."
      />{' '}
      <Act
        name="wallet.set_floor"
        verb="Floor"
        title="Set how far it can be spent"
        given={given}
        fields={['floor']}
        done="The floor is set."
      />{' '}
      <Act
        name="wallet.set_alert"
        verb="Alert"
        title="Set from what balance on the merchant is told that it is low"
        given={given}
        fields={['threshold']}
        done="The alert is set."
      />
    </>
  );
}

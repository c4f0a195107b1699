/** The bank accounts of the merchant's own, into which it pays to top up. */
import type { Output } from '../../../api/operations.ts';
import { useAnswer } from '../../../api/queries.ts';
import { Act } from '../../../widgets/act.tsx';
import { DataTable } from '../../../widgets/data-table.tsx';
import { Empty, Loading, Trouble } from '../../../widgets/notes.tsx';
import { Panel } from '../../../widgets/page.tsx';
import { Code, Environment, Money, Nothing, State } from '../../../widgets/values.tsx';

type Account = Output<'funding.account'>['accounts'][number];

const personLabels = {
  first_name: 'First name of the holder',
  last_name: 'Last name of the holder',
  email: 'E-mail address',
  phone: 'Phone number',
  bvn: 'BVN',
  birthday: 'Date of birth',
  document: 'Document of identity',
} as const;

export function FundingAccounts() {
  const { data, error, refetch } = useAnswer('funding.account', {});
  return (
    <Panel
      title="Funding accounts"
      note="A bank account of your own: what is paid into it, less the fee, is in your wallet a moment later."
      bare
    >
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {data === undefined && error === null ? <Loading what="the accounts" /> : null}
      {data === undefined ? null : <Accounts accounts={data.accounts} />}
    </Panel>
  );
}

function Accounts({ accounts }: { readonly accounts: readonly Account[] }) {
  if (accounts.length === 0) {
    return <Empty title="No funding account.">Ask whoever runs the gateway to allow you one.</Empty>;
  }
  return (
    <DataTable
      caption="Funding accounts"
      rows={accounts}
      keyOf={({ environment, currency }) => `${environment} ${currency}`}
      columns={[
        { head: 'Environment', cell: ({ environment }) => <Environment environment={environment} /> },
        { head: 'Currency', cell: ({ currency }) => currency },
        {
          head: 'Account',
          cell: ({ account_number: number }) => (number === null ? <Nothing /> : <Code>{number}</Code>),
        },
        { head: 'Bank', cell: ({ bank_name: bank }) => bank ?? <Nothing /> },
        { head: 'In the name of', cell: ({ account_name: name }) => name ?? <Nothing /> },
        {
          head: 'Fee, each',
          figures: true,
          cell: ({ fee, currency }) => <Money amount={fee} currency={currency} />,
        },
        { head: 'State', cell: (account) => <AccountState account={account} /> },
        { head: 'Document of identity', cell: (account) => <AccountDocument account={account} /> },
      ]}
    />
  );
}

function AccountState({ account }: { readonly account: Account }) {
  const { environment, currency, status, refusal } = account;
  if (status === 'active' || status === 'pending') return <State state={status} />;
  return (
    <>
      {status === 'refused' ? (
        <>
          <State state="refused" /> {refusal}{' '}
        </>
      ) : null}
      <Act
        name="funding.open"
        verb={status === 'refused' ? 'Try once more' : 'Make one'}
        title={`A funding account in ${currency}, ${environment}`}
        lead="The bank asks who holds the account. What you registered before need not be said again."
        given={{ environment, currency }}
        labels={personLabels}
        done="The account is asked for. It is here as soon as the bank has opened it."
      />
    </>
  );
}

/** Of whom the account is for. The first one stands. */
function AccountDocument({ account }: { readonly account: Account }) {
  const { environment, currency, status, document_uploaded: isThere } = account;
  if (isThere) return 'Stored';
  // It goes along with the names.
  if (status === 'none' || status === 'refused') return <Nothing />;
  return (
    <>
      <Nothing />{' '}
      <Act
        name="funding.open"
        verb="Upload one"
        title="Your document of identity"
        lead="It is stored sealed. Whoever runs the gateway can look at it; nobody here can. The first one stands."
        given={{ environment, currency }}
        fields={['document']}
        needed={['document']}
        labels={personLabels}
        done="The document is stored."
      />
    </>
  );
}

/** The merchant's funding accounts. */
import type { Output } from '../../../api/operations.ts';
import { useAnswer } from '../../../api/queries.ts';
import { DataTable } from '../../../widgets/data-table.tsx';
import { Empty, Loading, Trouble } from '../../../widgets/notes.tsx';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Panel } from '../../../widgets/page.tsx';
import { Code, Environment, Money, Nothing, State } from '../../../widgets/values.tsx';

type Account = Output<'funding.account'>['accounts'][number];

const personLabels = {
  first_name: 'Account holder’s first name',
  last_name: 'Account holder’s last name',
  email: 'E-mail address',
  phone: 'Phone number',
  bvn: 'BVN',
  birthday: 'Date of birth',
  document: 'ID document',
} as const;

export function FundingAccounts() {
  const { data, error, refetch } = useAnswer('funding.account', {});
  return (
    <Panel
      title="Funding accounts"
      note="Payments into your funding account, less the fee, are credited to your wallet."
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
    return <Empty title="No funding account.">Ask the gateway’s operator to allow one.</Empty>;
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
        { head: 'Account name', cell: ({ account_name: name }) => name ?? <Nothing /> },
        {
          head: 'Fee per deposit',
          figures: true,
          cell: ({ fee, currency }) => <Money amount={fee} currency={currency} />,
        },
        { head: 'State', cell: (account) => <AccountState account={account} /> },
        { head: 'ID document', cell: (account) => <AccountDocument account={account} /> },
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
      <OperationButton
        name="funding.open"
        verb={status === 'refused' ? 'Try again' : 'Open account'}
        title={`Open a funding account in ${currency}, ${environment}`}
        lead="The bank needs the account holder’s details. Details that you registered before can stay empty."
        given={{ environment, currency }}
        labels={personLabels}
        done="Account requested. It appears when the bank has opened it."
      />
    </>
  );
}

/** The ID document of the account holder, which cannot be replaced here. */
function AccountDocument({ account }: { readonly account: Account }) {
  const { environment, currency, status, document_uploaded: isThere } = account;
  if (isThere) return 'Stored';
  // The form that opens the account asks for it.
  if (status === 'none' || status === 'refused') return <Nothing />;
  return (
    <>
      <Nothing />{' '}
      <OperationButton
        name="funding.open"
        verb="Upload"
        title="Upload your ID document"
        lead="The document is stored encrypted. Only the gateway’s operator can view it. You cannot replace it later."
        given={{ environment, currency }}
        fields={['document']}
        needed={['document']}
        labels={personLabels}
        done="Document stored."
      />
    </>
  );
}

/** The credentials of a merchant: a secret is shown when it is made, and never again. */
import { usePages } from '../../api/queries.ts';
import { Act } from '../../widgets/act.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Code, Environment, Nothing, RowTime, State } from '../../widgets/values.tsx';
import type { Merchant } from './merchant.tsx';

export function Credentials({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  const pages = usePages('credential.list', given);
  return (
    <Panel
      title="Credentials"
      note="With a key and its secret the merchant’s systems buy. Test and live have their own."
      acts={
        <Act
          name="credential.issue"
          verb="Issue a credential"
          look="main"
          given={given}
          labels={{
            label: 'What it is for',
            ip: 'Addresses that may use it',
            rate: 'Requests a second',
            expires_in: 'It ends after',
          }}
        />
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="credentials"
        caption="Credentials"
        empty="Issue one, and give it to the merchant’s developers."
        keyOf={({ key }) => key}
        columns={[
          { head: 'Key', cell: ({ key }) => <Code>{key}</Code> },
          { head: 'For', cell: ({ label }) => label || <Nothing /> },
          { head: 'Environment', cell: ({ environment }) => <Environment environment={environment} /> },
          { head: 'State', cell: ({ state }) => <State state={state} /> },
          { head: 'Addresses', cell: ({ allowed_ips: ips }) => (ips.length === 0 ? 'Any' : ips.join(', ')) },
          { head: 'Last used', cell: ({ last_used_at: at }) => <RowTime at={at} /> },
          { head: 'Ends', cell: ({ expires_at: at }) => <RowTime at={at} /> },
          {
            head: 'Acts',
            cell: ({ key, state }) =>
              state === 'active' ? (
                <>
                  <Act
                    name="credential.rotate"
                    verb="Rotate"
                    title="Issue another in its place"
                    given={{ ...given, credential: key }}
                    labels={{ overlap: 'The old one works on for', expires_in: 'The new one ends after' }}
                  />{' '}
                  <Act
                    name="credential.set_caps"
                    verb="Caps"
                    title="Set what it may spend"
                    given={{ ...given, credential: key }}
                    done="The caps are set."
                  />{' '}
                  <Act
                    name="credential.revoke"
                    verb="Revoke"
                    look="danger"
                    title="End it for good"
                    given={{ ...given, credential: key }}
                    fields={[]}
                    done="The credential has ended, everywhere."
                  />
                </>
              ) : (
                <Nothing />
              ),
          },
        ]}
      />
    </Panel>
  );
}

/** The credentials of a merchant. A secret is shown only when it is created. */
import { usePages } from '../../api/queries.ts';
import { Copyable } from '../../widgets/copy.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useOwnRows } from '../../widgets/environment.ts';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Nothing, RowTime, State } from '../../widgets/values.tsx';
import { keyLabels } from '../portal/keys/key-labels.ts';
import type { Merchant } from './merchant.tsx';

export function Credentials({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  const pages = useOwnRows(usePages('credential.list', given));
  return (
    <Panel
      title="Credentials"
      note="The merchant’s systems buy with a key and its secret. Test and live keys are separate."
      actions={
        <OperationButton
          name="credential.issue"
          verb="Issue a credential"
          look="main"
          given={given}
          labels={{ ...keyLabels, rate: 'Requests per second' }}
        />
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="credentials"
        caption="Credentials"
        empty="Issue one for the merchant’s developers."
        keyOf={({ key }) => key}
        columns={[
          { head: 'Key', cell: ({ key }) => <Copyable value={key} name="key" /> },
          { head: 'Label', cell: ({ label }) => label || <Nothing /> },
          { head: 'State', cell: ({ state }) => <State state={state} /> },
          { head: 'Addresses', cell: ({ allowed_ips: ips }) => (ips.length === 0 ? 'Any' : ips.join(', ')) },
          { head: 'Last used', cell: ({ last_used_at: at }) => <RowTime at={at} /> },
          { head: 'Expires', cell: ({ expires_at: at }) => <RowTime at={at} /> },
          {
            head: 'Actions',
            cell: ({ key, state }) =>
              state === 'active' ? (
                <>
                  <OperationButton
                    name="credential.rotate"
                    verb="Rotate"
                    title="Rotate this credential"
                    given={{ ...given, credential: key }}
                    labels={{ overlap: 'Overlap', expires_in: 'New key expires after' }}
                  />{' '}
                  <OperationButton
                    name="credential.set_caps"
                    verb="Set caps"
                    title="Set spending caps"
                    given={{ ...given, credential: key }}
                    labels={keyLabels}
                    done="Caps set."
                  />{' '}
                  <OperationButton
                    name="credential.revoke"
                    verb="Revoke"
                    look="danger"
                    title="Revoke this credential"
                    given={{ ...given, credential: key }}
                    fields={[]}
                    done="Credential revoked."
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

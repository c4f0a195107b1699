/** The restore lock, the credentials that wait after a restore, and recorded backups. */
import type { ListName } from '../../api/operations.ts';
import { useAnswer, usePages } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { countText } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { OperationList } from '../../widgets/operation-list.tsx';
import { Facts, Page, Panel } from '../../widgets/page.tsx';
import { Badge, Code, Environment, Nothing, RowTime, Time } from '../../widgets/values.tsx';

const LIMIT = 200;

export function Recovery() {
  return (
    <Page
      title="Recovery"
      lead="After a database is restored, the lock pauses live purchases until it is reconciled."
    >
      <RestoreLock />
      <Unconfirmed />
      <OperationList title="Backups" names={{ 'backup.record': 'Record a backup' }} />
    </Page>
  );
}

function RestoreLock() {
  const { data: restore, error, refetch } = useAnswer('restore.status', {});
  return (
    <Panel
      title="Restore lock"
      actions={
        restore === undefined ? undefined : restore.locked ? (
          <OperationButton
            name="restore.open"
            verb="Remove the lock"
            look="danger"
            lead={`Live purchases resume. ${countText(restore.open)} findings are not settled.`}
            done="Lock removed. Live purchases resume."
          />
        ) : (
          <SetLock />
        )
      }
    >
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {restore === undefined ? (
        error === null ? (
          <Loading what="the lock" />
        ) : null
      ) : (
        <Facts
          facts={[
            [
              'State',
              <Badge key="s" tone={restore.locked ? 'bad' : 'good'}>
                {restore.locked ? 'Locked' : 'Not locked'}
              </Badge>,
            ],
            ['Reason', restore.reason ?? <Nothing key="r" />],
            ['Data may be missing since', <Time key="l" at={restore.lost_from} />],
            ['Raised', <Time key="t" at={restore.raised_at} near />],
            ['Unsettled findings', countText(restore.open)],
            restore.next === null ? undefined : ['Next', restore.next],
          ]}
        />
      )}
    </Panel>
  );
}

/** States how many merchants, sessions and tokens the lock concerns. */
function SetLock() {
  const [merchants, sessions, tokens] = [
    useCount('merchant.list'),
    useCount('session.list'),
    useCount('token.list'),
  ];
  return (
    <OperationButton
      name="restore.lock"
      verb="Set the lock"
      look="danger"
      title="Set the restore lock"
      lead={`Live purchases are refused until the lock is removed. Merchants: ${merchants}. Unless you keep access, all sessions (${sessions}) and access tokens (${tokens}) end, and every merchant key must be confirmed.`}
      about={{ Merchants: merchants, Sessions: sessions, Tokens: tokens }}
      done="Lock set. Live purchases are refused."
    />
  );
}

function useCount(name: Extract<ListName, 'merchant.list' | 'session.list' | 'token.list'>): string {
  const { rows, isMore } = usePages(name, { limit: LIMIT }, { enabled: useMay()(name) });
  return `${countText(rows.length)}${isMore ? '+' : ''}`;
}

function Unconfirmed() {
  const pages = usePages('credential.list_unconfirmed', { limit: LIMIT });
  const count = `${countText(pages.rows.length)}${pages.isMore ? '+' : ''}`;
  return (
    <Panel
      title="Unconfirmed credentials"
      note="After a restore, requests with these keys are refused until you confirm them."
      actions={
        pages.rows.length === 0 ? undefined : (
          <OperationButton
            name="credential.confirm"
            verb="Confirm all"
            look="danger"
            title={`Confirm ${count} credentials`}
            given={{ all: true }}
            about={{ Credentials: count }}
            fields={[]}
            done="Credentials confirmed."
          />
        )
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="unconfirmed credentials"
        caption="Unconfirmed credentials"
        empty="Every credential is confirmed."
        keyOf={({ key }) => key}
        columns={[
          { head: 'Key', cell: ({ key }) => <Code>{key}</Code> },
          { head: 'Label', cell: ({ label }) => label || <Nothing /> },
          { head: 'Merchant', cell: ({ merchant }) => merchant },
          { head: 'Environment', cell: ({ environment }) => <Environment environment={environment} /> },
          { head: 'Last used', cell: ({ last_used_at: at }) => <RowTime at={at} /> },
          {
            head: 'Actions',
            cell: ({ key }) => (
              <OperationButton
                name="credential.confirm"
                verb="Confirm"
                title="Confirm this credential"
                given={{ credential: key }}
                fields={[]}
                done="Credential confirmed."
              />
            ),
          },
        ]}
      />
    </Panel>
  );
}

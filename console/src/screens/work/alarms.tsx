/** Unacknowledged alarms. */
import { usePages } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { ActionButtons } from '../../widgets/action-buttons.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { DocumentLink } from '../../widgets/document-link.tsx';
import { Go, merchantPath, purchasePath } from '../../widgets/go.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Nothing, RowTime } from '../../widgets/values.tsx';

const REFRESH_MS = 15_000;

export function AlarmsToSee() {
  const pages = usePages('alarm.list', {}, { refreshMs: REFRESH_MS });
  return (
    <Panel title="Alarms" bare>
      <PagedTable
        pages={pages}
        what="alarms"
        caption="Unacknowledged alarms"
        empty="All alarms are acknowledged."
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Alarm',
            cell: ({ kind }) => (
              <DocumentLink path={`operators/alerts.md#${kind}`}>
                <strong>{words(kind)}</strong>
              </DocumentLink>
            ),
          },
          { head: 'Message', cell: ({ message }) => message },
          {
            head: 'About',
            cell: ({ purchase_id: purchase, merchant, provider }) =>
              purchase !== null ? (
                <Go to={purchasePath(purchase)} data-row>
                  purchase
                </Go>
              ) : merchant !== null ? (
                <Go to={merchantPath(merchant)}>{merchant}</Go>
              ) : provider !== null ? (
                <Go to={`/providers/${provider}`}>{provider}</Go>
              ) : (
                <Nothing />
              ),
          },
          { head: 'Raised', cell: ({ at }) => <RowTime at={at} /> },
          { head: 'Ended', cell: ({ ended_at: at }) => <RowTime at={at} /> },
          {
            head: 'Actions',
            cell: ({ id, actions, advice }) => (
              <>
                {advice}
                <ActionButtons actions={actions} />
                <OperationButton
                  name="alarm.acknowledge"
                  verb="Acknowledge"
                  title="Acknowledge the alarm"
                  given={{ id }}
                  fields={['note']}
                  labels={{ note: 'Note' }}
                  done="Alarm acknowledged."
                />
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}

/** Alarms that nobody has acknowledged. */
import { usePages } from '../../api/queries.ts';
import { csvAddress } from '../../api/run.ts';
import { words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Download } from '../../widgets/download.tsx';
import { Go, merchantPath, purchasePath } from '../../widgets/go.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Nothing, RowTime } from '../../widgets/values.tsx';

const REFRESH_MS = 15_000;

export function AlarmsToSee() {
  const pages = usePages('alarm.list', {}, { refreshMs: REFRESH_MS });
  return (
    <Panel title="Alarms" acts={<Download href={csvAddress('alarm.list', {})}>CSV</Download>} bare>
      <PagedTable
        pages={pages}
        what="alarms"
        caption="Alarms that nobody has acknowledged"
        empty="All of them have been looked at."
        keyOf={({ id }) => id}
        columns={[
          { head: 'Alarm', cell: ({ kind }) => <strong>{words(kind)}</strong> },
          { head: 'What it says', cell: ({ message }) => message },
          {
            head: 'About',
            cell: ({ purchase_id: purchase, merchant }) =>
              purchase !== null ? (
                <Go to={purchasePath(purchase)} data-row>
                  the purchase
                </Go>
              ) : merchant !== null ? (
                <Go to={merchantPath(merchant)}>{merchant}</Go>
              ) : (
                <Nothing />
              ),
          },
          { head: 'Raised', cell: ({ at }) => <RowTime at={at} /> },
          { head: 'Over', cell: ({ ended_at: at }) => <RowTime at={at} /> },
          {
            head: 'Act',
            cell: ({ id }) => (
              <Act
                name="alarm.acknowledge"
                verb="Acknowledge"
                title="Acknowledge the alarm"
                given={{ id }}
                fields={['note']}
                labels={{ note: 'What you found, and did' }}
                done="The alarm is acknowledged."
              />
            ),
          },
        ]}
      />
    </Panel>
  );
}

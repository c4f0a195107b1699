/** Acts that wait for a second person. */
import { usePages } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Panel } from '../../widgets/page.tsx';
import { RowTime } from '../../widgets/values.tsx';

const REFRESH_MS = 15_000;

export function ApprovalsToDecide() {
  const pages = usePages('approval.list', { state: 'waiting' }, { refreshMs: REFRESH_MS });
  return (
    <Panel title="Waits for a second person" bare>
      <PagedTable
        pages={pages}
        what="acts that wait"
        caption="Acts that wait for a second person"
        empty="Nobody has asked for one."
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/work/approvals/${id}`}
        columns={[
          { head: 'Act', cell: ({ operation }) => words(operation) },
          { head: 'Asked for by', cell: ({ asked_by: by }) => by },
          { head: 'At', cell: ({ asked_at: at }) => <RowTime at={at} /> },
          { head: 'Until', cell: ({ expires_at: at }) => <RowTime at={at} /> },
        ]}
      />
    </Panel>
  );
}

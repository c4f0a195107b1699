/** The latest background tasks. */
import { usePages } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { taskPath } from '../../widgets/go.tsx';
import { Panel } from '../../widgets/page.tsx';
import { progressText } from '../../widgets/task-view.tsx';
import { Nothing, RowTime, State } from '../../widgets/values.tsx';

const FEW = 10;

export function Tasks() {
  const pages = usePages('task.list', { limit: FEW });
  return (
    <Panel
      title="Background tasks"
      note="Imports, reconciliations and audits. They continue when you leave this page."
      bare
    >
      <PagedTable
        pages={pages}
        what="background tasks"
        caption="Background tasks"
        empty="No background tasks yet."
        keyOf={({ id }) => id}
        linkOf={({ id }) => taskPath(id)}
        columns={[
          { head: 'Task', cell: ({ operation }) => words(operation) },
          { head: 'State', cell: ({ state }) => <State state={state} /> },
          {
            head: 'Progress',
            cell: ({ state, progress }) => (state === 'running' ? progressText(progress) : <Nothing />),
          },
          { head: 'Started by', cell: ({ started_by: by }) => by },
          { head: 'Started', cell: ({ started_at: at }) => <RowTime at={at} /> },
          { head: 'Ended', cell: ({ ended_at: at }) => <RowTime at={at} /> },
        ]}
      />
    </Panel>
  );
}

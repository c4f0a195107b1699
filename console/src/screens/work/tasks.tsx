/** Long work: what runs in the gateway, and what came of what ran. */
import { usePages } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { taskPath } from '../../widgets/go.tsx';
import { Panel } from '../../widgets/page.tsx';
import { farText } from '../../widgets/task-view.tsx';
import { RowTime, State } from '../../widgets/values.tsx';

const FEW = 10;

export function Tasks() {
  const pages = usePages('task.list', { limit: FEW });
  return (
    <Panel
      title="Long work"
      note="Imports, reconciliations and audits that were started here. They go on when you leave."
      bare
    >
      <PagedTable
        pages={pages}
        what="long work"
        caption="Long work"
        empty="Nothing was started here that takes long."
        keyOf={({ id }) => id}
        linkOf={({ id }) => taskPath(id)}
        columns={[
          { head: 'What', cell: ({ operation }) => words(operation) },
          { head: 'State', cell: ({ state }) => <State state={state} /> },
          { head: 'How far', cell: ({ progress }) => farText(progress) },
          { head: 'Started by', cell: ({ started_by: by }) => by },
          { head: 'Started', cell: ({ started_at: at }) => <RowTime at={at} /> },
          { head: 'Ended', cell: ({ ended_at: at }) => <RowTime at={at} /> },
        ]}
      />
    </Panel>
  );
}

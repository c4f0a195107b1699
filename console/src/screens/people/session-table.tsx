/** Open sessions: who is in, since when, from where. */
import type { Row } from '../../api/operations.ts';
import type { Pages } from '../../api/queries.ts';
import { Act } from '../../widgets/act.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { RowTime } from '../../widgets/values.tsx';

export function SessionTable({
  pages,
  merchant,
}: {
  readonly pages: Pages<Row<'session.list'>>;
  readonly merchant?: string;
}) {
  return (
    <PagedTable
      pages={pages}
      what="sessions"
      caption="Open sessions"
      empty="Nobody is signed in."
      keyOf={({ id }) => id}
      columns={[
        { head: 'Who', cell: ({ name, email }) => `${name} (${email})` },
        { head: 'Since', cell: ({ opened_at: at }) => <RowTime at={at} /> },
        { head: 'Last seen', cell: ({ seen_at: at }) => <RowTime at={at} /> },
        { head: 'Ends', cell: ({ expires_at: at }) => <RowTime at={at} /> },
        { head: 'From', cell: ({ address, browser }) => `${address}, ${browser}` },
        {
          head: 'Act',
          cell: ({ id, email }) => (
            <Act
              name={merchant === undefined ? 'session.end' : 'team.end_sessions'}
              verb="End it"
              look="danger"
              title="End this session"
              given={{ ...(merchant !== undefined && { merchant }), email, session: id }}
              fields={[]}
              done="The session has ended."
            />
          ),
        },
      ]}
    />
  );
}

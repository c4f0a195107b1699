/** A table of open sessions. */
import type { Row } from '../../api/operations.ts';
import type { Pages } from '../../api/queries.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
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
      empty="No one is signed in."
      keyOf={({ id }) => id}
      columns={[
        { head: 'User', cell: ({ name, email }) => `${name} (${email})` },
        { head: 'Since', cell: ({ opened_at: at }) => <RowTime at={at} /> },
        { head: 'Last seen', cell: ({ seen_at: at }) => <RowTime at={at} /> },
        { head: 'Expires', cell: ({ expires_at: at }) => <RowTime at={at} /> },
        { head: 'From', cell: ({ address, browser }) => `${address}, ${browser}` },
        {
          head: 'Actions',
          cell: ({ id, email }) => (
            <OperationButton
              name={merchant === undefined ? 'session.end' : 'team.end_sessions'}
              verb="End session"
              look="danger"
              title="End this session"
              given={{ ...(merchant !== undefined && { merchant }), email, session: id }}
              fields={[]}
              done="Session ended."
            />
          ),
        },
      ]}
    />
  );
}

/** The user's own sessions. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { Row } from '../../api/operations.ts';
import { Button } from '../../widgets/button.tsx';
import { DataTable } from '../../widgets/data-table.tsx';
import { Loading, Trouble } from '../../widgets/notes.tsx';
import { Panel } from '../../widgets/page.tsx';
import { useToast } from '../../widgets/toasts.tsx';
import { RowTime } from '../../widgets/values.tsx';

type OwnSession = Row<'session.list'> & { readonly is_this: boolean };

export function OwnSessions() {
  const queries = useQueryClient();
  const say = useToast();
  const [refused, setRefused] = useState<unknown>();
  const { data: sessions, error } = useQuery({
    queryKey: ['own sessions'],
    queryFn: async () => {
      const { body } = await call('/api/sessions');
      return (body as { readonly data: readonly OwnSession[] }).data;
    },
  });
  const end = async (id: string) => {
    setRefused(undefined);
    try {
      await call('/api/sessions/end', { id });
      say('Session ended.');
      await queries.invalidateQueries({ queryKey: ['own sessions'] });
    } catch (fault) {
      setRefused(fault);
    }
  };
  const trouble = refused ?? error;
  return (
    <Panel
      title="Your sessions"
      note="End sessions that you do not recognize, and change your password."
      bare
    >
      {trouble === null || trouble === undefined ? null : <Trouble error={trouble} />}
      {sessions === undefined ? (
        error === null ? (
          <Loading what="your sessions" />
        ) : null
      ) : (
        <DataTable
          caption="Your sessions"
          rows={sessions}
          keyOf={({ id }) => id}
          columns={[
            { head: 'From', cell: ({ address, browser }) => `${address}, ${browser}` },
            { head: 'Since', cell: ({ opened_at: at }) => <RowTime at={at} /> },
            { head: 'Last seen', cell: ({ seen_at: at }) => <RowTime at={at} /> },
            { head: 'Expires', cell: ({ expires_at: at }) => <RowTime at={at} /> },
            {
              head: 'Actions',
              cell: ({ id, is_this: isThis }) =>
                isThis ? (
                  'This session'
                ) : (
                  <Button look="danger" onClick={() => void end(id)}>
                    End session
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

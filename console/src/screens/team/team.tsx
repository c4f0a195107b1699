/** The console's users, their sessions, and access tokens. */
import { usePages } from '../../api/queries.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Tabs } from '../../widgets/tabs.tsx';
import { Code, Nothing, RowTime, State } from '../../widgets/values.tsx';
import { SessionTable } from './session-table.tsx';
import { UserTable } from './user-table.tsx';

export function Team() {
  return (
    <Page title="Team" lead="Users, sessions and access tokens of the console.">
      <Tabs
        label="Team"
        path="/team"
        tabs={[
          { id: 'users', name: 'Team', show: () => <Users /> },
          { id: 'sessions', name: 'Sessions', show: () => <Sessions /> },
          { id: 'tokens', name: 'Access tokens', show: () => <Tokens /> },
        ]}
      />
    </Page>
  );
}

function Users() {
  const pages = usePages('user.list', {});
  return (
    <Panel
      title="Users"
      actions={
        <OperationButton
          name="user.invite"
          verb="Invite"
          look="main"
          labels={{ email: 'E-mail address', link: 'Show the link instead of sending it' }}
        />
      }
      bare
    >
      <UserTable pages={pages} empty="Invite the first user." />
    </Panel>
  );
}

function Sessions() {
  const pages = usePages('session.list', {});
  return (
    <Panel title="Open sessions" note="An ended session is signed out with its next request." bare>
      <SessionTable pages={pages} />
    </Panel>
  );
}

function Tokens() {
  const pages = usePages('token.list', {});
  return (
    <Panel
      title="Access tokens"
      note="A token gives access to the admin API and the command line."
      actions={
        <OperationButton
          name="token.create"
          verb="New token"
          title="Create an access token"
          labels={{ role: 'Roles', expires: 'Expires after' }}
        />
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="tokens"
        caption="Access tokens"
        empty="No tokens yet."
        keyOf={({ id }) => id}
        columns={[
          { head: 'Token', cell: ({ id }) => <Code>{id}</Code> },
          { head: 'Owner', cell: ({ name }) => name },
          { head: 'Roles', cell: ({ roles }) => roles.join(', ') },
          { head: 'State', cell: ({ state }) => <State state={state} /> },
          { head: 'Expires', cell: ({ expires_at: at }) => <RowTime at={at} /> },
          { head: 'Last used', cell: ({ last_used_at: at }) => <RowTime at={at} /> },
          { head: 'Created by', cell: ({ created_by: by }) => by },
          {
            head: 'Actions',
            cell: ({ id, state }) =>
              state === 'active' ? (
                <OperationButton
                  name="token.revoke"
                  verb="Revoke"
                  look="danger"
                  title="Revoke the token"
                  given={{ id }}
                  fields={[]}
                  done="Token revoked."
                />
              ) : (
                <Nothing />
              ),
          },
        ]}
      />
    </Panel>
  );
}

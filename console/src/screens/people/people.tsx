/** Who may enter: the people of the operator, their sessions, access tokens. */
import { usePages } from '../../api/queries.ts';
import { Act } from '../../widgets/act.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { MoreOperations } from '../../widgets/more-operations.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Tabs } from '../../widgets/tabs.tsx';
import { Code, Nothing, RowTime, State } from '../../widgets/values.tsx';
import { SessionTable } from './session-table.tsx';
import { UserTable } from './user-table.tsx';

export function People() {
  return (
    <Page title="People" lead="Who may enter, and with what.">
      <Tabs
        label="People"
        path="/people"
        tabs={[
          { id: 'users', name: 'People', show: () => <Users /> },
          { id: 'sessions', name: 'Sessions', show: () => <Sessions /> },
          { id: 'tokens', name: 'Access tokens', show: () => <Tokens /> },
        ]}
      />
      <MoreOperations screen="people" />
    </Page>
  );
}

function Users() {
  const pages = usePages('user.list', {});
  return (
    <Panel
      title="The operator’s people"
      acts={
        <Act
          name="user.invite"
          verb="Invite somebody"
          look="main"
          labels={{ email: 'E-mail address', link: 'Show the link here too' }}
        />
      }
      bare
    >
      <UserTable pages={pages} empty="Invite the first." />
    </Panel>
  );
}

function Sessions() {
  const pages = usePages('session.list', {});
  return (
    <Panel title="Open sessions" note="One that is ended is out with its next click." bare>
      <SessionTable pages={pages} />
    </Panel>
  );
}

function Tokens() {
  const pages = usePages('token.list', {});
  return (
    <Panel
      title="Access tokens"
      note="With one, a program or a person on a machine uses the admin API and the command line."
      acts={
        <Act
          name="token.create"
          verb="New token"
          title="Make an access token"
          labels={{ role: 'Roles', expires: 'It ends after' }}
        />
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="tokens"
        caption="Access tokens"
        empty="Nobody has one."
        keyOf={({ id }) => id}
        columns={[
          { head: 'Token', cell: ({ id }) => <Code>{id}</Code> },
          { head: 'Of', cell: ({ name }) => name },
          { head: 'Roles', cell: ({ roles }) => roles.join(', ') },
          { head: 'State', cell: ({ state }) => <State state={state} /> },
          { head: 'Ends', cell: ({ expires_at: at }) => <RowTime at={at} /> },
          { head: 'Last used', cell: ({ last_used_at: at }) => <RowTime at={at} /> },
          { head: 'Made by', cell: ({ created_by: by }) => by },
          {
            head: 'Act',
            cell: ({ id, state }) =>
              state === 'active' ? (
                <Act
                  name="token.revoke"
                  verb="Revoke"
                  look="danger"
                  title="Revoke the token"
                  given={{ id }}
                  fields={[]}
                  done="The token is revoked."
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

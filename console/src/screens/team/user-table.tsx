/** A table of users of the console or of a merchant, with their actions. */
import type { Row } from '../../api/operations.ts';
import type { Pages } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { RowTime, State } from '../../widgets/values.tsx';

type UserRow = Row<'user.list'>;

/** `merchant` is set for users of a merchant. */
export function UserTable({
  pages,
  empty,
  merchant,
}: {
  readonly pages: Pages<UserRow>;
  readonly empty: string;
  readonly merchant?: string;
}) {
  const may = useMay();
  const hasActions = may(merchant === undefined ? 'user.set_roles' : 'team.set_roles');
  const actions = {
    head: 'Actions',
    cell: (user: UserRow) => <UserActions user={user} merchant={merchant} />,
  };
  return (
    <PagedTable
      pages={pages}
      what="users"
      caption="Users"
      empty={empty}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Name', cell: ({ name, email }) => name || email },
        { head: 'E-mail address', cell: ({ email }) => email },
        { head: 'Roles', cell: ({ roles }) => roles.join(', ') },
        { head: 'State', cell: ({ state }) => <State state={state} /> },
        { head: 'Last signed in', cell: ({ signed_in_at: at }) => <RowTime at={at} /> },
        ...(hasActions ? [actions] : []),
      ]}
    />
  );
}

function UserActions({ user, merchant }: { readonly user: UserRow; readonly merchant: string | undefined }) {
  const isTeam = merchant !== undefined;
  const given = { ...(isTeam && { merchant }), email: user.email };
  const who = user.name || user.email;
  const isIn = user.state !== 'suspended';
  return (
    <>
      <OperationButton
        name={isTeam ? 'team.set_roles' : 'user.set_roles'}
        verb="Change roles"
        title={`Roles of ${who}`}
        given={given}
        start={{ roles: user.roles.join(',') }}
        fields={['roles']}
        done="Roles set. They take effect immediately."
      />{' '}
      <OperationButton
        name={isTeam ? 'team.reset' : 'user.reset'}
        verb="Reset password"
        title={`Reset the password of ${who}`}
        given={given}
        labels={{
          second_factors: 'Also remove two-factor authentication',
          link: 'Show the link instead of sending it',
        }}
      />{' '}
      {isTeam ? null : <OperationButton name="user.show" verb="Show" title={who} given={given} fields={[]} />}{' '}
      <OperationButton
        name={isTeam ? 'team.end_sessions' : 'session.end'}
        verb="End sessions"
        title={`End the sessions of ${who}`}
        given={given}
        fields={[]}
        done="Sessions ended."
      />{' '}
      {isIn ? (
        <OperationButton
          name={isTeam ? 'team.suspend' : 'user.suspend'}
          verb="Suspend"
          look="danger"
          title={`Suspend ${who}`}
          given={given}
          fields={[]}
          done="User suspended."
        />
      ) : (
        <OperationButton
          name={isTeam ? 'team.resume' : 'user.resume'}
          verb="Resume"
          given={given}
          fields={[]}
          done="User resumed."
        />
      )}
    </>
  );
}

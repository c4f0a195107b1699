/** People who sign in, the operator's or a merchant's, and what is done about them. */
import type { Row } from '../../api/operations.ts';
import type { Pages } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Act } from '../../widgets/act.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { RowTime, State } from '../../widgets/values.tsx';

type UserRow = Row<'user.list'>;

/** Of a merchant's people, the merchant is named. */
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
  const hasActs = may(merchant === undefined ? 'user.set_roles' : 'team.set_roles');
  const acts = {
    head: 'Acts',
    cell: (user: UserRow) => <UserActs user={user} merchant={merchant} />,
  };
  return (
    <PagedTable
      pages={pages}
      what="people"
      caption="People who sign in"
      empty={empty}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Name', cell: ({ name, email }) => name || email },
        { head: 'E-mail address', cell: ({ email }) => email },
        { head: 'Roles', cell: ({ roles }) => roles.join(', ') },
        { head: 'State', cell: ({ state }) => <State state={state} /> },
        { head: 'Last signed in', cell: ({ signed_in_at: at }) => <RowTime at={at} /> },
        ...(hasActs ? [acts] : []),
      ]}
    />
  );
}

function UserActs({ user, merchant }: { readonly user: UserRow; readonly merchant: string | undefined }) {
  const isTeam = merchant !== undefined;
  const given = { ...(isTeam && { merchant }), email: user.email };
  const who = user.name || user.email;
  const isIn = user.state !== 'suspended';
  return (
    <>
      <Act
        name={isTeam ? 'team.set_roles' : 'user.set_roles'}
        verb="Roles"
        title={`The roles of ${who}`}
        given={given}
        start={{ roles: user.roles.join(',') }}
        fields={['roles']}
        done="The roles are set. They hold at once, in open sessions too."
      />{' '}
      <Act
        name={isTeam ? 'team.reset' : 'user.reset'}
        verb="Reset"
        title={`A new password for ${who}`}
        given={given}
        labels={{ second_factors: 'The second factors too', link: 'Show the link here too' }}
      />{' '}
      {isTeam ? null : <Act name="user.show" verb="Look" title={who} given={given} fields={[]} />}{' '}
      <Act
        name={isTeam ? 'team.end_sessions' : 'session.end'}
        verb="End sessions"
        title={`End the sessions of ${who}`}
        given={given}
        fields={[]}
        done="The sessions have ended."
      />{' '}
      {isIn ? (
        <Act
          name={isTeam ? 'team.suspend' : 'user.suspend'}
          verb="Suspend"
          look="danger"
          title={`Keep ${who} out`}
          given={given}
          fields={[]}
          done="Nobody gets in with this account now."
        />
      ) : (
        <Act
          name={isTeam ? 'team.resume' : 'user.resume'}
          verb="Let in again"
          given={given}
          fields={[]}
          done="The account is open again."
        />
      )}
    </>
  );
}

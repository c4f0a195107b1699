/** The people of a merchant: who signs in to the portal, and who is signed in now. */
import { usePages } from '../../api/queries.ts';
import { Act } from '../../widgets/act.tsx';
import { Panel } from '../../widgets/page.tsx';
import { SessionTable } from '../people/session-table.tsx';
import { UserTable } from '../people/user-table.tsx';
import type { Merchant } from './merchant.tsx';

export function Team({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  const people = usePages('team.list', given);
  const sessions = usePages('team.list_sessions', given);
  return (
    <>
      <Panel
        title="Its people"
        note="They sign in to the portal, and see this merchant alone."
        acts={
          <Act
            name="team.invite"
            verb="Invite somebody"
            look="main"
            given={given}
            labels={{ email: 'E-mail address', link: 'Show the link here too' }}
          />
        }
        bare
      >
        <UserTable pages={people} merchant={merchant.code} empty="Invite its owner first." />
      </Panel>
      <Panel title="Who is signed in" bare>
        <SessionTable pages={sessions} merchant={merchant.code} />
      </Panel>
    </>
  );
}

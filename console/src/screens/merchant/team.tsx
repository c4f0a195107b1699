/** The portal users of a merchant and their sessions. */
import { usePages } from '../../api/queries.ts';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { SessionTable } from '../team/session-table.tsx';
import { UserTable } from '../team/user-table.tsx';
import type { Merchant } from './merchant.tsx';

export function Team({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  const people = usePages('team.list', given);
  const sessions = usePages('team.list_sessions', given);
  return (
    <>
      <Panel
        title="Team"
        note="They sign in to the portal and see only this merchant."
        actions={
          <OperationButton
            name="team.invite"
            verb="Invite"
            look="main"
            given={given}
            labels={{ email: 'E-mail address', link: 'Show the link instead of sending it' }}
          />
        }
        bare
      >
        <UserTable pages={people} merchant={merchant.code} empty="Invite the owner first." />
      </Panel>
      <Panel title="Sessions" bare>
        <SessionTable pages={sessions} merchant={merchant.code} />
      </Panel>
    </>
  );
}

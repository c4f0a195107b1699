/** The merchant's own portal users and their sessions. */
import { usePages } from '../../../api/queries.ts';
import { useMay, useSession } from '../../../api/session.ts';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Page, Panel } from '../../../widgets/page.tsx';
import { SessionTable } from '../../team/session-table.tsx';
import { UserTable } from '../../team/user-table.tsx';

export function PortalTeam() {
  const merchant = useSession()?.merchant?.code ?? '';
  const may = useMay();
  const people = usePages('team.list', {});
  return (
    <Page
      title="Team"
      lead="Users of this portal. Viewers read; finance manages money; developers manage keys and webhooks; owners can do everything and invite others."
      actions={
        <OperationButton
          name="team.invite"
          verb="Invite"
          look="main"
          lead="The user receives a link by e-mail that works once. Choose only the roles that are needed."
          labels={{ email: 'E-mail address', link: 'Show the link instead of sending it' }}
        />
      }
    >
      <Panel title="Users" bare>
        <UserTable pages={people} merchant={merchant} empty="Invite a user." />
      </Panel>
      {may('team.list_sessions') ? <Sessions merchant={merchant} /> : null}
    </Page>
  );
}

function Sessions({ merchant }: { readonly merchant: string }) {
  const sessions = usePages('team.list_sessions', {});
  return (
    <Panel title="Sessions" note="End sessions that you do not recognize." bare>
      <SessionTable pages={sessions} merchant={merchant} />
    </Panel>
  );
}

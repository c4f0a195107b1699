/** The merchant's people: who signs in here, with which roles, and who is signed in now. */
import { usePages } from '../../../api/queries.ts';
import { useMay, useSession } from '../../../api/session.ts';
import { Act } from '../../../widgets/act.tsx';
import { Page, Panel } from '../../../widgets/page.tsx';
import { SessionTable } from '../../people/session-table.tsx';
import { UserTable } from '../../people/user-table.tsx';

export function PortalTeam() {
  const merchant = useSession()?.merchant?.code ?? '';
  const may = useMay();
  const people = usePages('team.list', {});
  return (
    <Page
      title="Team"
      lead="Who signs in here. A viewer looks; finance sees the money; a developer makes keys and webhooks; an owner may do all of it, and invites others."
      acts={
        <Act
          name="team.invite"
          verb="Invite somebody"
          look="main"
          lead="They get a link by e-mail, which works once. Choose the least that they need."
          labels={{ email: 'E-mail address', link: 'Show the link here too' }}
        />
      }
    >
      <Panel title="Your people" bare>
        <UserTable pages={people} merchant={merchant} empty="Invite somebody." />
      </Panel>
      {may('team.list_sessions') ? <Sessions merchant={merchant} /> : null}
    </Page>
  );
}

function Sessions({ merchant }: { readonly merchant: string }) {
  const sessions = usePages('team.list_sessions', {});
  return (
    <Panel title="Who is signed in" note="End what you do not know." bare>
      <SessionTable pages={sessions} merchant={merchant} />
    </Panel>
  );
}

/** One act that waits, or waited, for a second person. */
import { useParams } from '@tanstack/react-router';
import { useDescribed } from '../../api/described.ts';
import { useAnswer } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { AnswerView } from '../../widgets/answer-view.tsx';
import { Loading, Trouble } from '../../widgets/notes.tsx';
import { Facts, Page, Panel } from '../../widgets/page.tsx';
import { Nothing, State, Time } from '../../widgets/values.tsx';

export function ApprovalScreen() {
  const { approval: id = '' } = useParams({ strict: false });
  const { data: approval, error, refetch } = useAnswer('approval.show', { approval: id });
  const described = useDescribed();
  if (error !== null) {
    return (
      <Page title="An act for two persons">
        <Trouble error={error} again={() => void refetch()} />
      </Page>
    );
  }
  if (approval === undefined) return <Loading what="what waits" />;
  // It is shown to whoever approves, and not again.
  const showsSecret = described?.get(approval.operation)?.showsSecret === true;
  const acts = (
    <>
      <Act
        name="approval.approve"
        verb="Approve"
        look="main"
        title="Approve it"
        given={{ approval: id }}
        fields={[]}
        {...(showsSecret ? {} : { done: 'It is approved, and was carried out.' })}
      />
      <Act
        name="approval.reject"
        verb="Reject"
        look="danger"
        title="Reject it"
        given={{ approval: id }}
        fields={['reason']}
        done="It is rejected."
      />
    </>
  );
  return (
    <Page
      title={words(approval.operation)}
      lead="It takes the word of a second person, who is not the one who asked for it."
      acts={approval.state === 'waiting' ? acts : undefined}
    >
      <Panel title="Where it stands">
        <Facts
          facts={[
            ['State', <State key="s" state={approval.state} />],
            ['Asked for by', approval.asked_by],
            ['At', <Time key="a" at={approval.asked_at} near />],
            ['Until', <Time key="u" at={approval.expires_at} near />],
            ['Decided by', approval.decided_by ?? <Nothing key="d" />],
            ['Decided at', <Time key="t" at={approval.decided_at} />],
            ['Why', approval.reason ?? <Nothing key="w" />],
          ]}
        />
      </Panel>
      <Panel title="What is carried out, exactly">
        <AnswerView value={approval.input} />
      </Panel>
      {approval.output === null || approval.output === undefined ? null : (
        <Panel title="What it answered">
          <AnswerView value={approval.output} />
        </Panel>
      )}
    </Page>
  );
}

/** One endpoint: what became of each event there, and sending them once more. */
import { useParams } from '@tanstack/react-router';
import { useAnswer } from '../../api/queries.ts';
import { Act } from '../../widgets/act.tsx';
import { Go, merchantPath } from '../../widgets/go.tsx';
import { MoreOperations } from '../../widgets/more-operations.tsx';
import { Loading, Trouble } from '../../widgets/notes.tsx';
import { Page } from '../../widgets/page.tsx';
import { Environment, State } from '../../widgets/values.tsx';
import { Deliveries } from './deliveries.tsx';
import { HowItDoes } from './how-it-does.tsx';

export function WebhookScreen() {
  const { endpoint: id = '' } = useParams({ strict: false });
  const given = { endpoint: id };
  const { data: endpoint, error, refetch } = useAnswer('webhook.show', given);
  if (error !== null) {
    return (
      <Page title="Webhook endpoint">
        <Trouble error={error} again={() => void refetch()} />
      </Page>
    );
  }
  if (endpoint === undefined) return <Loading what="the endpoint" />;
  const isEnabled = endpoint.state === 'enabled';
  const named = { ...given, merchant: endpoint.merchant };
  return (
    <Page
      title={endpoint.url}
      lead={
        <>
          <State state={endpoint.state} /> <Environment environment={endpoint.environment} /> of{' '}
          <Go to={merchantPath(endpoint.merchant)}>{endpoint.merchant}</Go>
        </>
      }
      acts={
        <>
          <Act
            name="webhook.replay"
            verb="Replay a time"
            look="main"
            title="Send the events of a time once more"
            given={named}
            labels={{ since: 'From', until: 'To', state: 'Those that were' }}
          />
          {isEnabled ? (
            <Act
              name="webhook.disable"
              verb="Disable"
              look="danger"
              title="Send it nothing more"
              given={named}
              fields={['reason']}
              done="Nothing more is sent there; its events wait."
            />
          ) : (
            <Act
              name="webhook.enable"
              verb="Enable"
              title="Send to it again"
              given={named}
              fields={[]}
              done="It gets its events again, from where it was disabled on."
            />
          )}
          <Act
            name="webhook.rotate"
            verb="Another secret"
            given={named}
            labels={{ overlap: 'The old one signs too for' }}
          />
        </>
      }
    >
      <HowItDoes endpoint={endpoint} />
      <Deliveries endpoint={id} />
      <MoreOperations screen="webhook" given={named} />
    </Page>
  );
}

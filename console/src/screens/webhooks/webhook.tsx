/** A webhook endpoint with its deliveries and actions. */
import { useParams } from '@tanstack/react-router';
import { useAnswer } from '../../api/queries.ts';
import { useGoTo } from '../../widgets/environment.ts';
import { Go, merchantPath } from '../../widgets/go.tsx';
import { Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page } from '../../widgets/page.tsx';
import { Environment, State } from '../../widgets/values.tsx';
import { Deliveries } from './deliveries.tsx';
import { endpointLabels } from './endpoint-labels.ts';
import { EndpointStatus } from './endpoint-status.tsx';

export function WebhookScreen() {
  const { endpoint: id = '' } = useParams({ strict: false });
  const goTo = useGoTo();
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
      actions={
        <>
          <OperationButton
            name="webhook.replay"
            verb="Replay"
            look="main"
            title="Replay the events of a period"
            given={named}
            labels={{ since: 'From', until: 'To', state: 'State' }}
          />
          {isEnabled ? (
            <OperationButton
              name="webhook.disable"
              verb="Disable"
              look="danger"
              title="Disable the endpoint"
              given={named}
              fields={['reason']}
              done="Endpoint disabled. Its events are held."
            />
          ) : (
            <OperationButton
              name="webhook.enable"
              verb="Enable"
              title="Enable the endpoint"
              given={named}
              fields={[]}
              done="Endpoint enabled. Held events will be sent."
            />
          )}
          <OperationButton
            name="webhook.rotate"
            verb="Rotate secret"
            given={named}
            labels={{ overlap: 'Overlap' }}
          />
          <OperationButton name="webhook.test" verb="Send test event" given={named} />
          <OperationButton
            name="webhook.change"
            verb="Change"
            title="Change the endpoint"
            given={named}
            start={{
              url: endpoint.url,
              events: endpoint.events.join(','),
              description: endpoint.description,
              include_goods: endpoint.include_goods,
            }}
            labels={endpointLabels}
          />
          <OperationButton
            name="webhook.delete"
            verb="Delete"
            look="danger"
            title="Delete the endpoint"
            given={named}
            fields={[]}
            done="Endpoint deleted."
            onDone={() => goTo('/webhooks')}
          />
        </>
      }
    >
      <EndpointStatus endpoint={endpoint} />
      <Deliveries endpoint={id} />
    </Page>
  );
}

/** A webhook endpoint of the merchant, with its deliveries and actions. */
import { useParams, useRouter } from '@tanstack/react-router';
import type { Output } from '../../../api/operations.ts';
import { useAnswer } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { LinkButton } from '../../../widgets/button.tsx';
import { Loading, Trouble } from '../../../widgets/notes.tsx';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Page } from '../../../widgets/page.tsx';
import { Environment, State } from '../../../widgets/values.tsx';
import { Deliveries } from '../../webhooks/deliveries.tsx';
import { endpointLabels } from '../../webhooks/endpoint-labels.ts';
import { EndpointStatus } from '../../webhooks/endpoint-status.tsx';

type Endpoint = Output<'webhook.show'>;

export function PortalWebhook() {
  const may = useMay();
  const { endpoint: id = '' } = useParams({ strict: false });
  const given = { endpoint: id };
  const { data: endpoint, error, refetch } = useAnswer('webhook.show', given);
  if (error !== null) {
    return (
      <Page title="Webhook endpoint">
        <Trouble error={error} again={() => void refetch()} />
        <div>
          <LinkButton to="/webhooks">All endpoints</LinkButton>
        </div>
      </Page>
    );
  }
  if (endpoint === undefined) return <Loading what="the endpoint" />;
  return (
    <Page
      title={endpoint.url}
      lead={
        <>
          <State state={endpoint.state} /> <Environment environment={endpoint.environment} />{' '}
          {endpoint.description}
        </>
      }
      actions={<EndpointActions endpoint={endpoint} />}
    >
      <EndpointStatus endpoint={endpoint} />
      <Deliveries
        endpoint={id}
        {...(may('webhook.replay_delivery') && {
          actionsOf: ({ id: delivery }) => (
            <OperationButton
              name="webhook.replay_delivery"
              verb="Resend"
              title="Resend this event"
              lead="The event keeps its id, so that your program can recognize it."
              given={{ ...given, delivery }}
              fields={[]}
              done="Event queued."
            />
          ),
        })}
      />
    </Page>
  );
}

function EndpointActions({ endpoint }: { readonly endpoint: Endpoint }) {
  const router = useRouter();
  const given = { endpoint: endpoint.id };
  return (
    <>
      <OperationButton
        name="webhook.test"
        verb="Send test event"
        look="main"
        lead="Its type is endpoint.test. It appears in the list below."
        given={given}
        fields={[]}
        done="Test event sent."
      />
      <OperationButton
        name="webhook.replay"
        verb="Replay"
        title="Replay the events of a period"
        lead="Use this after an outage. The events keep their ids."
        given={given}
        labels={{ since: 'Since', until: 'Until', state: 'State' }}
      />
      <OperationButton
        name="webhook.change"
        verb="Change"
        title="Change the endpoint"
        lead="Unchanged fields stay as they are."
        given={given}
        start={{
          url: endpoint.url,
          events: endpoint.events.join(','),
          description: endpoint.description,
          include_goods: endpoint.include_goods,
        }}
        labels={endpointLabels}
        done="Endpoint changed."
      />
      <OperationButton
        name="webhook.rotate"
        verb="Rotate secret"
        lead="Both secrets sign during the overlap, so that your program can switch."
        given={given}
        labels={{ overlap: 'Overlap' }}
      />
      {endpoint.state === 'enabled' ? (
        <OperationButton
          name="webhook.disable"
          verb="Disable"
          title="Disable the endpoint"
          given={given}
          fields={['reason']}
          done="Endpoint disabled. Its events are held."
        />
      ) : (
        <OperationButton
          name="webhook.enable"
          verb="Enable"
          title="Enable the endpoint"
          given={given}
          fields={[]}
          done="Endpoint enabled. Held events will be sent."
        />
      )}
      <OperationButton
        name="webhook.delete"
        verb="Delete"
        look="danger"
        title="Delete the endpoint"
        given={given}
        fields={[]}
        done="Endpoint deleted."
        onDone={() => router.history.push('/webhooks')}
      />
    </>
  );
}

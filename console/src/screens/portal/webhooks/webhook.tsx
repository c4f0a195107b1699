/** One endpoint of the merchant: its log, a test event, sending events again, another secret. */
import { useParams, useRouter } from '@tanstack/react-router';
import type { Output } from '../../../api/operations.ts';
import { useAnswer } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Act } from '../../../widgets/act.tsx';
import { LinkButton } from '../../../widgets/button.tsx';
import { Loading, Trouble } from '../../../widgets/notes.tsx';
import { Page } from '../../../widgets/page.tsx';
import { Environment, State } from '../../../widgets/values.tsx';
import { Deliveries } from '../../webhooks/deliveries.tsx';
import { HowItDoes } from '../../webhooks/how-it-does.tsx';
import { endpointLabels } from './endpoint-labels.ts';

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
          <LinkButton to="/webhooks">To your endpoints</LinkButton>
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
      acts={<EndpointActs endpoint={endpoint} />}
    >
      <HowItDoes endpoint={endpoint} />
      <Deliveries
        endpoint={id}
        {...(may('webhook.replay_delivery') && {
          actsOf: ({ id: delivery }) => (
            <Act
              name="webhook.replay_delivery"
              verb="Send again"
              title="Send this event once more"
              lead="It comes under the id that it has, so that your program knows it again."
              given={{ ...given, delivery }}
              fields={[]}
              done="It is sent once more."
            />
          ),
        })}
      />
    </Page>
  );
}

function EndpointActs({ endpoint }: { readonly endpoint: Endpoint }) {
  const router = useRouter();
  const given = { endpoint: endpoint.id };
  return (
    <>
      <Act
        name="webhook.test"
        verb="Send a test event"
        look="main"
        lead="It has the type endpoint.test, and is in the log below."
        given={given}
        fields={[]}
        done="The test event is sent. See the log."
      />
      <Act
        name="webhook.replay"
        verb="Replay a time"
        title="Send the events of a time once more"
        lead="For when your program was away. The events come under the ids that they have."
        given={given}
        labels={{ since: 'From how long ago', until: 'To how long ago', state: 'Those that were' }}
      />
      <Act
        name="webhook.change"
        verb="Change"
        title="Change the endpoint"
        lead="What you leave as it is stays."
        given={given}
        start={{
          url: endpoint.url,
          events: endpoint.events.join(','),
          description: endpoint.description,
          include_goods: endpoint.include_goods,
        }}
        labels={endpointLabels}
        done="The endpoint is changed."
      />
      <Act
        name="webhook.rotate"
        verb="Another secret"
        lead="Both secrets sign for the overlap, so that your program has time to change over."
        given={given}
        labels={{ overlap: 'The old one signs too for' }}
      />
      {endpoint.state === 'enabled' ? (
        <Act
          name="webhook.disable"
          verb="Disable"
          title="Send it nothing for now"
          given={given}
          fields={['reason']}
          done="Nothing more is sent there; its events wait."
        />
      ) : (
        <Act
          name="webhook.enable"
          verb="Enable"
          title="Send to it again"
          given={given}
          fields={[]}
          done="It gets its events again, from where it was disabled on."
        />
      )}
      <Act
        name="webhook.delete"
        verb="Delete"
        look="danger"
        title="Delete the endpoint"
        given={given}
        fields={[]}
        done="The endpoint is deleted."
        onDone={() => router.history.push('/webhooks')}
      />
    </>
  );
}

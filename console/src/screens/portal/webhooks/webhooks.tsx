/** The merchant's own webhook endpoints. */
import { usePages } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { useEnvironment } from '../../../widgets/environment.ts';
import { environmentFilter, FilterBar } from '../../../widgets/filter-bar.tsx';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Page, Panel } from '../../../widgets/page.tsx';
import { endpointLabels } from '../../webhooks/endpoint-labels.ts';
import { EndpointTable } from '../../webhooks/endpoint-table.tsx';

export function PortalWebhooks() {
  const may = useMay();
  const environment = useEnvironment();
  const pages = usePages('webhook.list', { environment });
  return (
    <Page
      title="Webhooks"
      lead="Endpoints receive events about your purchases as they happen."
      actions={
        <OperationButton
          name="webhook.create"
          verb="Add endpoint"
          look="main"
          lead="The secret is shown once. Your program uses it to verify webhooks."
          start={{ environment }}
          labels={endpointLabels}
        />
      }
    >
      <FilterBar filters={[environmentFilter]} />
      <Panel title="Your endpoints" bare>
        <EndpointTable
          pages={pages}
          isOwn
          empty={
            may('webhook.create')
              ? 'Add one and send it a test event.'
              : 'A developer of your team adds endpoints.'
          }
        />
      </Panel>
    </Page>
  );
}

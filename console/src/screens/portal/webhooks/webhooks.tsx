/** Where the merchant is told what became of its purchases. */
import { usePages } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Act } from '../../../widgets/act.tsx';
import { FilterBar } from '../../../widgets/filter-bar.tsx';
import { useFilters } from '../../../widgets/filters.ts';
import { Page, Panel } from '../../../widgets/page.tsx';
import { EndpointTable } from '../../webhooks/endpoint-table.tsx';
import { endpointLabels } from './endpoint-labels.ts';

export function PortalWebhooks() {
  const may = useMay();
  const [{ environment }] = useFilters();
  const input = environment ? { environment: environment as 'live' | 'test' } : {};
  const pages = usePages('webhook.list', input);
  return (
    <Page
      title="Webhooks"
      lead="An endpoint is an address of yours that is told, as it happens, what became of your purchases."
      acts={
        <Act
          name="webhook.create"
          verb="Add an endpoint"
          look="main"
          lead="Its secret is shown once. With it your program sees that a call came from here."
          start={{ environment: 'test' }}
          labels={endpointLabels}
        />
      }
    >
      <FilterBar
        filters={[
          {
            name: 'environment',
            label: 'Environment',
            choices: [
              { value: 'live', name: 'Live' },
              { value: 'test', name: 'Test' },
            ],
          },
        ]}
      />
      <Panel title="Your endpoints" bare>
        <EndpointTable
          pages={pages}
          isOwn
          empty={
            may('webhook.create')
              ? 'Add one, and send it a test event.'
              : 'A developer of your team adds one.'
          }
        />
      </Panel>
    </Page>
  );
}

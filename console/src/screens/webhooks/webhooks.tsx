/** The webhook endpoints of all merchants. */
import { usePages } from '../../api/queries.ts';
import { useEnvironment } from '../../widgets/environment.ts';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { endpointLabels } from './endpoint-labels.ts';
import { EndpointTable } from './endpoint-table.tsx';

export function Webhooks() {
  const [{ merchant, troubled }] = useFilters();
  const input = {
    ...(merchant && { merchant }),
    environment: useEnvironment(),
    ...(troubled === 'yes' && { troubled: true }),
  };
  const pages = usePages('webhook.list', input);
  return (
    <Page
      title="Webhooks"
      lead="Endpoints of merchants."
      actions={
        <OperationButton
          name="webhook.create"
          verb="New endpoint"
          title="Create an endpoint"
          labels={endpointLabels}
        />
      }
    >
      <FilterBar
        filters={[
          { name: 'merchant', label: 'Merchant' },
          {
            name: 'troubled',
            label: 'Which',
            choices: [{ value: 'yes', name: 'Failing or disabled' }],
          },
        ]}
      />
      <Panel title="Endpoints" bare>
        <EndpointTable pages={pages} empty="Merchants create endpoints over the API or in the portal." />
      </Panel>
    </Page>
  );
}

/** The webhook endpoints of all merchants. */
import { usePages } from '../../api/queries.ts';
import { csvAddress } from '../../api/run.ts';
import { Download } from '../../widgets/download.tsx';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { MoreOperations } from '../../widgets/more-operations.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { EndpointTable } from './endpoint-table.tsx';

export function Webhooks() {
  const [{ merchant, environment, troubled }] = useFilters();
  const input = {
    ...(merchant && { merchant }),
    ...(environment && { environment: environment as 'live' | 'test' }),
    ...(troubled === 'yes' && { troubled: true }),
  };
  const pages = usePages('webhook.list', input);
  return (
    <Page title="Webhooks" lead="Endpoints of merchants.">
      <FilterBar
        filters={[
          { name: 'merchant', label: 'Merchant' },
          {
            name: 'environment',
            label: 'Environment',
            choices: [
              { value: 'live', name: 'Live' },
              { value: 'test', name: 'Test' },
            ],
          },
          {
            name: 'troubled',
            label: 'Which',
            choices: [{ value: 'yes', name: 'Failing or disabled' }],
          },
        ]}
      >
        <Download href={csvAddress('webhook.list', input)}>CSV</Download>
      </FilterBar>
      <Panel title="Endpoints" bare>
        <EndpointTable pages={pages} empty="Merchants create endpoints over the API or in the portal." />
      </Panel>
      <MoreOperations screen="webhooks" />
    </Page>
  );
}

/** Endpoints of merchants, and how they do. */
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
    <Page title="Webhooks" lead="Where merchants are told what became of their purchases.">
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
            choices: [{ value: 'yes', name: 'Those that fail or are disabled' }],
          },
        ]}
      >
        <Download href={csvAddress('webhook.list', input)}>CSV</Download>
      </FilterBar>
      <Panel title="Endpoints" bare>
        <EndpointTable pages={pages} empty="Merchants make them through their API, or their portal." />
      </Panel>
      <MoreOperations screen="webhooks" />
    </Page>
  );
}

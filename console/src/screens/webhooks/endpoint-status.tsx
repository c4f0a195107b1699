/** The status and settings of an endpoint. */
import type { Output } from '../../api/operations.ts';
import { Facts, Panel } from '../../widgets/page.tsx';
import { Nothing, Time } from '../../widgets/values.tsx';

export function EndpointStatus({ endpoint }: { readonly endpoint: Output<'webhook.show'> }) {
  return (
    <Panel title="Status">
      <Facts
        facts={[
          ['Failures in a row', endpoint.failures],
          ['Failing since', <Time key="f" at={endpoint.failing_since} near />],
          ['Disabled because', endpoint.reason ?? <Nothing key="w" />],
          ['Events', endpoint.events.length === 0 ? 'All' : endpoint.events.join(', ')],
          ['Includes goods', endpoint.include_goods ? 'Yes' : 'No'],
          ['Created', <Time key="c" at={endpoint.created_at} />],
          ['Old secret expires', <Time key="o" at={endpoint.old_secret_ends_at} />],
        ]}
      />
    </Panel>
  );
}

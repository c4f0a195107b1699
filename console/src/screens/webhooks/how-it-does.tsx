/** How an endpoint does, and what it is told. */
import type { Output } from '../../api/operations.ts';
import { Facts, Panel } from '../../widgets/page.tsx';
import { Nothing, Time } from '../../widgets/values.tsx';

export function HowItDoes({ endpoint }: { readonly endpoint: Output<'webhook.show'> }) {
  return (
    <Panel title="How it does">
      <Facts
        facts={[
          ['Failures in a row', endpoint.failures],
          ['Failing since', <Time key="f" at={endpoint.failing_since} near />],
          ['Why it is disabled', endpoint.reason ?? <Nothing key="w" />],
          ['Events', endpoint.events.length === 0 ? 'All' : endpoint.events.join(', ')],
          ['With the goods', endpoint.include_goods ? 'Yes' : 'No'],
          ['Made', <Time key="c" at={endpoint.created_at} />],
          ['The old secret ends', <Time key="o" at={endpoint.old_secret_ends_at} />],
        ]}
      />
    </Panel>
  );
}

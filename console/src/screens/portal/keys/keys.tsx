/** The merchant's API keys. A secret is shown only when it is created. */
import type { Row } from '../../../api/operations.ts';
import { usePages } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Copyable } from '../../../widgets/copy.tsx';
import { type Column, PagedTable } from '../../../widgets/data-table.tsx';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Page, Panel } from '../../../widgets/page.tsx';
import { Environment, Money, Nothing, RowTime, State } from '../../../widgets/values.tsx';
import { keyLabels } from './key-labels.ts';

type Key = Row<'credential.list'>;

export function Keys() {
  const may = useMay();
  const pages = usePages('credential.list', {});
  return (
    <Page
      title="API keys"
      lead="Your shop buys with a key and its secret. Test keys use simulated providers and never charge anyone."
      actions={
        <OperationButton
          name="credential.issue"
          verb="Create key"
          look="main"
          lead="The secret is shown once and not stored. Start with a test key."
          start={{ environment: 'test' }}
          labels={keyLabels}
        />
      }
    >
      <Panel title="Your keys" note="Revoke keys that you no longer use." bare>
        <PagedTable
          pages={pages}
          what="keys"
          caption="Your keys"
          empty={
            may('credential.issue')
              ? 'Create a test key and buy with it.'
              : 'A developer of your team creates keys.'
          }
          keyOf={({ key }) => key}
          columns={[...columns, ...(may('credential.rotate') ? [actions] : [])]}
        />
      </Panel>
      <Panel
        title="Postman and Bruno"
        note="Import the collection and an environment, then set your key and secret in the environment."
      >
        <p>
          <a href="/oja.postman_collection.json" download>
            Collection
          </a>
          {' · '}
          <a href="/oja-test.postman_environment.json" download>
            Environment test
          </a>
          {' · '}
          <a href="/oja-live.postman_environment.json" download>
            Environment live
          </a>
        </p>
      </Panel>
    </Page>
  );
}

const columns: readonly Column<Key>[] = [
  { head: 'Key', cell: ({ key }) => <Copyable value={key} name={`key ${key.slice(-4)}`} /> },
  { head: 'Label', cell: ({ label }) => label || <Nothing /> },
  { head: 'Environment', cell: ({ environment }) => <Environment environment={environment} /> },
  { head: 'State', cell: ({ state }) => <State state={state} /> },
  { head: 'Addresses', cell: ({ allowed_ips: ips }) => (ips.length === 0 ? 'Any' : ips.join(', ')) },
  { head: 'Cap per purchase', figures: true, cell: ({ per_purchase: cap }) => <Money amount={cap} /> },
  { head: 'Cap per day', figures: true, cell: ({ per_day: cap }) => <Money amount={cap} /> },
  { head: 'Last used', cell: ({ last_used_at: at }) => <RowTime at={at} /> },
  { head: 'Expires', cell: ({ expires_at: at }) => <RowTime at={at} /> },
];

const actions: Column<Key> = {
  head: 'Actions',
  cell: ({ key, state }) =>
    state === 'active' ? (
      <>
        <OperationButton
          name="credential.rotate"
          verb="Rotate"
          title="Rotate this key"
          lead="Both keys work during the overlap, so that your shop can switch."
          given={{ credential: key }}
          labels={{ overlap: 'Overlap', expires_in: 'New key expires after' }}
        />{' '}
        <OperationButton
          name="credential.set_caps"
          verb="Set caps"
          title="Set spending caps"
          given={{ credential: key }}
          labels={keyLabels}
          done="Caps set."
        />{' '}
        <OperationButton
          name="credential.revoke"
          verb="Revoke"
          look="danger"
          title="Revoke this key"
          lead="Requests with this key will be refused."
          given={{ credential: key }}
          fields={[]}
          done="Key revoked."
        />
      </>
    ) : (
      <Nothing />
    ),
};
